"""Ways to make a scenario smaller that may still show the same fault."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain, zip_longest

from trainer.checking.case import Case
from trainer.checking.fault import faults
from trainer.rows import Row
from trainer.running.event_time import time_of
from trainer.running.inputs import Kind, kind_of
from trainer.running.scenario import Scenario

HOUR = timedelta(hours=1)
KEYS = ("ride_id", "driver_id", "value", "cell", "start_cell")


def until_it_shows(case: Case) -> Iterator[Scenario]:
    """Leave out the micro-batches after the one in which something came out wrong."""
    shown = [case.about] if case.about else faults(case.differences)
    numbers = [number for fault in shown for number in fault.numbers]
    if not numbers:
        numbers = [n for d in case.differences for n in _first_that_differs(d.states)]
    if numbers and not case.scenario.counted:
        longest = max(len(rows) for _, rows, stream in _inputs(case.scenario) if stream)
        yield chosen(case.scenario, range(min(longest, *numbers)))


def _first_that_differs(states: tuple[Sequence[int], Sequence[int]] | None) -> list[int]:
    pairs = zip_longest(*states) if states else ()
    return [number for number, (ours, theirs) in enumerate(pairs, 1) if ours != theirs][:1]


def about(case: Case) -> Callable[[Row], bool]:
    """Tell the events that have the ride, the driver, … of what came out wrong first."""
    key = next((key for key in KEYS if any(key in row for row in _wrong(case))), None)
    values = [row[key] for row in _wrong(case) if key in row]
    return lambda row: key in row and row[key] in values


def about_the_same_keys(case: Case) -> Iterator[Scenario]:
    """Keep the events of the rides, or of the drivers, … that came out wrong.

    If they alone don't show it, with those that move the watermark.
    """
    for key in KEYS:
        values = [row[key] for row in _wrong(case) if key in row]
        if values:
            keep = _has(key, values)
            yield filtered(case.scenario, keep)
            yield filtered(case.scenario, _or_newest(case.scenario, keep, of_all=True))
            yield filtered(case.scenario, _or_newest(case.scenario, keep))


def about_one_key(case: Case) -> Iterator[Scenario]:
    """Keep one ride, or one driver, … and what moves the watermark, where only state is wrong."""
    if _wrong(case):
        return
    rows = [row for _, rows, stream in _inputs(case.scenario) if stream for b in rows for row in b]
    for key in KEYS:
        values = list(dict.fromkeys(row[key] for row in rows if row.get(key) is not None))
        if len(values) > 1:
            for value in dict.fromkeys((values[0], values[len(values) // 2], values[-1])):
                keep = _has(key, [value])
                yield filtered(case.scenario, _or_newest(case.scenario, keep, of_all=True))


def _has(key: str, values: list) -> Callable[[Row], bool]:
    return lambda row: key not in row or row[key] in values


def with_small_numbers(case: Case, numbers: Mapping[str, int]) -> Iterator[Scenario]:
    """Where twenty events make a crowd, let one or two do, and thin out what is equal."""
    given = case.scenario.inputs
    for name, default in numbers.items():
        for small in (1, 2):
            if small < given.get(name, default):
                thinned = {key: _thinned(rows, small) for key, rows in given.items()}
                yield replace(case.scenario, inputs=thinned | {name: small})


def _thinned(rows: object, most: int) -> object:
    """Keep no more than so many equal rows in each micro-batch of a stream."""
    if kind_of(rows) is not Kind.STREAM:
        return rows
    return [[row for at, row in enumerate(batch) if batch[:at].count(row) < most] for batch in rows]


def around_its_time(case: Case) -> Iterator[Scenario]:
    """Keep the events of the hour before what came out wrong, and what moves the watermark."""
    times = [moment for row in _wrong(case) if (moment := time_of(row))]
    if times:
        first, last = min(times) - HOUR, max(times)

        def keep(row: Row) -> bool:
            return (moment := time_of(row)) is None or first <= moment <= last

        of_ride, newest = of_its_ride(case), _or_newest(case.scenario, keep)
        yield filtered(case.scenario, lambda row: of_ride(row) or newest(row))


def _wrong(case: Case) -> list[Row]:
    if case.about and case.about.rows:
        return case.about.rows
    return [row for difference in case.differences for row in difference.first]


def _or_newest(
    scenario: Scenario, keep: Callable[[Row], bool], *, of_all: bool = False
) -> Callable[[Row], bool]:
    """Keep the newest event of each micro-batch too, or `of_all`: it moves the watermark."""
    streams = [rows for _, rows, stream in _inputs(scenario) if stream]
    batches = [[list(chain(*rows))] if of_all else rows for rows in streams]
    timed = [[row for row in batch if time_of(row)] for rows in batches for batch in rows]
    newest = {id(max(rows, key=time_of)) for rows in timed if rows}
    return lambda row: id(row) in newest or keep(row)


def without_idle_batches(case: Case) -> Iterator[Scenario]:
    """Leave out the micro-batches in which no stream brings a row, or at least those before the
    first that does; a restart needs them all, and so does another version."""
    scenario = case.scenario
    if scenario.counted:
        return
    streams = [rows for _, rows, stream in _inputs(scenario) if stream]
    busy = [n for n, rows in enumerate(zip_longest(*streams)) if any(rows)]
    yield chosen(scenario, busy)
    if busy:
        yield chosen(scenario, range(busy[0], max(map(len, streams))))


def chosen(scenario: Scenario, batches: Sequence[int]) -> Scenario:
    """Keep some micro-batches of the streams, counted from none."""
    inputs = {
        name: [rows[n] if n < len(rows) else [] for n in batches] if stream else rows
        for name, rows, stream in _inputs(scenario)
    }
    return replace(scenario, inputs=inputs)


def filtered(scenario: Scenario, keep: Callable[[Row], bool]) -> Scenario:
    """Keep some rows of the streams, each in its micro-batch; tables stay whole."""
    return replace(
        scenario,
        inputs={
            name: [[row for row in batch if keep(row)] for batch in rows] if stream else rows
            for name, rows, stream in _inputs(scenario)
        },
    )


def without(
    scenario: Scenario, start: int, count: int, stays: Callable[[Row], bool] = lambda row: False
) -> Scenario:
    """Leave out so many neighbouring rows of the streams, which are counted through."""
    places = iter(range(size(scenario)))
    gone = range(start, start + count)
    return filtered(scenario, lambda row: next(places) not in gone or stays(row))


def of_its_ride(case: Case) -> Callable[[Row], bool]:
    """Tell what else came of the ride that a fault is about: without it, the story is another."""
    rides = [row["ride_id"] for row in _wrong(case)[:1] if "ride_id" in row]
    return lambda row: row.get("ride_id") in rides


def _inputs(scenario: Scenario) -> Iterator[tuple[str, list, bool]]:
    for name, rows in scenario.inputs.items():
        yield name, rows, kind_of(rows) is Kind.STREAM


def size(scenario: Scenario) -> int:
    """Count the rows of the streams."""
    return sum(len(batch) for _, rows, stream in _inputs(scenario) if stream for batch in rows)
