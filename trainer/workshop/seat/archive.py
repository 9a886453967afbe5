"""The archive in which answers are handed in: how it is packed, and what may be in one."""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping

from trainer.workshop.seat.words import Malformed

SUFFIX = ".taxi.zip"
ABOUT = "submission.json"
# As `trainer grade` takes them: all answers of one learner together.
MOST_TEXT = 2**19
MOST_FILES = 200
LARGEST = 2**20
LARGEST_ABOUT = 2**12
# Programs below exercises/, as Python could import them: no name leads anywhere else.
MEMBER = re.compile(r"exercises/(?:[A-Za-z_]\w{0,99}/){0,4}[A-Za-z_]\w{0,99}\.py", re.ASCII)
LONG_AGO = (1980, 1, 1, 0, 0, 0)
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 1

Texts = dict[str, bytes]


def packed(texts: Mapping[str, bytes], about: Mapping[str, str]) -> bytes:
    """Pack answers; the same ones give the same bytes."""
    whole = io.BytesIO()
    members = {ABOUT: json.dumps(about, indent=1).encode(), **dict(sorted(texts.items()))}
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def unpacked(data: bytes) -> tuple[Texts, dict[str, str]]:
    """Read an archive that anybody may have made: nothing but what `packed` makes gets through."""
    if len(data) > LARGEST:
        raise Malformed(f"it is larger than {LARGEST // 2**10} kB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = dict(_members(archive))
    except Malformed:
        raise
    except Exception:
        # Whatever is the matter with it: zipfile and zlib each have their own words for that.
        raise Malformed("it is broken, or no archive") from None
    about = _about(members.pop(ABOUT, b"{}"))
    if not members:
        raise Malformed("it holds no answer")
    return members, about


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    listed = archive.infolist()
    if len(listed) > MOST_FILES + 1:
        raise Malformed(f"it holds more than {MOST_FILES} files")
    if len({each.filename for each in listed}) < len(listed):
        raise Malformed("it holds two files of one name")
    left = MOST_TEXT
    for each in listed:
        if each.filename != ABOUT and not MEMBER.fullmatch(each.filename):
            raise Malformed(f"it holds what is never handed in: {each.filename[:60]!r}")
        if each.compress_type not in PACKINGS or each.flag_bits & ENCRYPTED:
            raise Malformed("it is packed in another way than `trainer submit` does")
        # Not by the size that it claims to have.
        with archive.open(each) as member:
            text = member.read(left + 1)
        left -= len(text)
        if left < 0:
            raise Malformed(f"unpacked it is larger than {MOST_TEXT // 2**10} kB")
        yield each.filename, text


def _about(text: bytes) -> dict[str, str]:
    """Read what an archive says of itself; who made it may have written anything there."""
    try:
        told = json.loads(text) if len(text) <= LARGEST_ABOUT else None
    except (ValueError, RecursionError):
        told = None
    told = told if isinstance(told, dict) else {}
    return {name: each for name, each in told.items() if isinstance(each, str)}
