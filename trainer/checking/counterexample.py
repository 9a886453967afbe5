"""The case that shows why an answer is wrong: found among the grader's runs, and cut down."""

import time
from collections.abc import Callable

from trainer.checking.case import Case
from trainer.checking.reference import Both, beside, expected
from trainer.checking.runs import Run
from trainer.checking.smallest import smallest
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import Exercise
from trainer.running.answer import AnswerError
from trainer.running.loading import load
from trainer.running.scenario import Scenario


def failing(verdict: Verdict) -> Check | None:
    """Give the check that decided, if the verdict is `wrong` and rows came out."""
    if verdict.kind is not Kind.WRONG:
        return None
    return next((check for check in verdict.checks if not check.passed and check.runs), None)


def case(exercise: Exercise, check: Check, answer: Callable, seconds: float = 5) -> Case | None:
    """Find a small scenario on which an answer gives something else than the reference does."""
    cases = (_case(exercise, made) for made in check.runs)
    found = next((each for each in cases if each.differences), None)
    if found is None:
        return None
    both = beside(answer, load(exercise.solution, exercise.function))
    return smallest(found, _showing(found.kind, both), time.monotonic() + seconds)


def _case(exercise: Exercise, made: Run) -> Case:
    return Case(made.scenario, made.outcome, expected(exercise, made))


def _showing(kind: str, both: Both) -> Callable[[Scenario], Case | None]:
    """Make a scenario a case, if it shows a difference of this kind."""

    def shown(scenario: Scenario) -> Case | None:
        try:
            found = Case(scenario, *both(scenario))
        except AnswerError:
            return None
        return found if found.differences and found.kind == kind else None

    return shown
