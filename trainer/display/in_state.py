"""What lies in state after a micro-batch, and what is new, changed and removed there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from trainer.checking.case import Case
from trainer.checking.fault import faults
from trainer.display.in_words import in_words, sortable
from trainer.display.tables import Block, Grid, Line, few, short
from trainer.rows import Row
from trainer.running.contents import Part
from trainer.running.result import outputs

NEW, CHANGED, REMOVED, KEPT = "+ new", "± changed", "− removed", ""
# What each row of a part is, the row, and the one that stood in its place before.
Marked = Iterator[tuple[str, Row, Row]]


def in_state(parts: Sequence[Part], number: int, output: str = "") -> list[Grid]:
    """Show each part of state after a micro-batch, counted from zero, as far as it was read."""
    read = (part for part in parts if part.batches[number] is not None)
    return [grid for part in read for grid in _of_part(part, number, output)]


def of_case(case: Case) -> list[Grid]:
    """Show what really was in state when an answer that reads it went wrong first."""
    (expected, *_) = outputs(case.expected).values()
    if case.scenario.options.get("role") != "reader" or not expected.contents:
        return []
    faulty = [case.about] if case.about else faults(case.differences)
    number = min((n for each in faulty for n in each.numbers), default=1)
    parts = in_state(expected.contents, min(number, len(expected.batches)) - 1)
    # Reports count micro-batches from one, and Spark from zero.
    after = f"In state after micro-batch {number} (batch_id {number - 1})"
    return [replace(part, title=f"{after}: {part.title}") for part in parts]


def _of_part(part: Part, number: int, output: str) -> Iterator[Grid]:
    after = _rows(part, part.batches[number])
    before = part.batches[number - 1] if number else []
    # Where nobody knows what was there before, nothing is called new.
    before = after if before is None else _rows(part, before)
    every = [row for batch in part.batches for row in _rows(part, batch or [])]
    columns = few(every, part.columns[: part.keys])
    marked = _by_key(part, before, after) if part.unique else _by_row(before, after)
    in_order = sorted(marked, key=lambda each: [sortable(each[1][name]) for name in columns])
    if in_order:
        count = f"{len(after)} row{'' if len(after) == 1 else 's'}"
        title = ": ".join(filter(None, (output, part.title, count)))
        lines = [_line(*each, columns) for each in in_order]
        blocks = [Block((line,), bool(line.label)) for line in lines]
        yield Grid(title, columns, *short(blocks), marked_in="news")


def _rows(part: Part, batch: list[tuple]) -> list[Row]:
    return [dict(zip(part.columns, row, strict=True)) for row in batch]


def _by_key(part: Part, before: list[Row], after: list[Row]) -> Marked:
    then, now = ({repr(_key(part, row)): row for row in rows} for rows in (before, after))
    for key, row in now.items():
        old = then.get(key, row)
        yield NEW if key not in then else KEPT if row == old else CHANGED, row, old
    yield from ((REMOVED, row, row) for key, row in then.items() if key not in now)


def _key(part: Part, row: Row) -> list[object]:
    return [row[name] for name in part.columns[: part.keys]]


def _by_row(before: list[Row], after: list[Row]) -> Marked:
    """Of rows that have no key of their own, those that are there as often as before are kept."""
    then = Counter(map(repr, before))
    for row in after:
        yield KEPT if then[repr(row)] > 0 else NEW, row, row
        then[repr(row)] -= 1
    for row in before:
        if then[repr(row)] > 0:
            then[repr(row)] -= 1
            yield REMOVED, row, row


def _line(label: str, row: Row, old: Row, columns: Sequence[str]) -> Line:
    changed = [row[name] != old[name] for name in columns]
    cells = (
        in_words(row[name]) + (f" (was {in_words(old[name])})" if differs else "")
        for name, differs in zip(columns, changed, strict=True)
    )
    marks = {at for at, differs in enumerate(changed) if differs or label == NEW}
    return Line(label, tuple(cells), frozenset(marks), gone=label == REMOVED)
