"""Why an answer is wrong: the idea behind it, and the smallest case that shows it."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from trainer.answer import AnswerError
from trainer.difference import Difference, compare
from trainer.exercise import Exercise
from trainer.loading import load
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
