"""Why an answer is wrong: the idea behind it, and the smallest case that shows it."""

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from trainer import scenario
from trainer.answer import AnswerError
from trainer.difference import Difference, compare, same_rows
from trainer.exercise import Exercise
from trainer.loading import load
from trainer.misconceptions import misconceptions
from trainer.recording import Outcome, Run, Script
from trainer.smallest import smallest
from trainer.verdict import Check, Kind, Verdict

Runner = Callable[..., Outcome]


@dataclass(frozen=True)
class Case:
    """A script that shows the fault, what came of it, and what was expected."""

    script: Script
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
        if all(_gives_the_same(wrong, run) for run in runs[-1:]):
            return inspect.getdoc(wrong)
    return None


def _candidates(exercise: Exercise, failed: Iterable[str]) -> list[Callable]:
    """Those whose own checks all failed, the one that explains most of them first."""
    possible = [m for m in misconceptions(exercise) if set(m.caught_by) <= set(failed)]
    return sorted(possible, key=lambda wrong: -len(wrong.caught_by))


def _gives_the_same(wrong: Callable, run: Run) -> bool:
    try:
        return same_rows(run.script.run(partial(scenario.run, wrong)), run.outcome)
    except AnswerError:
        return False


def case(exercise: Exercise, check: Check, answer: Runner, seconds: float = 5) -> Case | None:
    """Find a small script on which an answer gives something else than the reference does."""
    reference = partial(scenario.run, load(exercise.solution, exercise.function))
    until = time.monotonic() + seconds
    for found in _first_that_differs(check.runs, reference):
        shows = partial(_differs, answer, reference, bool(found.differences[0].states))
        script = smallest(found.script, shows, found.came, found.expected, until)
        return Case(script, script.run(answer), script.run(reference))
    return None


def _first_that_differs(runs: Iterable[Run], reference: Runner) -> Iterator[Case]:
    for run in runs:
        found = Case(run.script, run.outcome, run.script.run(reference))
        if found.differences:
            yield found


def _differs(answer: Runner, reference: Runner, in_state: bool, script: Script) -> bool:
    """Tell whether a script shows a difference of the same kind, in rows or in state."""
    try:
        differences = compare(script.run(answer), script.run(reference))
    except AnswerError:
        return False
    return bool(differences) and bool(differences[0].states) == in_state
