"""A scenario along time: what arrived when, how far the watermark was, what came out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from trainer.checking.case import Case
from trainer.checking.difference import Difference, compare
from trainer.rows import DRIVER, Row
from trainer.running.event_time import TIMES, time_of
from trainer.running.inputs import Kind, kind_of
from trainer.running.result import Outcome, outputs
from trainer.running.scenario import Scenario

MOST_BATCHES, MOST_WINDOWS = 60, 100
# Of two that belong together, which one is there if the other is missing.
LEFT_ALONE = {"ride": "fare", "fare": "ride"}


@dataclass(frozen=True)
class Event:
    """One event that came in; it was `behind` if the watermark had reached its time before."""

    stream: str
    label: str
    time: datetime
    batch: int
    behind: bool


@dataclass(frozen=True)
class Outgoing:
    """One row that came out, or should have.

    It `came`; it is `changed`, and came with a wrong value; it has `moved`, and came in another
    micro-batch than it should, and is `due` there; it is `missing`; or it is `surplus`, and nobody
    expected it.
    """

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
    left: int = 0
    until: int = 0
    # After how many micro-batches another version goes on; 0 where none does.
    upgraded_after: int = 0

    @property
    def behind(self) -> str:
        """Say what is true of all events that came behind; which are late, exercises decide."""
        marks = self.watermarks
        reached = any(e.behind and e.time == marks[e.batch - 2] for e in self.events)
        return f"came {'at or ' * reached}behind the watermark"

    @property
    def told(self) -> str:
        """Say how many of the micro-batches are drawn, if not all are."""
        count = len(self.batches)
        return f"the first {count} of {count + self.left:,} micro-batches" if self.left else ""

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """The first and the last time in it."""
        times = [each.time for each in (*self.events, *self.rows) if each.time]
        times += self.window_ends
        return (min(times), max(times)) if times else None

    @property
    def batches(self) -> range:
        """The micro-batches in which something came in or out, those between, and more `until`."""
        busy = (each.batch for each in (*self.events, *self.rows))
        return range(1, max([*busy, self.until]) + 1)

    def watermark(self, batch: int) -> datetime | None:
        """Give the watermark that a micro-batch worked with, if there was one."""
        return self.watermarks[batch - 1] if batch <= len(self.watermarks) else None

    def share(self, time: datetime) -> float:
        """Tell how far along a time lies: 0 is the first, 1 the last."""
        first, last = self.span
        return (time - first) / (last - first) if last > first else 0.5

    def lanes(self, batch: int, gap: float, most: int) -> tuple[list[list[Event]], int]:
        """Lay a micro-batch's events into lanes, so that none comes nearer to its neighbour.

        `gap` is a share of the span; what no lane has room for is counted.
        """
        lanes, left = [], 0
        for event in sorted((e for e in self.events if e.batch == batch), key=lambda e: e.time):
            free = (at for at, lane in enumerate(lanes) if self._has_room(lane, event, gap))
            at = next(free, len(lanes))
            if at == most:
                left += 1
                continue
            lanes[at:] = lanes[at:] or [[]]
            lanes[at].append(event)
        return lanes, left

    def _has_room(self, lane: list[Event], event: Event, gap: float) -> bool:
        return self.share(event.time) - self.share(lane[-1].time) >= gap


def timeline(scenario: Scenario, came: Outcome, expected: Outcome | None = None) -> Timeline:
    """Lay a run out along time; with what was expected, what differs is marked."""
    results = outputs(came)
    watermarks = next(iter(results.values())).watermarks
    events = tuple(_events(scenario, watermarks))
    rows = tuple(_outgoing(came, expected))
    ends = {time for row in _all_rows(came, expected) if (time := time_of(row, ["window_end"]))}
    upgraded = scenario.options.get("upgraded_after", 0)
    line = Timeline(events, rows, tuple(watermarks), tuple(sorted(ends)), upgraded_after=upgraded)
    return _short(line)


def timeline_of(case: Case) -> Timeline:
    """Lay a case out along time; where it is about state alone, until the watermark stands."""
    line = timeline(case.scenario, case.came, case.expected)
    if any(each.kind != "came" for each in line.rows) or not line.watermarks:
        return line
    return replace(line, until=min(MOST_BATCHES, 1 + line.watermarks.index(line.watermarks[-1])))


def _short(line: Timeline) -> Timeline:
    """Keep as many micro-batches as anyone looks at; who makes thousands is told how many."""
    events = tuple(each for each in line.events if each.batch <= MOST_BATCHES)
    rows = tuple(each for each in line.rows if each.batch <= MOST_BATCHES)
    left = max(0, len(line.batches) - MOST_BATCHES)
    ends = line.window_ends[:MOST_WINDOWS]
    marks = line.watermarks[:MOST_BATCHES]
    return replace(line, events=events, rows=rows, watermarks=marks, window_ends=ends, left=left)


def _all_rows(*outcomes: Outcome | None) -> Iterator[Row]:
    for outcome in outcomes:
        for result in outputs(outcome).values() if outcome else ():
            yield from result.rows


def _events(scenario: Scenario, watermarks: Sequence[datetime | None]) -> Iterator[Event]:
    for name, batches in scenario.inputs.items():
        if kind_of(batches) is not Kind.STREAM:
            continue
        for number, batch in enumerate(batches, 1):
            # What Spark drops is decided by the watermark of the micro-batch before.
            bar = watermarks[number - 2] if 2 <= number <= len(watermarks) + 1 else None
            for row in batch:
                time = time_of(row, TIMES)
                if time:
                    label = label_of(name, row)
                    yield Event(name, label, time, number, bool(bar and time <= bar))


def _outgoing(came: Outcome, expected: Outcome | None) -> Iterator[Outgoing]:
    differences = {d.output: d for d in compare(came, expected)} if expected else {}
    for name, result in outputs(came).items():
        difference = differences.get(name)
        kinds = _kinds(difference)
        for number, batch in enumerate(result.batches, 1):
            for row in batch:
                wrong = kinds.get((number, repr(row)))
                yield _out(name, row, number, wrong.pop() if wrong else "came")
        for pair in difference.pairs if difference else ():
            # A row that came with a wrong value where it belongs is not missing there.
            if pair.expected and pair.came_in != pair.expected_in:
                yield _out(name, pair.expected, pair.expected_in, "due" if pair.came else "missing")
        for row, _, then in difference.moved if difference else ():
            yield _out(name, row, then, "due")


def _out(name: str, row: Row, batch: int, kind: str) -> Outgoing:
    label = label_of(name, row)
    return Outgoing(f"{name} {label}" if name else label, time_of(row), batch, kind)


def _kinds(difference: Difference | None) -> dict[tuple[int, str], list[str]]:
    """Tell what is wrong with the rows that came, by micro-batch and row: of two, perhaps one."""
    found: dict[tuple[int, str], list[str]] = {}
    for pair in difference.pairs if difference else ():
        if pair.came:
            kind = "changed" if pair.expected else "surplus"
            found.setdefault((pair.came_in, repr(pair.came)), []).append(kind)
    for row, now, _ in difference.moved if difference else ():
        found.setdefault((now, repr(row)), []).append("moved")
    return found


def label_of(stream: str, row: Row) -> str:
    """Name a row in few letters: S1 is ride 1's START, F1 its fare, D1 driver 1, R1 rule 1."""
    ride = "?" if row.get("ride_id", 0) is None else row.get("ride_id")
    if ride is not None and (missing := row.get("missing")):
        return f"{LEFT_ALONE.get(str(missing), 'ride')} {ride} without {missing}"
    if rule := row.get("rule_id"):
        return f"R{rule}" if ride is None else f"F{ride} R{rule}"
    if ride is not None:
        paid = "F" if stream == "fares" or "payment_type" in row else ""
        start = {True: "S", False: "E"}.get(row.get("is_start"), paid)
        return f"{start}{ride}" if start else f"ride {ride}"
    driver, time = row.get("driver_id"), time_of(row, ["window_end"])
    parts = [f"{time:%H:%M}"] if time else []
    if isinstance(driver, int):
        parts.append(f"D{driver - DRIVER if 0 <= driver - DRIVER < 10**6 else driver}")
    if "blocked" in row:
        parts.append("blocked" if row["blocked"] else "free")
    return " ".join(parts) or "•"
