"""How much is read of a submission, and what there is to note about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import BinaryIO

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
LONGEST_NOTE = 200
MOST_NOTES = 20

Wanted = Callable[[PurePosixPath], bool]


class TooMuch(Exception):
    """A submission holds more than any honest one."""


@dataclass
class Reading:
    """How much may still be read of one submission, and what there is to note about it.

    `unread` says of what could not be read, or not to its end, why; `passed_over` are names of what
    was not for us, unless there is nothing else.
    """

    total_bytes: int = 200 * 2**20
    members: int = 10_000
    notes: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    def pass_over(self, name: str) -> None:
        """Remember some of what is not looked into."""
        if len(self.passed_over) < MOST_NOTES // 2:
            self.passed_over.append(name)

    def note(self, text: str) -> None:
        """Note something once; of very many notes the first are enough."""
        text = cut(text)
        if text not in self.notes and len(self.notes) < MOST_NOTES:
            self.notes.append(text)

    def give_up(self, text: str) -> None:
        """Note that something can't be read."""
        self.note(text)
        if len(self.unread) < MOST_NOTES:
            self.unread.append(cut(text))

    def count(self, more: int = 1) -> None:
        """Count members, before anything is made of them."""
        self.members -= more
        if self.members < 0:
            raise TooMuch("it holds too many files")

    def most(self, name: str) -> int:
        """Give how many bytes a file may have."""
        if is_archive(name):
            return self.total_bytes
        return (20 if ".ipynb" in name.lower() else 1) * 2**20

    def spend(self, size: int) -> None:
        """Count bytes."""
        self.total_bytes -= size
        if self.total_bytes < 0:
            raise TooMuch("it is too large once unpacked")


def cut(text: str) -> str:
    """Make a note one that can be shown anywhere: names in it may be any letters, and very long."""
    text = text if len(text) <= LONGEST_NOTE else f"{text[: LONGEST_NOTE - 1]}…"
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def plain(name: str) -> str:
    """Make a name, which may be any bytes, one that can be written."""
    return name.encode("utf-8", "backslashreplace").decode()


def is_archive(name: str) -> bool:
    """Tell an archive by its name."""
    return name.lower().endswith(ARCHIVES)


def limited(source: BinaryIO, name: str, reading: Reading) -> bytes | None:
    """Read a file, unless it is too large."""
    most = reading.most(name)
    data = source.read(min(most, reading.total_bytes) + 1)
    reading.spend(len(data))
    if len(data) > most:
        if any(ending in name.lower() for ending in (*ARCHIVES, ".py", ".ipynb")):
            reading.give_up(f"{name} is larger than {most // 2**20} MB; it was left out.")
        return None
    return data
