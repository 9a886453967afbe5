"""The members of an archive, one after the other, each read in memory and only if it is wanted."""

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO

from trainer.grading.intake.reading import Reading, TooMuch, limited

PLAIN_ZIP = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY, ENCRYPTED = b"PK\x01\x02", 1
# Records of a tar that only say something of the next: a long name, and what else there is to it.
SAYINGS = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE),
    tarfile.SOLARIS_XHDTYPE,
)
LONGEST_SAYING = 64 * 2**10

Member = tuple[str, Callable[[], bytes | None]]


def members(name: str, data: bytes, reading: Reading) -> Iterator[Member]:
    """Give the name of each plain file in an archive, and what reads it.

    Anything may be raised: who made an archive with care knows these libraries better than we do.
    """
    kind = _zip if name.lower().endswith(".zip") else _tar
    return kind(data, reading)


def _zip(data: bytes, reading: Reading) -> Iterator[Member]:
    # The library makes something of each entry before it gives the first.
    reading.count(data.count(ENTRY))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if not info.filename or info.is_dir():
                continue
            if hindrance := _hindrance(info, kind):
                reading.give_up(f"{info.filename} {hindrance}; it was left out.")
                continue

            def read(info: zipfile.ZipInfo = info) -> bytes | None:
                with archive.open(info) as source:
                    return limited(source, info.filename, reading)

            yield info.filename, read


def _hindrance(info: zipfile.ZipInfo, kind: int) -> str:
    if kind not in (0, stat.S_IFREG):
        return "is no plain file"
    if info.flag_bits & ENCRYPTED:
        return "needs a password"
    return "" if info.compress_type in PLAIN_ZIP else "is packed in a way that is not read here"


def _tar(data: bytes, reading: Reading) -> Iterator[Member]:
    compressed = data[:2] == b"\x1f\x8b"
    source = gzip.GzipFile(fileobj=io.BytesIO(data)) if compressed else io.BytesIO(data)
    metered, counted = _Metered(source, reading), _counted(reading)
    with tarfile.open(fileobj=metered, mode="r|", tarinfo=counted) as archive:
        for info in archive:
            # A library that remembers every member has no use for those that have been read.
            archive.members = []
            if info.isdir():
                continue
            if not info.isreg():
                reading.give_up(f"{info.name} is no plain file; it was left out.")
                continue

            def read(info: tarfile.TarInfo = info) -> bytes | None:
                inside = archive.extractfile(info)
                return limited(inside, info.name, reading)

            yield info.name, read


def _counted(reading: Reading) -> type[tarfile.TarInfo]:
    """Make records that are counted and measured as they are met, whatever they stand for."""

    class Counted(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, *given: object, **named: object) -> tarfile.TarInfo:
            reading.count()
            found = super().frombuf(*given, **named)
            if found.type in SAYINGS and found.size > LONGEST_SAYING:
                raise TooMuch("it has a name that is longer than any")
            return found

    return Counted


class _Metered(io.RawIOBase):
    """A stream that counts what comes out of it: also what is only passed over costs time."""

    def __init__(self, source: BinaryIO, reading: Reading) -> None:
        self.source, self.reading = source, reading

    def read(self, size: int = -1) -> bytes:
        data = self.source.read(size)
        self.reading.spend(len(data))
        return data
