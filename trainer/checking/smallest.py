"""Cuts a case down while it still shows that an answer is wrong."""

import time
from collections.abc import Callable, Iterable, Iterator

from trainer.checking.case import Case
from trainer.checking.cuts import (
    about_the_same_keys,
    around_its_time,
    filtered,
    size,
    until_it_shows,
    without_idle_batches,
)
from trainer.running.scenario import Scenario

CUTS = (until_it_shows, about_the_same_keys, around_its_time, without_idle_batches)
Shown = Callable[[Scenario], Case | None]


def smallest(case: Case, shown: Shown, until: float) -> Case:
    """Cut a case down as far as time allows; `shown` runs a scenario that may show the same."""
    # These go furthest, so the first is tried whatever the clock says.
    for cut in CUTS:
        if cut is CUTS[0] or time.monotonic() < until:
            smaller = (part for part in cut(case) if part.inputs != case.scenario.inputs)
            case = _first(smaller, shown) or case
    step = max(1, size(case.scenario) // 2)
    while time.monotonic() < until:
        part = _first(_without(case.scenario, step, until), shown)
        if part is None and step == 1:
            break
        step = step if part else step // 2
        case = part or case
    return case


def _first(scenarios: Iterable[Scenario], shown: Shown) -> Case | None:
    return next(filter(None, map(shown, scenarios)), None)


def _without(scenario: Scenario, step: int, until: float) -> Iterator[Scenario]:
    """Leave out so many neighbouring rows, here and there."""
    for start in range(0, size(scenario), step):
        if time.monotonic() > until:
            return
        places = iter(range(size(scenario)))
        gone = range(start, start + step)
        yield filtered(scenario, lambda row, p=places, g=gone: next(p) not in g)
