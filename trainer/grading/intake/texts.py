"""The text of a program as Python will read it: in UTF-8, whatever an editor made of it."""

import codecs
import re

# Longer marks first: that of UTF-32 begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
# What Windows used to write; it has a letter for almost every byte.
LAST_RESORT = "Windows-1252"
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)


def in_utf8(data: bytes) -> tuple[bytes, str]:
    """Give a program's text in UTF-8, and what it was in if that is something else."""
    for encoding in _likely(data):
        try:
            text = data.decode(encoding)
        except ValueError:
            continue
        return text.encode(), encoding
    return data, ""


def _likely(data: bytes) -> list[str]:
    marked = [encoding for mark, encoding in MARKS.items() if data.startswith(mark)]
    if marked:
        return marked
    if _is_utf8(data) or any(COOKIE.match(line) for line in data.splitlines()[:2]):
        # As it is: Python knows what to make of it, and so does whoever wrote that line.
        return []
    if data[1:2] == b"\0" or data[3:4] == b"\0":
        return ["UTF-16-LE"]
    return ["UTF-16-BE"] if data[:1] == b"\0" else [LAST_RESORT, "Latin-1"]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    # A letter and a nothing in turn is UTF-8 too, and what UTF-16 looks like without its mark.
    return b"\0" not in data
