"""Hints, which are Markdown: prose, `code` within it, and fenced code that stands on its own."""

import re
from collections.abc import Iterator
from textwrap import indent

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from trainer.display.spans import spans

PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=- )")
FENCED = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
# Colours that every terminal has, so that they suit its background.
THEME = "ansi_dark"
STYLES = {"": "", "code": "cyan", "stressed": "italic"}


def blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Give a text's paragraphs, items of lists and code in turn, and whether each is code."""
    for at, part in enumerate(FENCED.split(text)):
        code = at % 2 == 1
        for block in [part] if code else PARAGRAPHS.split(part):
            if block.strip():
                yield (block if code else " ".join(block.split())), code


def markdown(text: str) -> str:
    """Give a text as a notebook shows it, its code as Python."""
    return FENCED.sub(r"```python\n\1\n```", text)


def tell(text: str, console: Console, *, title: str, style: str = "none") -> None:
    """Print a text below a title such as `1.`: prose as wide as the terminal, code line by line."""
    margin = " " * len(title)
    for at, (block, code) in enumerate(blocks(text)):
        if code:
            tell_code(indent(block, f"{margin}   "), console)
        else:
            beside = Table.grid(padding=(0, 1, 0, 0))
            beside.add_row(Text(margin if at else title, style), styled(block, style))
            console.print(beside)


def say(text: Text | str, console: Console) -> None:
    """Print one line: broken between words by a terminal's width, and never where nobody looks."""
    console.print(text, soft_wrap=not console.is_terminal)


def tell_code(code: str, console: Console) -> None:
    """Print code whole, for copying: no line is cut, and it is plain where nobody looks."""
    if console.is_terminal:
        console.print(Syntax("", "python", theme=THEME).highlight(code), soft_wrap=True, end="")
    else:
        console.file.write(code if code.endswith("\n") else f"{code}\n")


def styled(prose: str, style: str = "none") -> Text:
    """Give a sentence as a terminal shows it: code in a colour, what is stressed in italics."""
    text = Text(style=style)
    for piece, kind in spans(prose):
        text.append(piece, STYLES[kind])
    return text
