"""What our sentences mark: `code` in backticks, and between stars what is *stressed*."""

import re
from collections.abc import Iterator

# A star that multiplies, or unpacks, marks nothing.
_MARKED = re.compile(
    r"(?P<code>`[^`]+`)|(?<![\w*])\*(?P<stressed>\w(?:[^*`]*[^\s*`])?)\*(?![\w*])",
)


def spans(text: str) -> Iterator[tuple[str, str]]:
    """Give a text's pieces and what each is: `code` within its backticks, `stressed`, or ''."""
    end = 0
    for found in _MARKED.finditer(text):
        yield text[end : found.start()], ""
        yield found[found.lastgroup], found.lastgroup
        end = found.end()
    yield text[end:], ""


def unstressed(text: str) -> str:
    """Give a text as it reads where nothing can be stressed."""
    return "".join(piece for piece, _ in spans(text))
