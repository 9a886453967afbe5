"""Rows as people read them: cells as short text, and tables of what differs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby, zip_longest

from trainer.checking.case import Case
from trainer.checking.difference import Difference, Pair
from trainer.rows import Row
from trainer.running.inputs import Kind, kind_of
from trainer.running.scenario import Scenario

SELDOM_SHOWN = {"taxi_id", "driver_id", "passenger_count", "tolls", "total_fare", "payment_type"}
MOST_ROWS = 12
FEW_COLUMNS = 6
MOST_STATES, LONGEST_CELL = 40, 500
# Where one run has ended and the other goes on.
NO_BATCH = "–"


@dataclass(frozen=True)
class Line:
    """One line of a table: what it is, its cells, and which of them differ."""

    label: str
    cells: tuple[str, ...]
    differing: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Grid:
    """A table: a title, the columns' names, lines, and how many more there are."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    more: int = 0

    @property
    def rest(self) -> str:
        """What stands below the last line, if that is not all."""
        return f"… {self.more} more" if self.more else ""

    @property
    def labelled(self) -> bool:
        """Whether any line has a label."""
        return any(line.label for line in self.lines)


def cell(value: object) -> str:
    """Write a value short: 12:05:00, 3.5, null."""
    if value is None:
        return "null"
    if isinstance(value, datetime):
        return f"{value:%H:%M:%S}" if not value.microsecond else f"{value:%H:%M:%S.%f}"
    if isinstance(value, float):
        return f"{value:.7g}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}… ({len(text):,} letters)"


def of_case(case: Case) -> list[Grid]:
    """Show what goes in, and what differs in what comes out."""
    differing = chain.from_iterable(map(of_difference, case.differences))
    return [*inputs(case.scenario), *differing]


def of_difference(difference: Difference) -> list[Grid]:
    """Show how one output differs: in its rows, or else in their order or in its state."""
    shown = {
        differences: difference.pairs or difference.moved,
        order: difference.order,
        states: difference.states,
    }
    return [show(difference) for show, there in shown.items() if there]


def differences(difference: Difference) -> Grid:
    """Put what was expected above what came, with the cells that differ marked."""
    columns = _columns_of(difference)
    lines = [line for pair in difference.pairs for line in _lines(pair, columns)]
    for row, now, then in difference.moved:
        lines.append(Line(f"came in {now}, not {then}", _cells(row, columns)))
    return Grid(f"{_title(difference)}, by micro-batch", columns, *_short(lines))


def order(difference: Difference) -> Grid:
    """Put what was expected above what came in its place: the right rows, in another order."""
    columns = _columns_of(difference)
    lines = [line for pair in difference.order for line in _lines(pair, columns)]
    title = f"{_title(difference)}, by micro-batch: the right rows, in another order"
    return Grid(title, columns, *_short(lines))


def _title(difference: Difference) -> str:
    return f"Output {difference.output!r}" if difference.output else "Output"


def _lines(pair: Pair, columns: tuple[str, ...]) -> Iterator[Line]:
    marks = frozenset(at for at, name in enumerate(columns) if name in pair.differing)
    if pair.expected is not None:
        yield Line(f"expected in {pair.expected_in}", _cells(pair.expected, columns), marks)
    if pair.came is not None:
        yield Line(f"came in {pair.came_in}", _cells(pair.came, columns), marks)


def states(difference: Difference) -> Grid:
    """Put the rows of state after each micro-batch beside those of the reference."""
    came, expected = difference.states
    count = max(map(len, difference.states))
    columns = tuple(str(number) for number in range(1, min(count, MOST_STATES) + 1))
    pairs = list(zip_longest(expected, came, fillvalue=NO_BATCH))[:MOST_STATES]
    marks = frozenset(at for at, (theirs, ours) in enumerate(pairs) if theirs != ours)
    lines = tuple(
        Line(label, tuple(map(str, row)), marks)
        for label, row in zip(("reference", "yours"), zip(*pairs, strict=True), strict=True)
    )
    most = f" (the first {MOST_STATES} of {count:,})" if count > MOST_STATES else ""
    return Grid(f"Rows of state after each micro-batch{most}", columns, lines)


def inputs(scenario: Scenario) -> list[Grid]:
    """Show what goes in: each stream with its micro-batches, each table, other arguments."""
    return [_input(name, rows) for name, rows in scenario.inputs.items()]


def _input(name: str, rows: object) -> Grid:
    kind = kind_of(rows)
    if kind is Kind.STREAM:
        labelled = [(str(n), row) for n, batch in enumerate(rows, 1) for row in batch]
        title = f"{name}, by micro-batch"
    elif kind is Kind.TABLE:
        labelled = [("", row) for row in rows]
        title = f"{name}, a static table"
    else:
        return Grid(f"{name} = {cell(rows)}", (), ())
    columns = _telling([row for _, row in labelled])
    lines = [Line(number, _cells(row, columns)) for number, row in labelled]
    return Grid(title, columns, *_short(list(_told_once(lines))))


def _told_once(lines: Iterable[Line]) -> Iterator[Line]:
    """Show one of twenty equal rows, and say that there are twenty."""
    for line, equal in groupby(lines):
        times = len(list(equal))
        yield line if times == 1 else replace(line, label=f"{line.label} ×{times}".strip())


def plain(title: str, rows: Sequence[Row], among: Sequence[Row] = ()) -> Grid:
    """Show rows as they are; of many columns, only those that differ anywhere among the rows."""
    among = among or rows
    names = tuple(among[0]) if among else ()
    varying = tuple(name for name in names if len({repr(row[name]) for row in among}) > 1)
    if "driver_id" in varying:  # In scripts each driver has a taxi of the same number.
        varying = tuple(name for name in varying if name != "taxi_id")
    columns = names if len(names) <= FEW_COLUMNS else varying or names
    return Grid(title, columns, *_short([Line("", _cells(row, columns)) for row in rows]))


def _columns_of(difference: Difference) -> tuple[str, ...]:
    pairs = (*difference.pairs, *difference.order)
    rows = [row for pair in pairs for row in (pair.expected, pair.came) if row]
    rows += [row for row, _, _ in difference.moved]
    return _telling(rows)


def _telling(rows: Sequence[Row]) -> tuple[str, ...]:
    """Leave out what only fills the screen: all rides have it, and it is the same in these."""
    if not rows:
        return ()
    return tuple(
        name
        for name in rows[0]
        if name not in SELDOM_SHOWN or len({repr(row[name]) for row in rows}) > 1
    )


def _cells(row: Row, columns: Iterable[str]) -> tuple[str, ...]:
    return tuple(cell(row[name]) for name in columns)


def _short(lines: list[Line]) -> tuple[tuple[Line, ...], int]:
    return tuple(lines[:MOST_ROWS]), max(0, len(lines) - MOST_ROWS)
