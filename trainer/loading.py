"""Loads an answer from a file, as the file is now."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from pyspark import cloudpickle

from trainer.answer import ContractError, Crashed, line_in, quoted


def load_module(path: Path) -> ModuleType:
    """Run a file as a fresh module; what goes wrong is told in one line."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    # Known by name, so that dataclasses work in it; pickled by value, so that workers, which
    # cannot import it, run what the file says now.
    sys.modules[path.stem] = module
    cloudpickle.register_pickle_by_value(module)
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except FileNotFoundError:
        raise ContractError(f"There is no file {path}.") from None
    except (SyntaxError, UnicodeDecodeError) as error:
        where = quoted(str(path), getattr(error, "lineno", None))
        raise Crashed(f"{path.name} is not Python: {error.__class__.__name__}{where}") from error
    except BaseException as error:
        where = quoted(str(path), line_in(error.__traceback__, str(path)))
        raise Crashed(f"{path.name} cannot be loaded: {error!r}{where}") from error
    return module


def load(path: Path, function: str) -> Callable:
    """Load one function from a file."""
    found = getattr(load_module(path), function, None)
    if found is None:
        raise ContractError(f"{path.name} has no function {function}; that is the one checked.")
    if not inspect.isfunction(found):
        came = type(found).__name__
        raise ContractError(f"{function} in {path.name} is a {came}; expected a function.")
    return found
