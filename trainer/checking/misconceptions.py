"""Misconceptions: wrong answers that learners give, each with what to tell whoever gave it."""

import re
from collections.abc import Callable

from trainer.course.exercise import Exercise
from trainer.running.loading import load_module

Patterns = str | tuple[str, ...]


def caught_by(*tests: str, written: Patterns = (), not_written: Patterns = ()) -> Callable:
    """Mark a function as a misconception, and name the tests that must fail it.

    Where what it tells is true of some code only, though other code gives the same: `written` are
    regular expressions for what must stand in that code, `not_written` for what must not.
    """

    def mark(function: Callable) -> Callable:
        function.caught_by = tests
        function.written, function.not_written = _all(written), _all(not_written)
        return function

    return mark


def _all(patterns: Patterns) -> tuple[str, ...]:
    return (patterns,) if isinstance(patterns, str) else patterns


def fits(wrong: Callable, code: str) -> bool:
    """Tell whether what a misconception tells may be true of this code."""

    def stands(pattern: str) -> bool:
        return re.search(pattern, code, re.IGNORECASE) is not None

    return all(map(stands, wrong.written)) and not any(map(stands, wrong.not_written))


def misconceptions(exercise: Exercise) -> list[Callable]:
    """Load the misconceptions of an exercise, in the order of their file."""
    module = load_module(exercise.misconceptions)
    return [thing for thing in vars(module).values() if hasattr(thing, "caught_by")]
