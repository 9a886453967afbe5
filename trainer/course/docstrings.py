"""What a file of the course says of its functions, read without running it."""

import ast
from pathlib import Path


def docstrings(file: Path) -> dict[str, str]:
    """Give the docstrings of a file's functions by their names; nothing where there is no file."""
    if not file.exists():
        return {}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {each.name: text for each in functions if (text := ast.get_docstring(each))}
