"""The answers in a notebook: the cells that `%%exercise` would save, and those that lack it."""

import json
import re
import warnings
from collections.abc import Iterator
from functools import cache

from trainer.course.clone import ROOT
from trainer.course.exercise import NoSuchExercise, find
from trainer.grading.intake import statements
from trainer.grading.intake.matching import BY_FUNCTION, bound, by_its_function, parsed
from trainer.grading.intake.statements import Statement

MAGIC = re.compile(r"%%exercise[ \t]+(?P<name>\S{1,100})[ \t]*")
# The first line of a cell that is for another magic; what is below it is Python mostly.
OTHER_MAGIC = re.compile(r"\s*%%.*")
HEADING = re.compile(r"^#+[ \t]+(.{1,200})", re.MULTILINE)
MOST_CELLS = 2000


class NoNotebook(Exception):
    """Something by that name that is none."""


def answers(data: bytes) -> Iterator[tuple[str, str, str]]:
    """Give each exercise's text, in the order of the cells, and how it was found if not plainly."""
    above: list[Statement] = []
    heading = ""
    for kind, text in _cells(data):
        head, magic, body = _parts(text)
        stem = _stem(magic) if magic else None
        if stem and kind != "code":
            yield stem, _ended(body), "in a cell that is no code"
        elif stem:
            needed = statements.needed(statements.free_names(body), above)
            below = "below a comment" if head else ""
            how = "with what the cells above it define" if needed else below
            yield stem, _ended("\n\n".join([*needed, body])), how
        elif kind == "code":
            plain = _without_ipython(body if magic else text)
            own = statements.statements(plain)
            found, how = by_its_function(plain.encode("utf-8", "replace"), heading)
            sure = "" if how == BY_FUNCTION else f", {how}"
            for stem in found:
                chosen = statements.needed(bound(stem), [*above, *own]) if own else [plain]
                yield stem, _ended("\n\n".join(chosen)), f"in a cell without %%exercise{sure}"
            above += own
        elif lines := HEADING.findall(text):
            heading = lines[-1]


def _without_ipython(text: str) -> str:
    """Turn lines for IPython alone into Python, as it does; what is Python is left as it is."""
    text = OTHER_MAGIC.sub("", text, count=1) if OTHER_MAGIC.match(text) else text
    if parsed(text):
        return text
    # Not needed, and slow to load, where nobody wrote such a line.
    from IPython.core.inputtransformer2 import TransformerManager

    with warnings.catch_warnings():
        # What it has to say of their text is not for whoever reads it here.
        warnings.simplefilter("ignore")
        return TransformerManager().transform_cell(text)


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
