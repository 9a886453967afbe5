"""What a text needs of the statements above it: told by Python's own tables of names."""

import ast
import symtable
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trainer.grading.intake.matching import parsed

# Python itself gives up on some texts, each in its own way.
TOO_MUCH = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Statement:
    """One statement: its text, the names that it binds, and those that it needs."""

    text: str
    binds: frozenset[str]
    needs: frozenset[str]
    # A function looks a name up when it is called, so what is bound below it will do.
    late: bool


def statements(text: str) -> list[Statement]:
    """Cut a text into those of its statements that bind names."""
    tree = parsed(text)
    found = []
    for node in tree.body if tree else ():
        try:
            own = ast.unparse(node)
        except TOO_MUCH:
            continue
        binds, needs = _names(own)
        if binds:
            late = isinstance(node, ast.FunctionDef | ast.ClassDef)
            found.append(Statement(own, binds, needs, late))
    return found


def free_names(text: str) -> frozenset[str]:
    """Give the names that a text needs and does not bind itself."""
    binds, needs = _names(text)
    return needs - binds


def needed(names: Iterable[str], among: Sequence[Statement]) -> list[str]:
    """Choose what binds some names, and what that needs in turn; of several the last before it."""
    chosen: set[int] = set()
    waiting = [(name, len(among)) for name in names]
    seen = set(waiting)
    places: dict[str, list[int]] = {}
    for at, each in enumerate(among):
        for name in each.binds:
            places.setdefault(name, []).append(at)
    while waiting:
        name, before = waiting.pop()
        there = places.get(name, [])
        last = bisect_left(there, before) - 1
        if last < 0:
            continue
        at, each = there[last], among[there[last]]
        chosen.add(at)
        more = {
            (need, len(among) if each.late and need not in each.binds else at)
            for need in each.needs
        }
        waiting += more - seen
        seen |= more
    return [among[at].text for at in sorted(chosen)]


def _names(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Give the names that a text binds, and those that it looks up outside of its functions."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = symtable.symtable(text, "a cell", "exec")
    except TOO_MUCH:
        return frozenset(), frozenset()
    own = table.get_symbols()
    binds = {each.get_name() for each in own if each.is_assigned() or each.is_imported()}
    needs = {each.get_name() for each in own if each.is_referenced()}
    below = list(table.get_children())
    while below:
        inner = below.pop()
        below += inner.get_children()
        symbols = [each for each in inner.get_symbols() if each.is_global()]
        needs |= {each.get_name() for each in symbols if each.is_referenced()}
        binds |= {each.get_name() for each in symbols if each.is_declared_global()}
    return frozenset(binds), frozenset(needs)
