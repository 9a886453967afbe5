"""Recognises an answer by what it gives: the misconception that gives the same."""

import inspect
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from trainer.answer import AnswerError
from trainer.exercise import Exercise
from trainer.fingerprint import Fingerprint, of_outcome, of_scenario
from trainer.misconceptions import misconceptions
from trainer.outcomes import known
from trainer.recording import Run
from trainer.result import Scenario
from trainer.scenario import run
from trainer.verdict import Check, Verdict

Likeness = tuple[int, ...]
MOST_TOLD = 3


def misconception(exercise: Exercise, verdict: Verdict, seconds: float = 3) -> str | None:
    """Name the misconception that gives what this answer gave: what to tell who had it.

    Of some that give just the same, all are named.
    """
    library = Library(exercise, seconds)
    found = [(library.likeness(wrong, verdict), wrong) for wrong in misconceptions(exercise)]
    most = max(likeness for likeness, _ in found)
    told = [told_by(wrong) for likeness, wrong in found if likeness == most]
    return "\nOr: ".join(told[:MOST_TOLD]) if most else None


def told_by(wrong: Callable) -> str:
    """Give what a misconception tells, in one paragraph."""
    return " ".join(inspect.getdoc(wrong).split())


class Library:
    """What the misconceptions of an exercise give: as it is known, or as it comes in the time."""

    def __init__(self, exercise: Exercise, seconds: float) -> None:
        """Look into what is known; take no more than so many seconds to find out the rest."""
        self.known = known(exercise)
        self.until = time.monotonic() + seconds

    def likeness(self, wrong: Callable, verdict: Verdict) -> Likeness:
        """Tell how much an answer is like a misconception; () if not at all.

        What belongs to the misconception must have failed, and so must what is shown, the first
        check that failed: both by the same rows. Of several, the one wins that is like it in more
        runs, then in more runs' order, state and watermarks.
        """
        failed = {check.name: check for check in verdict.checks if not check.passed}
        if not set(wrong.caught_by) <= set(failed):
            return ()
        names = dict.fromkeys((*wrong.caught_by, next(iter(failed))))
        own = [made for name in names for made in failed[name].runs]
        # What is known is enough; a stream from a secret seed would have to be run.
        there = self.known.get(wrong.__name__, {})
        own = [made for made in own if of_scenario(made.scenario) in there] or own
        if not own or not all(self._same_rows(wrong, made) for made in own):
            return ()
        return self._agreement(wrong, verdict.checks)

    def _same_rows(self, wrong: Callable, made: Run) -> bool:
        given = self._given(wrong, made.scenario)
        return given is not None and given.rows == of_outcome(made.outcome).rows

    def _agreement(self, wrong: Callable, checks: tuple[Check, ...]) -> Likeness:
        """Count the runs that have the same rows, the same order, state, and watermarks."""
        there = self.known.get(wrong.__name__, {})
        runs = {of_scenario(made.scenario): made for check in checks for made in check.runs}
        pairs = [(there[key], of_outcome(runs[key].outcome)) for key in runs if key in there]
        return tuple(sum(one[at] == other[at] for one, other in pairs) for at in range(4))

    def _given(self, wrong: Callable, scenario: Scenario) -> Fingerprint | None:
        there, key = self.known.setdefault(wrong.__name__, {}), of_scenario(scenario)
        if key not in there and time.monotonic() < self.until:
            with suppress(AnswerError):
                there[key] = of_outcome(scenario.run(partial(run, wrong)))
        return there.get(key)
