"""Why an answer is wrong: the idea behind it, and the smallest case that shows it."""

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from trainer.answer import AnswerError
from trainer.difference import Difference, compare, same_rows
from trainer.exercise import Exercise
from trainer.loading import load
from trainer.misconceptions import misconceptions
from trainer.recording import Outcome, Run
from trainer.result import Scenario
from trainer.scenario import run
from trainer.smallest import smallest
from trainer.verdict import Check, Kind, Verdict

Runner = Callable[..., Outcome]


@dataclass(frozen=True)
class Case:
    """A scenario that shows the fault, what came of it, and what was expected."""

    scenario: Scenario
    came: Outcome
    expected: Outcome

    @property
    def differences(self) -> list[Difference]:
        """What differs, output by output."""
        return compare(self.came, self.expected)


def failing(verdict: Verdict) -> Check | None:
    """Give the check that decided, if the verdict is `wrong` and rows came out."""
    if verdict.kind is not Kind.WRONG:
        return None
    return next((check for check in verdict.checks if not check.passed and check.runs), None)


def misconception(exercise: Exercise, verdict: Verdict, seconds: float = 3) -> str | None:
    """Name the misconception that gives what this answer gave: what to tell who had it."""
    failed = {check.name: check for check in verdict.checks if not check.passed}
    until = time.monotonic() + seconds
    for wrong in _candidates(exercise, failed):
        if time.monotonic() > until:
            return None
        runs = failed[next(name for name in wrong.caught_by if name in failed)].runs
        if all(_gives_the_same(wrong, made) for made in runs[-1:]):
            return inspect.getdoc(wrong)
    return None


def _candidates(exercise: Exercise, failed: Iterable[str]) -> list[Callable]:
    """Those whose own checks all failed, the one that explains most of them first."""
    possible = [m for m in misconceptions(exercise) if set(m.caught_by) <= set(failed)]
    return sorted(possible, key=lambda wrong: -len(wrong.caught_by))


def _gives_the_same(wrong: Callable, made: Run) -> bool:
    try:
        return same_rows(made.scenario.run(partial(run, wrong)), made.outcome)
    except AnswerError:
        return False


def case(exercise: Exercise, check: Check, answer: Runner, seconds: float = 5) -> Case | None:
    """Find a small scenario on which an answer gives something else than the reference does."""
    reference = partial(run, load(exercise.solution, exercise.function))
    until = time.monotonic() + seconds
    for found in _first_that_differs(check.runs, reference):
        shows = partial(_differs, answer, reference, bool(found.differences[0].states))
        small = smallest(found.scenario, shows, found.came, found.expected, until)
        return Case(small, small.run(answer), small.run(reference))
    return None


def _first_that_differs(runs: Iterable[Run], reference: Runner) -> Iterator[Case]:
    for made in runs:
        found = Case(made.scenario, made.outcome, made.scenario.run(reference))
        if found.differences:
            yield found


def _differs(answer: Runner, reference: Runner, in_state: bool, scenario: Scenario) -> bool:
    """Tell whether a scenario shows a difference of the same kind, in rows or in state."""
    try:
        differences = compare(scenario.run(answer), scenario.run(reference))
    except AnswerError:
        return False
    return bool(differences) and bool(differences[0].states) == in_state
