"""The members of an archive, one after the other, each read in memory and only if it is wanted."""

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from trainer.grading.intake.reading import Reading, limited

PLAIN_ZIP = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, NotImplementedError, ValueError, OverflowError),
)

Member = tuple[str, Callable[[], bytes | None]]


def members(name: str, data: bytes, reading: Reading) -> Iterator[Member]:
    """Give the name of each plain file in an archive, and what reads it; BROKEN may be raised."""
    kind = _zip if name.lower().endswith(".zip") else _tar
    return kind(data, reading)


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
                    return limited(source, info.filename, reading)

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
                return limited(inside, info.name, reading)

            yield info.name, read


class _Metered(io.RawIOBase):
    """A stream that counts what comes out of it: also what is only passed over costs time."""

    def __init__(self, source: BinaryIO, reading: Reading) -> None:
        self.source, self.reading = source, reading

    def read(self, size: int = -1) -> bytes:
        data = self.source.read(size)
        self.reading.spend(len(data))
        return data
