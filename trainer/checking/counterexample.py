"""The case that shows why an answer is wrong: found among the grader's runs, and cut down."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trainer.checking.case import Case
from trainer.checking.cuts import size
from trainer.checking.fault import faults
from trainer.checking.reference import Both, beside, expected
from trainer.checking.runs import Run
from trainer.checking.smallest import Work, smallest
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.checking.witness import witness
from trainer.course.exercise import Exercise
from trainer.running.answer import AnswerError
from trainer.running.loading import load, load_module
from trainer.running.result import outputs
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
    exercise: Exercise, checks: Sequence[Check], answer: Callable, seconds: float
) -> Case | None:
    """Find a small scenario that breaks one of these rules, the first of them if it can be."""
    found = breaking(exercise, checks[:MOST_RULES])
    if found is None:
        return None
    reference = load(exercise.solution, exercise.function)
    columns = load_module(exercise.grader).COLUMNS
    names = columns if isinstance(columns, Mapping) else ()
    shown = _showing(found, beside(answer, reference, names))
    return smallest(found, shown, Work(seconds=seconds), _numbers(reference))


def breaking(exercise: Exercise, checks: Iterable[Check]) -> Case | None:
    """Find a run that breaks a rule, and by what; failing that, one that differs at all."""
    differing = None
    for check in checks:
        cases = {made.name: _case(exercise, made) for made in check.runs}
        for name, each in sorted(cases.items(), key=lambda item: size(item[1].scenario)):
            if each.differences:
                if about := witness(exercise, check, cases, name):
                    return replace(each, rule=check.fact, about=about)
                differing = differing or each
    return differing


def _case(exercise: Exercise, made: Run) -> Case:
    ordered_by = getattr(load_module(exercise.grader), "ORDERED_BY", None)
    return Case(made.scenario, made.outcome, expected(exercise, made), ordered_by)


def _numbers(function: Callable) -> dict[str, int]:
    """Give the numbers that a function may be given, and what each is if it is not."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if type(each.default) is int}


def _showing(case: Case, both: Both) -> Callable[[Scenario], Case | None]:
    """Make a scenario a case, if it shows the same as a larger one."""

    def shown(scenario: Scenario) -> Case | None:
        try:
            came, expected = both(scenario)
        except AnswerError:
            return None
        found = replace(case, scenario=scenario, came=came, expected=expected)
        if not found.differences or found.kind != case.kind or not _as_full(found, case):
            return None
        if case.about is None:
            return found
        faults_alike = (fault for fault in faults(found.differences) if fault.is_like(case.about))
        about = next(faults_alike, None)
        smaller = replace(found, about=about) if about else None
        return smaller if smaller and _never_due(smaller) == _never_due(case) else None

    return shown


def _as_full(smaller: Case, case: Case) -> bool:
    """Tell whether state that is left over in the end is so in both, and is much in both.

    What is late to go is another fault; and one thing more than need be may be no fault at all,
    where a right answer keeps a row for each of what another one keeps together.
    """
    if not case.excess:
        return not smaller.excess
    return smaller.excess > min(case.excess, 1) / 2


def _never_due(case: Case) -> bool:
    """Tell whether a row came though the watermark passed its time, and so none was to come.

    Where the watermark stays behind it the row is too much as well, but by another rule.
    """
    if case.about is None or case.about.kind != "surplus":
        return False
    came = case.about.pair.came.values()
    times = [value for value in came if isinstance(value, datetime)]
    ends = [each for each in outputs(case.expected)[case.about.output].watermarks if each]
    return bool(times and ends) and max(times) <= ends[-1]
