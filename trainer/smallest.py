"""Cuts a scenario down while it still shows that an answer is wrong."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest

from trainer.cells import is_stream
from trainer.difference import compare
from trainer.recording import Outcome
from trainer.result import Row, Scenario

KEYS = ("ride_id", "driver_id", "value", "cell", "start_cell")
Shows = Callable[[Scenario], bool]


def smallest(
    scenario: Scenario, shows: Shows, came: Outcome, expected: Outcome, until: float
) -> Scenario:
    """Cut a scenario down as far as time allows; `shows` tells which still show the fault."""
    # These two go furthest, so they are tried whatever the clock says.
    about_the_same_keys = partial(_about_the_same_keys, came=came, expected=expected)
    for cut in (about_the_same_keys, _without_idle_batches):
        smaller = (part for part in cut(scenario) if part.inputs != scenario.inputs)
        scenario = next((part for part in smaller if shows(part)), scenario)
    step = max(1, _size(scenario) // 2)
    while time.monotonic() < until:
        part = next((p for p in _without(scenario, step, until) if shows(p)), None)
        if part is not None:
            scenario = part
        elif step == 1:
            break
        else:
            step //= 2
    return scenario


def _about_the_same_keys(
    scenario: Scenario, came: Outcome, expected: Outcome
) -> Iterator[Scenario]:
    """Keep only the events of the rides, then of the drivers, … that came out wrong."""
    pairs = [pair for difference in compare(came, expected) for pair in difference.pairs[:1]]
    wrong = [row for pair in pairs for row in (pair.expected, pair.came) if row]
    for key in KEYS:
        values = [row[key] for row in wrong if key in row]
        if values:
            yield _filtered(scenario, lambda row, k=key, v=values: k not in row or row[k] in v)


def _without(scenario: Scenario, step: int, until: float) -> Iterator[Scenario]:
    """Leave out so many neighbouring rows, here and there."""
    for start in range(0, _size(scenario), step):
        if time.monotonic() > until:
            return
        places = iter(range(_size(scenario)))
        gone = range(start, start + step)
        yield _filtered(scenario, lambda row, p=places, g=gone: next(p) not in g)


def _without_idle_batches(scenario: Scenario) -> Iterator[Scenario]:
    """Leave out the micro-batches in which no stream brings a row; a restart needs them all."""
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


def _size(scenario: Scenario) -> int:
    return sum(len(batch) for _, rows, stream in _inputs(scenario) if stream for batch in rows)
