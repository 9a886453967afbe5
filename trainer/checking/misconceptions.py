"""Misconceptions: wrong answers that learners give, each with what to tell whoever gave it."""

from collections.abc import Callable

from trainer.course.exercise import Exercise
from trainer.running.loading import load_module


def caught_by(*tests: str) -> Callable[[Callable], Callable]:
    """Mark a function as a misconception, and name the tests that must fail it."""

    def mark(function: Callable) -> Callable:
        function.caught_by = tests
        return function

    return mark


def misconceptions(exercise: Exercise) -> list[Callable]:
    """Load the misconceptions of an exercise, in the order of their file."""
    module = load_module(exercise.misconceptions)
    return [thing for thing in vars(module).values() if hasattr(thing, "caught_by")]
