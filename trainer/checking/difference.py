"""What came, beside what was expected."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trainer.rows import Row
from trainer.running.held import Held
from trainer.running.result import Outcome, Result, outputs

# What says which thing a row is about, by the first of these that it has.
IDENTITY = "ride_id", "window_end", "value"


@dataclass(frozen=True)
class Pair:
    """A row that was expected and the row that came in its place; None where there is none."""

    expected: Row | None
    came: Row | None
    expected_in: int | None = None
    came_in: int | None = None

    @property
    def differing(self) -> frozenset[str]:
        """The columns in which the two differ; none where one of them is missing."""
        if self.expected is None or self.came is None:
            return frozenset()
        return frozenset(name for name in self.came if not _same(self.came, self.expected, name))


@dataclass(frozen=True)
class Difference:
    """How one output differs: in its rows, and only if not there, in their order or in state."""

    output: str
    pairs: tuple[Pair, ...] = ()
    moved: tuple[tuple[Row, int, int], ...] = ()
    order: tuple[Pair, ...] = ()
    states: tuple[Sequence[int], Sequence[int]] | None = None
    held: tuple[Held, Held] | None = None

    @property
    def kind(self) -> str:
        """Where it differs: `rows`, `order`, `state`, `order and state`; '' if nowhere."""
        if self.pairs or self.moved:
            return "rows"
        state = bool(self.states or self.held)
        return " and ".join(["order"] * bool(self.order) + ["state"] * state)

    @property
    def first(self) -> list[Row]:
        """The first row that differs: as expected, and as it came."""
        pairs = [(pair.expected, pair.came) for pair in (*self.pairs, *self.order)]
        pairs += [(row, None) for row, _, _ in self.moved]
        return [row for row in pairs[0] if row] if pairs else []


def compare(came: Outcome, expected: Outcome, ordered_by: str | None = None) -> list[Difference]:
    """Compare two outcomes; give what differs, output by output.

    The order of rows within a micro-batch counts only by the column `ordered_by`, if there is one.
    """
    ours, theirs = outputs(came), outputs(expected)
    found = [
        _compare(name, ours[name], theirs[name], ordered_by) for name in theirs if name in ours
    ]
    return [each for each in found if each.kind]


def _compare(name: str, came: Result, expected: Result, ordered_by: str | None) -> Difference:
    surplus, lacking = _numbered(came.batches), _numbered(expected.batches)
    _strike_out(surplus, lacking, lambda entry: (entry[0], _key(entry[1])))
    moved = _strike_out(surplus, lacking, lambda entry: _key(entry[1]))
    if surplus or lacking or moved:
        shifts = tuple((row, now, then) for (now, row), (then, _) in moved)
        return Difference(name, tuple(_paired(surplus, lacking)), shifts)
    return Difference(
        name,
        order=tuple(_swapped(came, expected, ordered_by)) if ordered_by else (),
        states=_unequal(came.state_rows, expected.state_rows),
        held=_unequal(came.state_held, expected.state_held),
    )


def _unequal(came: object, expected: object) -> tuple | None:
    return (came, expected) if came != expected else None


def _swapped(came: Result, expected: Result, ordered_by: str) -> Iterator[Pair]:
    """Pair the rows that stand in one place, where one of them belongs before the other."""
    for number, (ours, theirs) in enumerate(zip(came.batches, expected.batches, strict=False), 1):
        for row, wanted in zip(ours, theirs, strict=True):
            if row.get(ordered_by) != wanted.get(ordered_by):
                yield Pair(wanted, row, number, number)


def _numbered(batches: Iterable[Iterable[Row]]) -> list[tuple[int, Row]]:
    return [(number, row) for number, batch in enumerate(batches, 1) for row in batch]


def _strike_out(surplus: list, lacking: list, key) -> list[tuple]:
    """Take out of both lists what they have in common; give it as pairs."""
    waiting: dict[object, list] = {}
    for entry in lacking:
        waiting.setdefault(key(entry), []).append(entry)
    struck = []
    for entry in list(surplus):
        if waiting.get(key(entry)):
            partner = waiting[key(entry)].pop(0)
            surplus.remove(entry)
            lacking.remove(partner)
            struck.append((entry, partner))
    return struck


def _paired(surplus: list[tuple[int, Row]], lacking: list[tuple[int, Row]]) -> Iterable[Pair]:
    """Put beside each row that was expected the one most like it, if that is about the same."""
    rest, found = list(surplus), []
    for number, expected in lacking:
        alike = [(_likeness(row, expected), -at) for at, (_, row) in enumerate(rest)]
        likeness, at = max(alike, default=(0, 0))
        came_in, came = rest.pop(-at) if likeness else (None, None)
        found.append(Pair(expected, came, number, came_in))
    found += [Pair(None, row, None, number) for number, row in rest]
    return sorted(found, key=lambda pair: min(filter(None, (pair.came_in, pair.expected_in))))


def _likeness(row: Row, other: Row) -> int:
    """Count what two rows have in common; 0 if they are about different things.

    Rows of one ride, or of one window, are about the same; else those that are half alike.
    """
    common = sum(_same(row, other, name) for name in other)
    key = next((name for name in IDENTITY if None not in (row.get(name), other.get(name))), None)
    same = key is not None and row[key] == other[key]
    if key == "ride_id" and not (same and row.get("is_start") == other.get("is_start")):
        return 0
    return common if same or 2 * common >= len(other) else 0


def _same(row: Row, other: Row, name: str) -> bool:
    # Not a number is, to Python, not even itself.
    return row.get(name) == other.get(name) or repr(row.get(name)) == repr(other.get(name))


def _key(row: Mapping) -> str:
    return repr(list(row.items()))
