"""How high what is on a slide will be, in the pixels of a projector of 1024 by 768."""

import math
import re

WIDTH, HEIGHT = 928, 606
SAY, ASK, ITEM, CELL = 27, 29, 24, 19
CODE_FONTS = (20, 18, 16, 15, 14)
# How wide letters are on the average, and how far apart lines; with something to spare.
LETTER, MONO, LINE, CODE_LINE = 0.545, 0.605, 1.36, 1.4
GAP = 18
LONGEST_LINE = 102


def plain(text: str) -> str:
    """Give Markdown without its marks."""
    return re.sub(r"\[([^]]+)\]\([^)]+\)|[*`]", r"\1", text)


def words(text: str, font: int, width: int = WIDTH) -> int:
    """Tell how high a paragraph is."""
    bold = sum(map(len, re.findall(r"\*\*(.+?)\*\*", text)))
    lines = math.ceil((len(plain(text)) + 0.15 * bold) * LETTER * font / width) or 1
    return round(lines * LINE * font) + GAP


def code_font(text: str, wide: int = WIDTH - 44, high: int = HEIGHT) -> int:
    """Choose the largest letters in which a program fits a slide: in its width, if not both."""
    lines = text.splitlines() or [""]
    longest = max(map(len, lines))
    fits = [font for font in CODE_FONTS if longest * MONO * font <= wide]
    high_too = [font for font in fits if code_height(text, font) <= high]
    return next(iter(high_too or fits[-1:]), CODE_FONTS[-1])


def code_height(text: str, font: int) -> int:
    """Tell how high a program is in letters of that size."""
    return round(len(text.splitlines()) * CODE_LINE * font) + 20 + GAP


def columns(rows: list[list[str]]) -> list[int]:
    """Share the width of a slide among the columns of a table: in hundredths."""
    longest = [max(len(plain(cell)) for cell in column) for column in zip(*rows, strict=True)]
    word = [
        max(len(each) for cell in column for each in (plain(cell).split() or [""]))
        for column in zip(*rows, strict=True)
    ]
    wants = [max(math.sqrt(long) * 4, each + 2) for long, each in zip(longest, word, strict=True)]
    return [round(100 * want / sum(wants)) for want in wants]


def row_height(row: list[str], shares: list[int]) -> int:
    """Tell how high a row of a table is."""
    wide = [WIDTH * share / 100 - 20 for share in shares]
    needed = [len(plain(cell)) * 0.56 * CELL / each for cell, each in zip(row, wide, strict=True)]
    return round(max(1, math.ceil(max(needed))) * 1.32 * CELL) + 12


def no_longer(text: str) -> str:
    """Break lines that no letters are small enough for."""
    lines = [
        line[first : first + LONGEST_LINE]
        for line in text.splitlines()
        for first in range(0, len(line) or 1, LONGEST_LINE)
    ]
    return "\n".join(lines)
