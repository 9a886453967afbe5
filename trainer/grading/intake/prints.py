"""Fingerprints of a program, which layout, comments and renamed variables leave as they are.

Its syntax tree is written out again without docstrings; of its tokens, all names that it binds are
one, and so are its strings, but for those that the stub has. Runs of tokens are hashed, and of each
window of hashes the least is kept: winnowing, as MOSS does it (Schleimer, Wilkerson and Aiken,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003).
"""

import ast
import io
import keyword
import tokenize
import zlib
from collections.abc import Collection, Iterator, Sequence

from trainer.grading.intake.matching import parsed

# So many tokens in a run, and so many runs in a window: what is shorter than both is never found.
RUN, WINDOW = 6, 5
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
BROKEN = (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError)


def prints(text: bytes, stub: bytes) -> frozenset[int]:
    """Give the fingerprints of a text that are not those of the stub."""
    known = strings(stub)
    own = winnowed(runs(tokens(text, known)))
    return own - frozenset(runs(tokens(stub, known)))


def tokens(text: bytes, known: Collection[str] = ()) -> list[str]:
    """Give a program's tokens, each that may be changed without changing anything as one word."""
    tree = parsed(text)
    if tree is None:
        return [token for token, _ in _tokens(text.decode("utf-8", "replace"))]
    bound = _bound(tree)
    _without_docstrings(tree)
    try:
        plain = ast.unparse(tree)
    except BROKEN:
        plain = text.decode("utf-8", "replace")
    return [_plain(token, kind, bound, known) for token, kind in _tokens(plain)]


def _plain(token: str, kind: int, bound: Collection[str], known: Collection[str]) -> str:
    if kind == tokenize.NAME and token in bound and not keyword.iskeyword(token):
        return "a name"
    return "a string" if kind == tokenize.STRING and token not in known else token


def strings(stub: bytes) -> frozenset[str]:
    """Give the strings of a stub's contract: columns that all must name alike."""
    words = stub.decode("utf-8", "replace").replace("`", " ").split()
    return frozenset(repr(word.strip(".,:;()|")) for word in words)


def runs(tokens: Sequence[str]) -> list[int]:
    """Hash each run of tokens."""
    return [
        zlib.crc32("\0".join(tokens[at : at + RUN]).encode("utf-8", "replace"))
        for at in range(len(tokens) - RUN + 1)
    ]


def winnowed(hashes: Sequence[int]) -> frozenset[int]:
    """Keep the least of each window."""
    windows = max(1, len(hashes) - WINDOW + 1)
    return frozenset(min(hashes[at : at + WINDOW]) for at in range(windows) if hashes)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Cut a text into tokens, as far as Python can read it."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in LAYOUT:
                yield token.string, token.type
    except BROKEN:
        return


def _bound(tree: ast.Module) -> set[str]:
    """Name what a program gives names to: variables, parameters, functions, imports, attributes."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
    return found


def _without_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            said = [each for each in body if not _is_said(each)]
            node.body = said or [ast.Pass()]


def _is_said(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
