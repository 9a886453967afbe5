"""An answer as it was written: the text it was loaded from, and which of its lines is meant."""

import ast
import linecache
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType

# The name under which a loaded file keeps its own text.
TEXT = "__text__"
# Nested deeply enough, a text is too much for Python's own parser.
TOO_MUCH = (SyntaxError, ValueError, RecursionError, MemoryError)


def line_in(trace: TracebackType | None, file: str) -> int | None:
    """Find the innermost line of a file in a traceback."""
    frames = traceback.walk_tb(trace)
    numbers = [number for frame, number in frames if frame.f_code.co_filename == file]
    return numbers[-1] if numbers else None


def lines_of(function: Callable) -> Sequence[str]:
    """Give the lines of the text that a function was loaded from, whatever its file says now."""
    if TEXT in function.__globals__:
        return function.__globals__[TEXT].split("\n")
    # It came another way, out of a notebook's cell, say: Python knows best.
    file = function.__code__.co_filename
    linecache.checkcache(file)
    return linecache.getlines(file)


def quoted(lines: Sequence[str], line: int | None) -> str:
    """Quote one of the lines of a text, in brackets; nothing where there is none."""
    if line is None:
        return ""
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f" (line {line}: {code})" if code else f" (line {line})"


def parsed(text: str) -> ast.Module:
    """Parse a text; an empty one stands for what is no Python."""
    with suppress(*TOO_MUCH), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
    return ast.Module([], [])


def tree_of(function: Callable) -> ast.Module:
    """Parse the text that a function was loaded from."""
    return parsed("\n".join(line.rstrip("\n") for line in lines_of(function)))


def line_of(function: Callable, calls: Sequence[str], mentioning: str = "") -> int | None:
    """Find the last line that calls or defines one of these: if it can be had, one in the function
    itself that mentions a name.
    """
    tree, first = tree_of(function), function.__code__.co_firstlineno
    own = {
        id(inside)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node.lineno == first
        for inside in ast.walk(node)
    }
    found = [(id(node) in own, *place) for node, *place in _places(tree, calls, mentioning)]
    return max(found)[-1] if found else None


def _places(tree: ast.Module, calls: Sequence[str], mentioning: str) -> Iterator[tuple]:
    """Give each call and definition, whether it mentions a name, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in calls:
            yield node, False, node.lineno
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in calls:
                given = "".join(map(ast.unparse, [*node.args, *node.keywords]))
                yield node, bool(mentioning) and mentioning in given, node.func.end_lineno
