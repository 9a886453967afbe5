"""A scenario along time: what arrived when, how far the watermark was, what came out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainer.cells import is_stream
from trainer.difference import Difference, compare
from trainer.recording import Outcome, outputs
from trainer.result import Row, Scenario

TIMES = ("event_time", "start_time")
RESULT_TIMES = ("window_end", "event_time", "start_time", "shift_end")


@dataclass(frozen=True)
class Event:
    """One event that came in: in which micro-batch, of which time, and whether it came too late."""

    stream: str
    label: str
    time: datetime
    batch: int
    late: bool


@dataclass(frozen=True)
class Outgoing:
    """One row that came out, or should have: `came`, `missing` or `surplus`."""

    label: str
    time: datetime | None
    batch: int
    kind: str


@dataclass(frozen=True)
class Timeline:
    """Events in, rows out, and the watermark of each micro-batch (None while there is none)."""

    events: tuple[Event, ...]
    rows: tuple[Outgoing, ...]
    watermarks: tuple[datetime | None, ...]
    window_ends: tuple[datetime, ...]

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """The first and the last time in it."""
        times = [each.time for each in (*self.events, *self.rows) if each.time]
        times += self.window_ends
        return (min(times), max(times)) if times else None


def timeline(scenario: Scenario, came: Outcome, expected: Outcome | None = None) -> Timeline:
    """Lay a run out along time; with what was expected, what differs is marked."""
    results = outputs(came)
    watermarks = next(iter(results.values())).watermarks
    events = tuple(_events(scenario, watermarks))
    rows = tuple(_outgoing(came, expected))
    ends = {row["window_end"] for row in _all_rows(came, expected) if row.get("window_end")}
    return Timeline(events, rows, tuple(watermarks), tuple(sorted(ends)))


def _all_rows(*outcomes: Outcome | None) -> Iterator[Row]:
    for outcome in outcomes:
        for result in outputs(outcome).values() if outcome else ():
            yield from result.rows


def _events(scenario: Scenario, watermarks: Sequence[datetime | None]) -> Iterator[Event]:
    for name, batches in scenario.inputs.items():
        if not is_stream(batches):
            continue
        for number, batch in enumerate(batches, 1):
            # What is late is decided by the watermark of the micro-batch before.
            bar = watermarks[number - 2] if 2 <= number <= len(watermarks) + 1 else None
            for row in batch:
                time = _time(row, TIMES)
                if time:
                    yield Event(name, _label(name, row), time, number, bool(bar and time <= bar))


def _outgoing(came: Outcome, expected: Outcome | None) -> Iterator[Outgoing]:
    differences = {d.output: d for d in compare(came, expected)} if expected else {}
    for name, result in outputs(came).items():
        difference = differences.get(name)
        surplus = _surplus(difference)
        for number, batch in enumerate(result.batches, 1):
            for row in batch:
                kind = "surplus" if (number, repr(row)) in surplus else "came"
                yield Outgoing(_label(name, row), _time(row, RESULT_TIMES), number, kind)
        for pair in difference.pairs if difference else ():
            if pair.expected:
                time = _time(pair.expected, RESULT_TIMES)
                yield Outgoing(_label(name, pair.expected), time, pair.expected_in, "missing")
        for row, _, then in difference.moved if difference else ():
            yield Outgoing(_label(name, row), _time(row, RESULT_TIMES), then, "missing")


def _surplus(difference: Difference | None) -> set[tuple[int, str]]:
    if difference is None:
        return set()
    found = {(pair.came_in, repr(pair.came)) for pair in difference.pairs if pair.came}
    return found | {(now, repr(row)) for row, now, _ in difference.moved}


def _time(row: Row, names: Iterable[str]) -> datetime | None:
    return next((row[name] for name in names if isinstance(row.get(name), datetime)), None)


def _label(stream: str, row: Row) -> str:
    number = row.get("ride_id", row.get("driver_id", ""))
    if "is_start" in row:
        return f"{'S' if row['is_start'] else 'E'}{number}"
    time = _time(row, RESULT_TIMES)
    return f"{stream[:1].upper()}{number}" if number != "" else f"{time:%H:%M}" if time else "•"
