"""What is wrong with a processor can often be seen before it has met a single row."""

import ast
import inspect
from collections.abc import Callable

from pyspark.sql.streaming import StatefulProcessor

from trainer.running.answer import ContractError
from trainer.running.lines import tree_of

# Spark calls the first by place, the second by name.
BY_PLACE = {"handleInputRows": ("key", "rows", "timerValues")}
BY_NAME = {"handleExpiredTimer": ("key", "timerValues", "expiredTimerInfo")}


def require_processor(processor: object) -> None:
    """Refuse what is no processor, and one with a method that Spark couldn't call."""
    if isinstance(processor, type):
        name = processor.__name__
        raise ContractError(f"transformWithState was given the class {name}; expected {name}()")
    if not isinstance(processor, StatefulProcessor):
        what = type(processor).__name__
        raise ContractError(
            f"transformWithState was given something of type {what}; expected an object of "
            "a class that is a StatefulProcessor"
        )
    for name, wanted in (BY_PLACE | BY_NAME).items():
        method = getattr(processor, name)
        _require_parameters(method, name, wanted)
        _require_an_iterator(method, name)


def _require_parameters(method: Callable, name: str, wanted: tuple[str, ...]) -> None:
    taken = inspect.signature(method)
    try:
        taken.bind(*wanted) if name in BY_PLACE else taken.bind(**dict.fromkeys(wanted))
    except TypeError:
        names = ", ".join(taken.parameters) or "nothing"
        why = "" if name in BY_PLACE else ": Spark gives them by name"
        raise _about(method, f"{name} takes {names}; expected {', '.join(wanted)}{why}") from None


def _require_an_iterator(method: Callable, name: str) -> None:
    """Refuse a method that can return nothing but None."""
    written = _written(method)
    if written is None:
        return
    gives = any(
        isinstance(node, (ast.Yield, ast.YieldFrom, ast.Raise))
        or (isinstance(node, ast.Return) and node.value is not None)
        for node in ast.walk(written)
    )
    if not gives:
        raise _about(
            method,
            f"{name} returns nothing; expected an iterator: yield rows, or return iter(()) where "
            "there are none",
        )


def _written(method: Callable) -> ast.FunctionDef | None:
    """Find a method in the text that it was loaded from; None if it is nowhere there."""
    if not hasattr(method, "__code__"):
        return None
    for node in ast.walk(tree_of(method)):
        if isinstance(node, ast.FunctionDef) and node.name == method.__name__:
            first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            if first == method.__code__.co_firstlineno:
                return node
    return None


def _about(method: Callable, text: str) -> ContractError:
    error = ContractError(text)
    error.line = getattr(getattr(method, "__code__", None), "co_firstlineno", None)
    return error
