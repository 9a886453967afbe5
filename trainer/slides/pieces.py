"""What can stand on a slide: words, a question, a list, a table, a program, a picture."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from trainer.slides import sizes
from trainer.slides.blocks import html, inline
from trainer.slides.sentences import essence, sentences

Kind = Literal["say", "ask", "list", "table", "quote", "code", "told", "picture", "walk"]
MOST = sizes.HEIGHT - 90
# What was printed leaves room for what is said of it, if its letters needn't be too small.
PRINTED = 380


@dataclass(frozen=True)
class Piece:
    """A piece, how high it is, what is said with it, and whether a slide begins with it."""

    kind: Kind
    html: str
    height: int
    notes: str = ""
    begins: bool = False

    @property
    def leads(self) -> bool:
        """Tell whether these words lead to what comes next: a list, a table."""
        return self.kind == "say" and self.html.endswith((":</p>", "</strong></p>"))


def say(said: Sequence[str]) -> Piece:
    """Say the essence of some sentences; all of them are notes."""
    short = essence([*said])
    notes = inline(" ".join(said)) if short != " ".join(said) else ""
    return Piece("say", f"<p>{inline(short)}</p>", sizes.words(short, sizes.SAY), notes)


def ask(said: Sequence[str]) -> Piece:
    """Ask the class."""
    text = " ".join(said).replace("**", "")
    return Piece("ask", f"<p class='ask'>{inline(text)}</p>", sizes.words(f"**{text}**", sizes.ASK))


def quote(text: str) -> Piece:
    """Show words that are set off."""
    return Piece("quote", html(text), sizes.words(text, sizes.SAY) + 24)


def items(text: str) -> Iterator[Piece]:
    """Show a list: of each item what is in bold and its first words; over several, if long."""
    lines = re.split(r"^(?=(?:[-*]|\d+\.) )", text, flags=re.MULTILINE)
    short = [essence(sentences(line)) for line in lines if line.strip()]
    heights = [sizes.words(line, sizes.ITEM, sizes.WIDTH - 44) - 8 for line in short]
    for first, last in _shares(heights, MOST):
        part, notes = "\n".join(short[first:last]), html("\n".join(lines[1:][first:last]))
        notes = notes if not first and len(text) > sum(map(len, short)) + 40 else ""
        yield Piece("list", html(part), sum(heights[first:last]) + sizes.GAP, notes)


def table(text: str) -> Iterator[Piece]:
    """Show a table; over several slides, if it is long."""
    rows = [_cells(line) for line in text.splitlines() if line.strip()]
    head, rows = rows[0], rows[2:]
    shares = sizes.columns([head, *rows])
    heights = [sizes.row_height(row, shares) for row in rows]
    top = sizes.row_height(head, shares) if any(head) else 0
    for first, last in _shares(heights, MOST - top):
        written = _table(head, rows[first:last], shares)
        yield Piece("table", written, top + sum(heights[first:last]) + sizes.GAP)


def _cells(line: str) -> list[str]:
    """Cut a row of a table; a bar within code is no border."""
    inside = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inside)]


def _table(head: list[str], rows: list[list[str]], shares: list[int]) -> str:
    widths = "".join(f"<col style='width:{share}%'>" for share in shares)
    top = "".join(f"<th scope='col'>{inline(cell)}</th>" for cell in head)
    top = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    body = "".join("<tr>" + "".join(f"<td>{inline(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><colgroup>{widths}</colgroup>{top}<tbody>{body}</tbody></table>"


def code(text: str, language: str = "python") -> Iterator[Piece]:
    """Show a program; a long one is cut between its parts."""
    for part in _parts_of_code(sizes.no_longer(text.strip("\n"))):
        font = sizes.code_font(part, high=MOST)
        lexer = get_lexer_by_name(language, stripnl=False)
        marked = highlight(part, lexer, HtmlFormatter(nowrap=True))
        written = f"<pre class='code' style='font-size:{font}px'>{marked}</pre>"
        yield Piece("code", written, sizes.code_height(part, font))


def _parts_of_code(text: str) -> list[str]:
    if sizes.code_height(text, sizes.code_font(text, high=MOST)) <= MOST:
        return [text]
    blocks = re.split(r"\n\n+", text)
    heights = [sizes.code_height(each, 16) for each in blocks]
    return ["\n\n".join(blocks[first:last]) for first, last in _shares(heights, MOST)]


def told(text: str) -> Iterator[Piece]:
    """Show what a cell printed."""
    text = sizes.no_longer(text.strip("\n"))
    lines, font = text.splitlines(), sizes.code_font(text, high=PRINTED)
    most = int((MOST - 40) / (sizes.CODE_LINE * font))
    for first in range(0, len(lines), most):
        part = "\n".join(lines[first : first + most])
        written = f"<pre class='told' style='font-size:{font}px'>{escape(part)}</pre>"
        yield Piece("told", written, sizes.code_height(part, font))


def picture(png: str, size: tuple[int, int], alt: str) -> Piece:
    """Show a picture, as large as a slide has room for; a tall one alone, a wide one in words."""
    wide, high = size
    scale = min(sizes.WIDTH / wide, (440 if high < 600 else 530) / high, 1.25)
    style = f"height:{round(high * scale)}px"
    written = f"<img alt='{escape(alt)}' style='{style}' src='data:image/png;base64,{png}'>"
    return Piece("picture", written, round(high * scale) + sizes.GAP)


def smaller(piece: Piece, height: int) -> Piece:
    """Give a picture less room, unless that would be too little."""
    least = 0.7 * piece.height
    if piece.kind != "picture" or not least <= height < piece.height:
        return piece
    style = f"style='height:{height - sizes.GAP}px'"
    return replace(piece, html=re.sub(r"style='height:\d+px'", style, piece.html), height=height)


def walk(written: str) -> Piece:
    """Show a walk through micro-batches, or another page that a cell made; it is made to fit."""
    return Piece("walk", f"<div class='walk'>{written}</div>", 440 + sizes.GAP)


def _shares(heights: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Share rows out evenly among as few parts as will do."""
    parts = max(1, math.ceil(sum(heights) / most))
    even, first, sum_ = sum(heights) / parts, 0, 0
    for last, height in enumerate(heights):
        if last > first and (sum_ + height > most or sum_ + height / 2 > even):
            yield first, last
            first, sum_ = last, 0
        sum_ += height
    yield first, len(heights)
