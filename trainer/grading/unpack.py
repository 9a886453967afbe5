"""What lies in a submission: the files of a folder or of an archive, read with limits.

Nothing is ever unpacked to disk. What could lead elsewhere (links, devices, `..`) is left out, and
what is too large ends the reading, each with a note.
"""

import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
SKIPPED = {"__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".venv", "node_modules"}
PLAIN_ZIP = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, NotImplementedError, ValueError, OverflowError),
)

Wanted = Callable[[PurePosixPath], bool]


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


def files(path: Path, wanted: Wanted, reading: Reading) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Give the wanted files of a folder, an archive or a single file, those in archives too."""
    try:
        if path.is_dir():
            yield from _in_folder(path, wanted, reading)
        else:
            yield from _opened(PurePosixPath(path.name), _read(path, reading), wanted, reading, 2)
    except TooMuch as error:
        reading.note(f"{path.name}: not all of it was read: {error}.")
    except OSError as error:
        reading.note(f"{path.name} cannot be read ({error.strerror or error}).")


def _in_folder(
    path: Path, wanted: Wanted, reading: Reading
) -> Iterator[tuple[PurePosixPath, bytes]]:
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if name not in SKIPPED)
        for name in sorted(names):
            reading.count()
            file = Path(folder, name)
            place = PurePosixPath(file.relative_to(path).as_posix())
            if not (wanted(place) or is_archive(name)) or _is_junk(place):
                continue
            if not stat.S_ISREG(file.lstat().st_mode):
                reading.note(f"{place} is no plain file; it was left out.")
                continue
            yield from _opened(place, _read(file, reading), wanted, reading, 1)


def _read(file: Path, reading: Reading) -> bytes | None:
    # A link or a pipe in the place of a file that was there a moment ago is not followed.
    number = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(number, "rb") as source:
        return _limited(source, file.name, reading)


def _limited(source: BinaryIO, name: str, reading: Reading) -> bytes | None:
    most = reading.most(name)
    data = source.read(min(most, reading.total_bytes) + 1)
    reading.spend(len(data))
    if len(data) > most:
        reading.note(f"{name} is larger than {most // 2**20} MB; it was left out.")
        return None
    return data


def _opened(
    place: PurePosixPath, data: bytes | None, wanted: Wanted, reading: Reading, depth: int
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Give a file as it is, or what is in it if it is an archive."""
    if data is None:
        return
    if not is_archive(place.name):
        yield place, data
        return
    if depth == 0:
        reading.note(f"{place} is an archive in an archive in an archive; it was left out.")
        return
    members = _zip(data, reading) if place.name.lower().endswith(".zip") else _tar(data, reading)
    try:
        for name, read in members:
            reading.count()
            inside = _safe(name, reading)
            if inside is None or _is_junk(inside):
                continue
            if wanted(inside) or is_archive(inside.name):
                yield from _opened(inside, read(), wanted, reading, depth - 1)
    except BROKEN as error:
        what = str(error) or type(error).__name__
        reading.note(f"{place.name} is broken, or no archive at all ({what[:80]}).")


Member = tuple[str, Callable[[], bytes | None]]


def _zip(data: bytes, reading: Reading) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir():
                continue
            if kind not in (0, stat.S_IFREG) or info.compress_type not in PLAIN_ZIP:
                reading.note(f"{info.filename} is no plain file; it was left out.")
                continue

            def read(info: zipfile.ZipInfo = info) -> bytes | None:
                with archive.open(info) as source:
                    return _limited(source, info.filename, reading)

            yield info.filename, read


def _tar(data: bytes, reading: Reading) -> Iterator[Member]:
    compressed = data[:2] == b"\x1f\x8b"
    source = gzip.GzipFile(fileobj=io.BytesIO(data)) if compressed else io.BytesIO(data)
    with tarfile.open(fileobj=_Metered(source, reading), mode="r|") as archive:
        for info in archive:
            if info.isdir():
                continue
            if not info.isreg():
                reading.note(f"{info.name} is no plain file; it was left out.")
                continue

            def read(info: tarfile.TarInfo = info) -> bytes | None:
                inside = archive.extractfile(info)
                return _limited(inside, info.name, reading)

            yield info.name, read


class _Metered(io.RawIOBase):
    """A stream that counts what comes out of it: also what is only passed over costs time."""

    def __init__(self, source: BinaryIO, reading: Reading) -> None:
        self.source, self.reading = source, reading

    def read(self, size: int = -1) -> bytes:
        data = self.source.read(size)
        self.reading.spend(len(data))
        return data


def _safe(name: str, reading: Reading) -> PurePosixPath | None:
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or "\0" in name:
        reading.note(f"{name[:80]!r} leads out of the archive; it was left out.")
        return None
    return place


def _is_junk(place: PurePosixPath) -> bool:
    return place.name.startswith("._") or bool(SKIPPED & set(place.parts))
