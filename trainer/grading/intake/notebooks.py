"""The answers in a notebook: the cells that `%%exercise` would save, and those that lack it."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache

from trainer.course.clone import ROOT
from trainer.course.exercise import NoSuchExercise, find
from trainer.grading.intake.matching import defined, parsed

MAGIC = re.compile(r"%%exercise[ \t]+(?P<name>\S+)[ \t]*")
# In a cell without the magic, lines for IPython alone.
FOR_IPYTHON = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)
MOST_CELLS = 2000


class NoNotebook(Exception):
    """Something by that name that is none."""


def answers(data: bytes) -> Iterator[tuple[str, str, str]]:
    """Give each exercise's text, in the order of the cells, and how it was found if not plainly."""
    above: list[ast.stmt] = []
    for kind, text in _cells(data):
        head, magic, body = _parts(text)
        stem = _stem(magic) if magic else None
        if stem and kind != "code":
            yield stem, _ended(body), "in a cell that is no code"
        elif stem and _needs(body, above):
            yield stem, _with(above, body), "with what the cells above it define"
        elif stem:
            yield stem, _ended(body), "below a comment" if head else ""
        if stem or kind != "code":
            continue
        plain = FOR_IPYTHON.sub("", body if magic else text)
        for stem in defined(plain.encode()):
            yield stem, _with(above, plain), "in a cell without %%exercise"
        above += _kept(plain)


def _needs(text: str, above: list[ast.stmt]) -> bool:
    """Tell whether a cell uses a name that it does not define, and cells above it do."""
    tree = parsed(text)
    nodes = list(ast.walk(tree)) if tree else []
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return bool((used - _defined_by(nodes)) & _defined_by(above))


def _defined_by(nodes: list[ast.AST]) -> set[str]:
    found = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {name.id for name in node.targets if isinstance(name, ast.Name)}
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _cells(data: bytes) -> Iterator[tuple[str, str]]:
    try:
        cells = json.loads(data)["cells"]
        for cell in cells[:MOST_CELLS]:
            source = cell["source"]
            text = source if isinstance(source, str) else "".join(source)
            yield ("code" if cell.get("cell_type") == "code" else "no code"), text
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, MemoryError) as error:
        raise NoNotebook from error


def _parts(text: str) -> tuple[list[str], str, str]:
    """Cut a cell into what stands above the magic, the exercise that it names, and the rest."""
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if match := MAGIC.fullmatch(line.strip()):
            return (
                [each for each in lines[:at] if each.strip()],
                match["name"],
                "".join(lines[at + 1 :]),
            )
        if line.strip() and not line.lstrip().startswith("#"):
            break
    return [], "", text


def _stem(name: str) -> str | None:
    try:
        return find(name.lower()).stem
    except NoSuchExercise:
        return None


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _kept(text: str) -> list[ast.stmt]:
    """Give what a later cell may need of this one, and what does nothing by itself."""
    tree = parsed(text)
    return [node for node in tree.body if _is_harmless(node)] if tree else []


def _is_harmless(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        try:
            ast.literal_eval(node.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return False
        return True
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    return isinstance(node, kinds)


def _with(above: list[ast.stmt], text: str) -> str:
    """Put before a cell what the cells above it define; what they do is left out."""
    try:
        own = map(ast.unparse, _kept(text)) if parsed(text) else [text]
        return "\n\n".join([*map(ast.unparse, above), *own]) + "\n"
    except RecursionError:
        return text


def holds_functions(data: bytes) -> bool:
    """Tell whether there is a function in it that the course's own notebooks don't have."""
    try:
        return any("def " in text and text not in _own_cells() for _, text in _cells(data))
    except NoNotebook:
        return False


@cache
def _own_cells() -> frozenset[str]:
    there = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return frozenset(text for path in there for _, text in _cells(path.read_bytes()))
