"""Recognises an answer by what it gives: the misconception that gives the same."""

import inspect
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from trainer.checking.fingerprint import Fingerprint, of_outcome
from trainer.checking.misconceptions import fits, misconceptions, shows
from trainer.checking.outcomes import SEED, known
from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Verdict
from trainer.course.exercise import Exercise
from trainer.running.answer import AnswerError
from trainer.running.drive import run

Likeness = tuple[int, ...]


def misconception(exercise: Exercise, verdict: Verdict, seconds: float = 3) -> str | None:
    """Name the misconception that gives what this answer gave: what to tell who had it.

    Only what is true of the answer's code is told, and of some that give just the same, none.
    Where none gives the same, the code itself may show what is wrong.
    """
    library = Library(exercise, seconds)
    possible = [wrong for wrong in misconceptions(exercise) if fits(wrong, verdict.code)]
    found = [(library.likeness(wrong, verdict), wrong) for wrong in possible]
    most = max((likeness for likeness, _ in found), default=())
    best = [wrong for likeness, wrong in found if likeness == most]
    if most:
        return told_by(best[0]) if len(best) == 1 else None
    failed = [check.name for check in verdict.checks if not check.passed]
    told = [wrong for wrong in possible if set(wrong.caught_by) <= set(failed)]
    # Of several that the code shows each is true: first what explains the rule that is told.
    told.sort(key=lambda wrong: failed[0] not in wrong.caught_by)
    shown = next((wrong for wrong in told if shows(wrong, verdict.code)), None)
    return told_by(shown) if shown else None


def told_by(wrong: Callable) -> str:
    """Give what a misconception tells, in one paragraph."""
    return " ".join(inspect.getdoc(wrong).split())


class Library:
    """What the misconceptions of an exercise give: as it is known, or as it comes in the time."""

    def __init__(self, exercise: Exercise, seconds: float) -> None:
        """Look into what is known; take no more than so many seconds to find out the rest."""
        self.known = known(exercise)
        self.found: dict[tuple[Callable, str], Fingerprint] = {}
        self.until = time.monotonic() + seconds

    def likeness(self, wrong: Callable, verdict: Verdict) -> Likeness:
        """Tell how much an answer is like a misconception; () if not at all.

        What belongs to the misconception must have failed, and so must what is shown, the first
        check that failed: both by the same rows, or, where all rows are right, by the same state.
        Of several, the one wins that is like it in more runs, then in more runs' order, state and
        watermarks.
        """
        failed = {check.name: check for check in verdict.checks if not check.passed}
        if not set(wrong.caught_by) <= set(failed):
            return ()
        names = dict.fromkeys((*wrong.caught_by, next(iter(failed))))
        own = [made for name in names for made in failed[name].runs]
        # What is known is enough; a stream from a secret seed would have to be run.
        own = [made for made in own if self._is_known(wrong, made)] or own
        if not own or not all(self._same(wrong, made, "rows") for made in own):
            return ()
        # Rows that are all right say nothing of what is wrong.
        by_state = all(self._is_right(made) for made in own)
        if by_state and not all(self._same(wrong, made, "state") for made in own):
            return ()
        return self._agreement(wrong, verdict.checks)

    def _is_known(self, wrong: Callable, made: Run) -> bool:
        return made.seed in (None, SEED) and made.name in self.known.given.get(wrong.__name__, {})

    def _same(self, wrong: Callable, made: Run, what: str) -> bool:
        given = self._given(wrong, made)
        return given is not None and getattr(given, what) == getattr(of_outcome(made.outcome), what)

    def _is_right(self, made: Run) -> bool:
        return of_outcome(made.outcome).rows == self.known.right.get(made.name)

    def _agreement(self, wrong: Callable, checks: tuple[Check, ...]) -> Likeness:
        """Count the runs that have the same rows, the same order, state, and watermarks."""
        runs = {made.name: made for check in checks for made in check.runs}
        pairs = [
            (self._given(wrong, made), of_outcome(made.outcome))
            for made in runs.values()
            if self._is_known(wrong, made) or (wrong, made.name) in self.found
        ]
        return tuple(sum(one[at] == other[at] for one, other in pairs) for at in range(4))

    def _given(self, wrong: Callable, made: Run) -> Fingerprint | None:
        """Give what a misconception gives in a run, if that is known or there is time for it."""
        if self._is_known(wrong, made):
            return self.known.given[wrong.__name__][made.name]
        key = wrong, made.name
        if key not in self.found and time.monotonic() < self.until:
            with suppress(AnswerError):
                self.found[key] = of_outcome(made.scenario.run(partial(run, wrong)))
        return self.found.get(key)
