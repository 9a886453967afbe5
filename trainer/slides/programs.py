"""The pieces of a code cell: its program where that carries the idea, and what it gave."""

import ast
import re
import struct
from base64 import b64decode
from collections.abc import Iterator

from trainer.slides import pieces
from trainer.slides.pieces import Piece

# A cell with this tag shows on slides what it gives, and not how: what is there to make it run.
NO_CODE = "no-code-on-slides"
NO_WORDS = "a picture of what the cell gave"
EXERCISE = re.compile(r"^%exercise (ch\w+)$")
CHECK = re.compile(r"(from trainer import check\n+)?check\(.*\)")


def of_code(cell: dict, text: str, title: str) -> Iterator[Piece]:
    """Show a cell's program where it carries the idea, and what it gave."""
    if named := EXERCISE.match(text):
        if title.startswith("Your turn"):
            yield from pieces.told(f"%exercise {named[1]}\nuv run trainer check {named[1]}")
        return
    if "spark = session()" in text or CHECK.fullmatch(text):
        return
    if shown := carries_the_idea(cell, text):
        yield from pieces.code(shown)
    alts = iter(_alts(cell))
    printed = ""
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            printed += "".join(output["text"])
            continue
        yield from pieces.told(printed) if printed.strip() else ()
        printed = ""
        yield from _shown(output.get("data", {}), alts)
    yield from pieces.told(printed) if printed.strip() else ()


def _shown(data: dict, alts: Iterator[str]) -> Iterator[Piece]:
    if png := "".join(data.get("image/png", "")).replace("\n", ""):
        size = struct.unpack(">II", b64decode(png[:44])[16:24])
        yield pieces.picture(png, size, next(alts, NO_WORDS))
    elif written := data.get("text/html"):
        yield pieces.walk("".join(written))
    elif plain := data.get("text/plain"):
        yield from pieces.told("".join(plain))


def _alts(cell: dict) -> list[str]:
    """Say what the pictures show, as the cell's metadata do."""
    return cell["metadata"].get("alt", [])


def carries_the_idea(cell: dict, text: str) -> str:
    """Give a cell's program without what only imports and draws; nothing, where it is folded."""
    metadata = cell["metadata"]
    folded = metadata.get("jupyter", {}).get("source_hidden")
    if folded or NO_CODE in metadata.get("tags", []):
        return ""
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if _only_draws(node):
            del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines).strip("\n")


def _only_draws(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return called and getattr(node.value.func, "id", "").startswith("draw_")
