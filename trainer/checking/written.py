"""What stands in an answer: the code that its function reaches, and no words about it."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from trainer.running.lines import TOO_MUCH, parsed


def reached(text: str, function: str) -> str:
    """Give what a function of a file is made of: itself, and what it uses of the file.

    Comments, docstrings and decorators are left out.
    """
    bound: dict[str, list[ast.stmt]] = {}
    for statement in map(_without_words, parsed(text).body):
        for name in _binds(statement):
            bound.setdefault(name, []).append(statement)
    with suppress(*TOO_MUCH):
        return "\n".join(map(ast.unparse, _uses(bound, function)))
    return ""


def _binds(statement: ast.stmt) -> Iterable[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _uses(bound: Mapping[str, Sequence[ast.stmt]], name: str) -> Sequence[ast.stmt]:
    """Follow the names from one on; what is bound earlier in the file comes first."""
    found: dict[ast.stmt, None] = {}
    names = [name]
    while names:
        for statement in bound.get(names.pop(), ()):
            if statement not in found:
                found[statement] = None
                walked = ast.walk(statement)
                names += [node.id for node in walked if isinstance(node, ast.Name)]
    return sorted(found, key=lambda statement: statement.lineno)


def _without_words(statement: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.decorator_list = []
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.Pass()]
    return statement
