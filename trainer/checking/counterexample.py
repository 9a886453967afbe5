"""The case that shows why an answer is wrong: found among the grader's runs, and cut down."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from trainer.checking.case import Case
from trainer.checking.fault import faults
from trainer.checking.reference import Both, beside, expected
from trainer.checking.runs import Run
from trainer.checking.smallest import smallest
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.checking.witness import witness
from trainer.course.exercise import Exercise
from trainer.running.answer import AnswerError
from trainer.running.loading import load
from trainer.running.scenario import Scenario

# Of more that failed, none is looked at: each may need another run of the reference.
MOST_RULES = 4


def failing(verdict: Verdict) -> Check | None:
    """Give the check that decided, if the verdict is `wrong` and rows came out."""
    return next(iter(failed(verdict)), None)


def failed(verdict: Verdict) -> list[Check]:
    """Give the checks that failed, if the verdict is `wrong`, as far as rows came out."""
    if verdict.kind is not Kind.WRONG:
        return []
    return [check for check in verdict.checks if not check.passed and check.runs]


def case(
    exercise: Exercise, checks: Sequence[Check], answer: Callable, seconds: float = 5
) -> Case | None:
    """Find a small scenario that breaks one of these rules, the first of them if it can be."""
    found = breaking(exercise, checks[:MOST_RULES])
    if found is None:
        return None
    both = beside(answer, load(exercise.solution, exercise.function))
    return smallest(found, _showing(found, both), time.monotonic() + seconds)


def breaking(exercise: Exercise, checks: Iterable[Check]) -> Case | None:
    """Find a run that breaks a rule, and by what; failing that, one that differs at all."""
    differing = None
    for check in checks:
        cases = {made.name: _case(exercise, made) for made in check.runs}
        for name, each in cases.items():
            if each.differences:
                if about := witness(exercise, check, cases, name):
                    return replace(each, rule=check.fact, about=about)
                differing = differing or each
    return differing


def _case(exercise: Exercise, made: Run) -> Case:
    return Case(made.scenario, made.outcome, expected(exercise, made))


def _showing(case: Case, both: Both) -> Callable[[Scenario], Case | None]:
    """Make a scenario a case, if it shows the same as a larger one."""

    def shown(scenario: Scenario) -> Case | None:
        try:
            came, expected = both(scenario)
        except AnswerError:
            return None
        found = replace(case, scenario=scenario, came=came, expected=expected)
        if not found.differences or found.kind != case.kind:
            return None
        if case.about is None:
            return found
        alike = (fault for fault in faults(found.differences) if fault.is_like(case.about))
        about = next(alike, None)
        return replace(found, about=about) if about else None

    return shown
