"""Rows as people read them: cells as short text, and tables of what differs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby, zip_longest

from trainer.checking.case import Case
from trainer.checking.crash import Crash
from trainer.checking.cuts import about
from trainer.checking.difference import Difference, Pair
from trainer.display import columns as showing
from trainer.rows import DAY, Row
from trainer.running.inputs import Kind, kind_of
from trainer.running.scenario import Scenario

MOST_ROWS = 12
FEW_COLUMNS = 6
LONGEST_CELL = 500
# Where one run has ended and the other goes on.
NO_BATCH = "–"


@dataclass(frozen=True)
class Line:
    """One line of a table: what it is, its cells, which of them differ, and whether it is gone."""

    label: str
    cells: tuple[str, ...]
    differing: frozenset[int] = frozenset()
    gone: bool = False


@dataclass(frozen=True)
class Block:
    """Lines that stand or fall together, and whether they must be among those shown."""

    lines: tuple[Line, ...]
    telling: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: title, columns' names, lines, how many more there are, and which columns stay.

    What differs is marked in a colour of the palette; columns that say nothing here are `left_out`.
    """

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    more: int = 0
    keys: frozenset[str] = frozenset()
    marked_in: str = "differs"
    left_out: int = 0

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
        day = "" if value.date() == DAY.date() else f"{value.date()} "
        return day + (f"{value:%H:%M:%S.%f}" if value.microsecond else f"{value:%H:%M:%S}")
    if isinstance(value, float):
        return f"{value:.7g}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}… ({len(text):,} letters)"


def of_case(case: Case) -> list[Grid]:
    """Show what goes in, and what differs in what comes out."""
    wanted = showing.wanted(case)
    differing = (of_difference(each, wanted) for each in case.differences)
    return [*inputs(case.scenario, wanted, about(case)), *chain.from_iterable(differing)]


def of_difference(difference: Difference, wanted: Iterable[str] = ()) -> list[Grid]:
    """Show how one output differs: in its rows, or else in their order or in its state."""
    shown = []
    if difference.pairs or difference.moved:
        shown.append(differences(difference, wanted))
    if difference.order:
        shown.append(order(difference, wanted))
    if difference.states:
        shown.append(states(difference))
    return [*shown, held(difference)] if difference.held else shown


def differences(difference: Difference, wanted: Iterable[str] = ()) -> Grid:
    """Put what was expected above what came, with the cells that differ marked."""
    columns = _columns_of(difference, wanted)
    pairs = [(_kind(pair), tuple(_lines(pair, columns))) for pair in difference.pairs]
    moved = [
        ("moved", (Line(f"came in {now}, not {then}", _cells(row, columns)),))
        for row, now, then in difference.moved
    ]
    # One of each kind is among those shown, however many there are.
    seen: set[str] = set()
    blocks = []
    for kind, lines in [*pairs, *moved]:
        blocks.append(Block(lines, kind not in seen))
        seen.add(kind)
    title = f"{_title(difference)}, by micro-batch"
    left_out = _left_out(_rows_of(difference), columns)
    return Grid(title, columns, *short(blocks), showing.keys(wanted), left_out=left_out)


def _kind(pair: Pair) -> str:
    if pair.came is None:
        return "missing"
    return "extra" if pair.expected is None else "changed"


def order(difference: Difference, wanted: Iterable[str] = ()) -> Grid:
    """Put what was expected above what came in its place: the right rows, in another order."""
    columns, keys = _columns_of(difference, wanted), showing.keys(wanted)
    told_by = frozenset(at for at, name in enumerate(columns) if name in keys)
    # Another row is another one in all that it holds; its keys tell which.
    blocks = [
        Block(tuple(replace(line, differing=line.differing & told_by) for line in lines))
        for lines in (_lines(pair, columns) for pair in difference.order)
    ]
    title = f"{_title(difference)}, by micro-batch: the right rows, in another order"
    left_out = _left_out(_rows_of(difference), columns)
    return Grid(title, columns, *short(blocks), keys, left_out=left_out)


def _title(difference: Difference) -> str:
    return f"Output {difference.output!r}" if difference.output else "Output"


def _lines(pair: Pair, columns: tuple[str, ...]) -> Iterator[Line]:
    marks = frozenset(at for at, name in enumerate(columns) if name in pair.differing)
    alone = None in (pair.expected, pair.came)
    if pair.expected is not None:
        cells = _cells(pair.expected, columns, pair.came)
        yield Line(f"{'missing' if alone else 'expected'} in {pair.expected_in}", cells, marks)
    if pair.came is not None:
        cells = _cells(pair.came, columns, pair.expected)
        yield Line(f"{'not expected' if alone else 'came'} in {pair.came_in}", cells, marks)


def states(difference: Difference) -> Grid:
    """Put the rows of state after each micro-batch beside those of the reference."""
    came, expected = difference.states
    blocks = []
    for number, (theirs, ours) in enumerate(zip_longest(expected, came, fillvalue=NO_BATCH), 1):
        marks = frozenset({0, 1} if theirs != ours else ())
        line = Line(f"after {number}", (str(theirs), str(ours)), marks)
        blocks.append(Block((line,), bool(marks)))
    ragged = " (–: no such micro-batch)" if len(came) != len(expected) else ""
    title = f"Rows of state after each micro-batch{ragged}"
    return Grid(title, ("reference", "yours"), *short(blocks))


