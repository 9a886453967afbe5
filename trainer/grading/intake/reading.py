"""How much is read of a submission, and what there is to note about it."""

from dataclasses import dataclass, field
from typing import BinaryIO

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")


class TooMuch(Exception):
    """A submission holds more than any honest one."""


@dataclass
class Reading:
    """How much may still be read of one submission, and what there is to note about it."""

    total_bytes: int = 200 * 2**20
    members: int = 10_000
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Note something once; of very many notes the first are enough."""
        if text not in self.notes and len(self.notes) < 20:
            self.notes.append(text)

    def count(self) -> None:
        """Count a member."""
        self.members -= 1
        if self.members < 0:
            raise TooMuch("it holds too many files")

    def most(self, name: str) -> int:
        """Give how many bytes a file may have."""
        if is_archive(name):
            return self.total_bytes
        return (20 if name.endswith(".ipynb") else 1) * 2**20

    def spend(self, size: int) -> None:
        """Count bytes."""
        self.total_bytes -= size
        if self.total_bytes < 0:
            raise TooMuch("it is too large once unpacked")


def is_archive(name: str) -> bool:
    """Tell an archive by its name."""
    return name.lower().endswith(ARCHIVES)


def limited(source: BinaryIO, name: str, reading: Reading) -> bytes | None:
    """Read a file, unless it is too large."""
    most = reading.most(name)
    data = source.read(min(most, reading.total_bytes) + 1)
    reading.spend(len(data))
    if len(data) > most:
        reading.note(f"{name} is larger than {most // 2**20} MB; it was left out.")
        return None
    return data
