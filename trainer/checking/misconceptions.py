"""Misconceptions: wrong answers that learners give, each with what to tell whoever gave it."""

import re
from collections.abc import Callable

from trainer.course.exercise import Exercise
from trainer.running.loading import load_module

Patterns = str | tuple[str, ...]
# A watermark's delay, as it stands in code. Ten minutes are what the course's streams need.
SHORTER_DELAY = r"withWatermark\('\w+', '(\d minutes?|(\d\d?|[1-5]\d\d) seconds?)'"
LONGER_DELAY = r"withWatermark\('\w+', '(\d+ (hour|day|week)s?|(1[1-9]|[2-9]\d|\d{3,}) minutes?)'"

OPENS_STATE = r"\.get(Value|List|Map)State\("
NO_STATE = rf"(?s)\A(?!.*{OPENS_STATE}).*StatefulProcessor"

KEEPS_TIMERS = r"(?s)\A(?!.*deleteTimer).*registerTimer"
# A method that goes through its rows, an iterator, more than once.
ROWS_TWICE = (
    r"(?s)\A(?!.*(list|sorted|tuple)\(rows).*for [\w, ]+ in rows\b((?!def ).)*for [\w, ]+ in rows\b"
)


def other_delay(*right: str) -> str:
    """Say how a watermark's delay stands in code that is none of the right ones."""
    return rf"withWatermark\('\w+', '(?!({'|'.join(right)})')"


def caught_by(
    *tests: str, written: Patterns = (), not_written: Patterns = (), seen: Patterns = ()
) -> Callable:
    """Mark a function as a misconception, and name the tests that must fail it.

    Where what it tells is true of some code only, though other code gives the same: `written` are
    regular expressions for what must stand in that code, `not_written` for what must not. Where
    code of another outcome has the same fault, `seen` is what shows it.
    """

    def mark(function: Callable) -> Callable:
        function.caught_by = tests
        function.written, function.not_written = _all(written), _all(not_written)
        function.seen = _all(seen)
        return function

    return mark


def _all(patterns: Patterns) -> tuple[str, ...]:
    return (patterns,) if isinstance(patterns, str) else patterns


def fits(wrong: Callable, code: str) -> bool:
    """Tell whether what a misconception tells may be true of this code."""
    unfit = any(_stands(pattern, code) for pattern in wrong.not_written)
    return not unfit and all(_stands(pattern, code) for pattern in wrong.written)


def shows(wrong: Callable, code: str) -> bool:
    """Tell whether this code alone says that it has what a misconception tells."""
    return bool(wrong.seen) and all(_stands(pattern, code) for pattern in wrong.seen)


def _stands(pattern: str, code: str) -> bool:
    return re.search(pattern, code, re.IGNORECASE) is not None


def misconceptions(exercise: Exercise) -> list[Callable]:
    """Load the misconceptions of an exercise, in the order of their file."""
    module = load_module(exercise.misconceptions)
    return [thing for thing in vars(module).values() if hasattr(thing, "caught_by")]