def held(difference: Difference) -> Grid:
    """Put what state really held in the end beside that of the reference."""
    came, expected = difference.held
    blocks = []
    for what, theirs, ours in zip(came._fields, expected, came, strict=True):
        marks = frozenset({0, 1} if theirs < ours else ())
        blocks.append(Block((Line(what, (str(theirs), str(ours)), marks),), bool(marks)))
    return Grid("What state holds in the end", ("reference", "yours"), *short(blocks))


def inputs(
    scenario: Scenario, wanted: Iterable[str] = (), about: Callable[[Row], bool] | None = None
) -> list[Grid]:
    """Show what goes in: each stream with its micro-batches, each table, other arguments.

    Of many rows, those are shown that the fault is `about`.
    """
    about = about or (lambda row: False)
    return [_input(name, rows, wanted, about) for name, rows in scenario.inputs.items()]


def of_crash(crash: Crash) -> list[Grid]:
    """Show all that it takes to crash, or else the micro-batch in which it happened.

    One that brought no rows only let time go on: then it is all that came before.
    """
    happened_in = [] if crash.smallest else _of_micro_batch(crash.scenario, crash.micro_batch)
    return happened_in or inputs(crash.scenario)


def _of_micro_batch(scenario: Scenario, number: int) -> list[Grid]:
    """Show what comes in with one micro-batch, counted from one; an empty one brings nothing."""
    before = [[] for _ in range(number - 1)]
    return [
        replace(
            _input(name, [*before, *rows[number - 1 : number]], (), lambda row: False),
            title=f"{name}, what came in micro-batch {number}",
        )
        for name, rows in scenario.inputs.items()
        if kind_of(rows) is Kind.STREAM and any(rows[number - 1 : number])
    ]


def _input(name: str, rows: object, wanted: Iterable[str], about: Callable[[Row], bool]) -> Grid:
    kind = kind_of(rows)
    if kind is Kind.STREAM:
        labelled = [(str(n), row) for n, batch in enumerate(rows, 1) for row in batch]
        title = f"{name}, by micro-batch"
    elif kind is Kind.TABLE:
        labelled = [("", row) for row in rows]
        title = f"{name}, a static table"
    else:
        return Grid(f"{name} = {cell(rows)}", (), ())
    every = [row for _, row in labelled]
    columns = showing.telling(every, wanted)
    lines = [(Line(number, _cells(row, columns)), about(row)) for number, row in labelled]
    blocks = [Block((line,), telling) for line, telling in _told_once(lines)]
    left_out = _left_out(every, columns)
    return Grid(title, columns, *short(blocks), showing.keys(wanted), left_out=left_out)


def _told_once(lines: Iterable[tuple[Line, bool]]) -> Iterator[tuple[Line, bool]]:
    """Show one of twenty equal rows, and say that there are twenty."""
    for (line, telling), equal in groupby(lines):
        times = len(list(equal))
        often = ["twice" if times == 2 else f"{times} times"] * (times > 1)
        yield replace(line, label=", ".join(filter(None, (line.label, *often)))), telling


def plain(title: str, rows: Sequence[Row], among: Sequence[Row] = ()) -> Grid:
    """Show rows as they are; of many columns, only those that differ anywhere among the rows."""
    columns = few(among or rows)
    return Grid(title, columns, *short([Block((Line("", _cells(row, columns)),)) for row in rows]))


def few(rows: Sequence[Row], keys: Iterable[str] = ()) -> tuple[str, ...]:
    """Choose of many columns those that differ anywhere among the rows, and those of the key."""
    names = tuple(rows[0]) if rows else ()
    if len(names) <= FEW_COLUMNS:
        return names
    varying = {name for name in names if len({repr(row[name]) for row in rows}) > 1}
    if "driver_id" in varying:  # In scripts each driver has a taxi of the same number.
        varying -= {"taxi_id"}
    return tuple(name for name in names if name in varying.union(keys)) or names


def _columns_of(difference: Difference, wanted: Iterable[str]) -> tuple[str, ...]:
    return showing.telling(_rows_of(difference), wanted)


def _left_out(rows: Sequence[Row], columns: Sequence[str]) -> int:
    return len(rows[0]) - len(columns) if rows else 0


def _rows_of(difference: Difference) -> list[Row]:
    pairs = (*difference.pairs, *difference.order)
    rows = [row for pair in pairs for row in (pair.expected, pair.came) if row]
    return rows + [row for row, _, _ in difference.moved]


def _cells(row: Row, columns: Iterable[str], beside: Row | None = None) -> tuple[str, ...]:
    """Write the cells of a row; where one beside it differs in what is left out, in full."""
    return tuple(_cell(row.get(name), (beside or row).get(name)) for name in columns)


def _cell(value: object, beside: object) -> str:
    text = cell(value)
    return repr(value) if text == cell(beside) and repr(value) != repr(beside) else text


def short(blocks: Sequence[Block]) -> tuple[tuple[Line, ...], int]:
    """Keep as many lines as anyone reads, those that tell most in any case; count the others."""
    kept, room = set(), MOST_ROWS
    for at in sorted(range(len(blocks)), key=lambda at: (not blocks[at].telling, at)):
        if len(blocks[at].lines) <= room:
            kept.add(at)
            room -= len(blocks[at].lines)
    lines = tuple(line for at in sorted(kept) for line in blocks[at].lines)
    return lines, sum(len(block.lines) for block in blocks) - len(lines)
