"""Cuts a case down while it still shows that an answer is wrong."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from trainer.case import Case
from trainer.cells import is_stream
from trainer.result import Row, Scenario

KEYS = ("ride_id", "driver_id", "value", "cell", "start_cell")
Shown = Callable[[Scenario], Case | None]


def smallest(case: Case, shown: Shown, until: float) -> Case:
    """Cut a case down as far as time allows; `shown` runs a scenario that may show the same."""
    # These two go furthest, so they are tried whatever the clock says.
    for cut in (_about_the_same_keys, _without_idle_batches):
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


def _about_the_same_keys(case: Case) -> Iterator[Scenario]:
    """Keep only the events of the rides, then of the drivers, … that came out wrong."""
    wrong = [row for difference in case.differences for row in difference.first]
    for key in KEYS:
        values = [row[key] for row in wrong if key in row]
        if values:
            yield _filtered(case.scenario, lambda row, k=key, v=values: k not in row or row[k] in v)


def _without(scenario: Scenario, step: int, until: float) -> Iterator[Scenario]:
    """Leave out so many neighbouring rows, here and there."""
    for start in range(0, size(scenario), step):
        if time.monotonic() > until:
            return
        places = iter(range(size(scenario)))
        gone = range(start, start + step)
        yield _filtered(scenario, lambda row, p=places, g=gone: next(p) not in g)


def _without_idle_batches(case: Case) -> Iterator[Scenario]:
    """Leave out the micro-batches in which no stream brings a row; a restart needs them all."""
    scenario = case.scenario
    if "restart_after" in scenario.options:
        return
    streams = [rows for _, rows, stream in _inputs(scenario) if stream]
    busy = [number for number, rows in enumerate(zip_longest(*streams)) if any(rows)]
    yield replace(
        scenario,
        inputs={
            name: [rows[n] if n < len(rows) else [] for n in busy] if stream else rows
            for name, rows, stream in _inputs(scenario)
        },
    )


def _filtered(scenario: Scenario, keep: Callable[[Row], bool]) -> Scenario:
    """Keep some rows of the streams, each in its micro-batch; tables stay whole."""
    return replace(
        scenario,
        inputs={
            name: [[row for row in batch if keep(row)] for batch in rows] if stream else rows
            for name, rows, stream in _inputs(scenario)
        },
    )


def _inputs(scenario: Scenario) -> Iterator[tuple[str, list, bool]]:
    for name, rows in scenario.inputs.items():
        yield name, rows, is_stream(rows)


def size(scenario: Scenario) -> int:
    """Count the rows of the streams."""
    return sum(len(batch) for _, rows, stream in _inputs(scenario) if stream for batch in rows)
