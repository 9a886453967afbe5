"""Cuts a case down while it still shows that an answer is wrong."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from trainer.checking.case import Case
from trainer.checking.cuts import (
    about_one_key,
    about_the_same_keys,
    around_its_time,
    of_its_ride,
    size,
    until_it_shows,
    with_small_numbers,
    without,
    without_idle_batches,
)
from trainer.rows import Row
from trainer.running.scenario import Scenario

# What is cut down has a `scenario`, and is marked as the `smallest` in the end.
Found = TypeVar("Found")
Shown = Callable[[Scenario], Found | None]
Staying = Callable[[Found], Callable[[Row], bool]]


@dataclass
class Work:
    """How much may go into a search: so many runs, and so many seconds on a machine that is busy.

    It is the runs that decide what is found, or one machine would find another case than the next.
    """

    runs: int = 32
    seconds: float = 45

    def __post_init__(self) -> None:
        """Start the clock."""
        self.until = time.monotonic() + self.seconds

    @property
    def left(self) -> bool:
        """Whether there is any left."""
        return self.runs > 0 and time.monotonic() < self.until


def smallest(case: Case, shown: Shown[Case], work: Work, numbers: Mapping[str, int]) -> Case:
    """Cut a case down as far as the work allows; `shown` runs what may show the same.

    `numbers` are those that an answer may be given, and what it takes if it is given none.
    """
    small_numbers = partial(with_small_numbers, numbers=numbers)
    # These go furthest.
    for cut in (
        small_numbers,
        until_it_shows,
        about_the_same_keys,
        about_one_key,
        around_its_time,
        without_idle_batches,
    ):
        smaller = (part for part in cut(case) if part != case.scenario)
        case = first(smaller, shown, work) or case
    return row_by_row(case, shown, work, of_its_ride)


def first(scenarios: Iterable[Scenario], shown: Shown[Found], work: Work) -> Found | None:
    """Give the first of these that shows the same, as far as the work allows."""
    for scenario in scenarios:
        if not work.left:
            return None
        work.runs -= 1
        if found := shown(scenario):
            return found
    return None


def row_by_row(
    case: Found, shown: Shown[Found], work: Work, staying: Staying = lambda case: lambda row: False
) -> Found:
    """Leave out neighbouring rows, fewer each time, until none can be left out but what is staying.

    Micro-batches that are empty then go as well, if they may.
    """
    step, start, gone = max(1, size(case.scenario) // 2), 0, False
    while work.left:
        if start >= size(case.scenario):
            if step == 1 and not gone:
                fewer = (part for part in without_idle_batches(case) if part != case.scenario)
                return replace(first(fewer, shown, work) or case, smallest=True)
            step, start, gone = max(1, step // 2), 0, False
            continue
        smaller = without(case.scenario, start, step, staying(case))
        if smaller != case.scenario and (part := first([smaller], shown, work)):
            case, gone = part, True
        else:
            start += step
    return case
