"""What came, beside what was expected."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trainer.recording import Outcome, outputs
from trainer.result import Result, Row


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
        return frozenset(name for name in self.came if self.came[name] != self.expected[name])


@dataclass(frozen=True)
class Difference:
    """How one output differs: row by row, in the micro-batch in which it comes, or in its state."""

    output: str
    pairs: tuple[Pair, ...]
    moved: tuple[tuple[Row, int, int], ...]
    states: tuple[Sequence[int], Sequence[int]] | None


def compare(came: Outcome, expected: Outcome) -> list[Difference]:
    """Compare two outcomes; give what differs, output by output."""
    ours, theirs = outputs(came), outputs(expected)
    found = [_compare(name, ours[name], theirs[name]) for name in theirs if name in ours]
    return [each for each in found if each.pairs or each.moved or each.states]


def same_rows(one: Outcome, other: Outcome) -> bool:
    """Tell whether the same rows came in the same micro-batches; their order in one is free."""
    return _by_batch(one) == _by_batch(other)


def _by_batch(outcome: Outcome) -> dict[str, list[Counter]]:
    found = {}
    for name, result in outputs(outcome).items():
        batches = [Counter(map(_key, batch)) for batch in result.batches]
        while batches and not batches[-1]:
            batches.pop()
        found[name] = batches
    return found


def _compare(name: str, came: Result, expected: Result) -> Difference:
    surplus, lacking = _numbered(came.batches), _numbered(expected.batches)
    _strike_out(surplus, lacking, lambda entry: (entry[0], _key(entry[1])))
    moved = _strike_out(surplus, lacking, lambda entry: _key(entry[1]))
    states = None
    if not (surplus or lacking or moved) and came.state_rows != expected.state_rows:
        states = (came.state_rows, expected.state_rows)
    shifts = tuple((row, now, then) for (now, row), (then, _) in moved)
    return Difference(name, tuple(_paired(surplus, lacking)), shifts, states)


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
    """Put beside each row that was expected the one most like it."""
    rest = list(surplus)
    for number, expected in lacking:
        alike = [(_likeness(row, expected), -at) for at, (_, row) in enumerate(rest)]
        likeness, at = max(alike, default=(0, 0))
        if 2 * likeness >= len(expected):
            came_in, came = rest.pop(-at)
            yield Pair(expected, came, number, came_in)
        else:
            yield Pair(expected, None, number)
    for number, row in rest:
        yield Pair(None, row, None, number)


def _likeness(row: Row, other: Row) -> int:
    return sum(row[name] == other[name] for name in other if name in row)


def _key(row: Mapping) -> str:
    return repr(list(row.items()))
