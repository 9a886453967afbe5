"""How long a batch will take yet, told from the work itself and not from how many are done."""

import math
import time
from collections.abc import Callable, Collection, Mapping
from itertools import chain
from statistics import mean
from threading import Lock

MINUTE, HOUR = 60, 3600


class Pace:
    """What is to be run for whom, and how many seconds each exercise has taken so far.

    Who handed in nothing is graded in no time, and says nothing about those who did.
    """

    def __init__(
        self,
        work: Mapping[str, Collection[str]],
        jobs: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with the exercises that are to be run, by student."""
        self.work, self.jobs, self.clock = dict(work), jobs, clock
        self.began: dict[str, float] = {}
        self.took: dict[str, list[float]] = {}
        # Students are started by one thread each, and the bar is drawn by another.
        self.lock = Lock()

    def started(self, student: str) -> None:
        """Note that a student is being graded."""
        with self.lock:
            self.began[student] = self.clock()

    def judged(self, student: str, times: Mapping[str, float]) -> None:
        """Note what a student's exercises took; none is left to be run."""
        with self.lock:
            self.work.pop(student, None)
            for stem, seconds in times.items():
                if seconds:
                    self.took.setdefault(stem, []).append(seconds)

    def ended(self, student: str) -> None:
        """Note that a student was graded."""
        with self.lock:
            self.began.pop(student, None)

    @property
    def now(self) -> list[str]:
        """Who is being graded, those with work to do first."""
        with self.lock:
            return sorted(self.began, key=lambda student: not self.work.get(student))

    @property
    def left(self) -> float | None:
        """How many seconds are left; None while nothing has been measured."""
        with self.lock:
            each = [seconds for s, stems in self.work.items() if stems and (seconds := self._of(s))]
            if any(self.work.values()) and not self.took:
                return None
        # Side by side, but nobody's exercises are: those of one student come one after the other.
        return max(sum(each) / min(self.jobs, len(each)), *each) if each else 0

    def _of(self, student: str) -> float:
        """Give the seconds that a student will take yet."""
        known = {stem: mean(seconds) for stem, seconds in self.took.items()}
        usual = mean(chain(*self.took.values())) if known else 0
        all_told = sum(known.get(stem, usual) for stem in self.work[student])
        gone = self.clock() - self.began[student] if student in self.began else 0
        return max(all_told - gone, 0)


def in_words(left: float | None) -> str:
    """Tell how much time is left, as exactly as one can know it."""
    if left is None:
        return "time left not known yet"
    if left < MINUTE:
        return "less than a minute left"
    if left < 2 * HOUR:
        return f"about {math.ceil(left / MINUTE)} min left"
    return f"about {left / HOUR:.1f} h left"
