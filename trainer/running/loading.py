"""Loads an answer from a file, as the file is now."""

import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib.util import decode_source
from pathlib import Path
from types import CodeType, ModuleType

from pyspark import cloudpickle

from trainer.course.exercise import find
from trainer.running.answer import ContractError, Crashed
from trainer.running.lines import TEXT, line_in, quoted
from trainer.running.snapshot import original

# Where the last answer found what it imports from beside it.
_folders: set[Path] = set()
# How far above a module the folder may be that it was imported from.
DEEPEST = 5
OURS = ("trainer", "datagen")


def load_module(path: Path, beside: Path | None = None) -> ModuleType:
    """Run a file as a fresh module; what goes wrong is told in one line.

    It may import what lies `beside` it, by default in its own folder.
    """
    source = _read(path)
    # From here on it goes by its own name, also where the text was read from a copy.
    path = original(path)
    module = _registered(path)
    text = _text(source)
    setattr(module, TEXT, text)
    lines = text.split("\n")
    code = _compiled(source, path, lines)
    beside = beside or path.parent
    _find_beside(beside)
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        where = quoted(lines, line_in(error.__traceback__, str(path)))
        # Spark's own errors have a text, and nothing that a program would write down of it.
        said = repr(error) if error.args else f"{type(error).__name__}: {error}".splitlines()[0]
        raise Crashed(f"{path.name} cannot be loaded: {said}{where}") from error
    _know_beside(beside)
    return module


def _find_beside(folder: Path) -> None:
    """Let an answer import what lies beside it, as it is now; it takes nothing else's place."""
    for last in {*_folders, folder}:
        for name, _ in _imported_from(last):
            sys.modules.pop(name)
    for last in _folders:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(last))
    _folders.clear()
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
        _folders.add(folder)
    importlib.invalidate_caches()


def _know_beside(folder: Path) -> None:
    """Have what was imported from there pickled by value, too: workers can't import it."""
    for _, module in _imported_from(folder):
        cloudpickle.register_pickle_by_value(module)


def _imported_from(folder: Path) -> list[tuple[str, ModuleType]]:
    return [
        (name, module)
        for name, module in list(sys.modules.items())
        if name.split(".")[0] not in OURS
        and (file := getattr(module, "__file__", None))
        and _is_below(Path(file), folder)
        and not hasattr(module, TEXT)
    ]


def _is_below(file: Path, folder: Path) -> bool:
    return folder in file.parents[:DEEPEST] and "site-packages" not in file.parts


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ContractError(f"There is no file {path}.") from None


def _registered(path: Path) -> ModuleType:
    """Make an empty module for a file, as dataclasses and Spark's workers need it."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    # Known by name, so that dataclasses work in it; pickled by value, so that workers, which
    # cannot import it, run what the file says now.
    sys.modules[path.stem] = module
    cloudpickle.register_pickle_by_value(module)
    return module


def _text(source: bytes) -> str:
    """Decode a file as Python does, to quote from it; nothing where that can't be done."""
    try:
        return decode_source(source)
    except (SyntaxError, UnicodeDecodeError):
        return ""


def _compiled(source: bytes, path: Path, lines: Sequence[str]) -> CodeType:
    try:
        return compile(source, str(path), "exec")
    except (SyntaxError, UnicodeDecodeError) as error:
        where = quoted(lines, getattr(error, "lineno", None))
        what = ": ".join(filter(None, (type(error).__name__, getattr(error, "msg", None))))
        raise Crashed(f"{path.name} is not Python: {what}{where}") from error
    except Exception as error:  # null bytes, and nesting too deep for Python's own parser
        raise Crashed(f"{path.name} cannot be loaded: {error!r}") from error


def anew(function: Callable) -> Callable:
    """Load a function again from the text that it came from, as a new process would: what it, or
    its module, has kept in variables is gone. One of a notebook's cell stays as it is."""
    text = function.__globals__.get(TEXT)
    if text is None:
        return function
    module = _unregistered(function.__module__, function.__code__.co_filename, text)
    return getattr(module, function.__name__, function)


def as_issued(name: str) -> Callable:
    """Give an exercise's function as its stub held it when it was issued, whatever it is now."""
    exercise = find(name)
    text = exercise.issued.read_text(encoding="utf-8")
    module = _unregistered(f"{exercise.stem}_as_issued", str(exercise.issued), text)
    return getattr(module, exercise.function)


def _unregistered(name: str, file: str, text: str) -> ModuleType:
    """Run a text as a module that nobody can import: what it defines is pickled by value."""
    module = ModuleType(name)
    vars(module).update({"__file__": file, TEXT: text})
    exec(compile(text, file, "exec"), module.__dict__)
    return module


def load(path: Path, function: str, beside: Path | None = None) -> Callable:
    """Load one function from a file; it may import what lies `beside` it."""
    found = getattr(load_module(path, beside), function, None)
    if found is None:
        raise ContractError(f"{path.name} has no function {function}; that is the one checked.")
    if not inspect.isfunction(found):
        came = type(found).__name__
        raise ContractError(f"{function} in {path.name} is a {came}; expected a function.")
    return found
