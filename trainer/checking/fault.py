"""One thing that came out wrong, among all that differs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trainer.checking.difference import Difference, Pair
from trainer.rows import Row

# What says which ride, driver, window or line a row is about.
NAMES = ("ride_id", "is_start", "driver_id", "value", "cell", "start_cell", "window_end")


@dataclass(frozen=True)
class Fault:
    """A row of an output that is wrong, or the order of rows, or what is kept in state."""

    output: str
    kind: str
    pair: Pair | None = None

    @property
    def rows(self) -> list[Row]:
        """The row that was expected and the row that came, as far as there are."""
        pair = self.pair
        return [row for row in (pair.expected, pair.came) if row] if pair else []

    @property
    def numbers(self) -> list[int]:
        """The micro-batches in which it was expected and came, as far as it was and did."""
        pair = self.pair
        return [number for number in (pair.expected_in, pair.came_in) if number] if pair else []

    def is_like(self, other: "Fault") -> bool:
        """Tell whether the same is wrong with a row of the same ride, driver, window or line."""
        return self._about() == other._about()

    def _about(self) -> tuple:
        row = self.rows[0] if self.rows else {}
        return self.output, self.kind, [row[name] for name in NAMES if name in row]


def faults(differences: Iterable[Difference]) -> Iterator[Fault]:
    """Take what differs apart."""
    for each in differences:
        for pair in each.pairs:
            kind = "changed" if pair.differing else "surplus" if pair.came else "missing"
            yield Fault(each.output, kind, pair)
        for row, now, then in each.moved:
            yield Fault(each.output, "moved", Pair(row, row, then, now))
        if each.order:
            yield Fault(each.output, "order", each.order[0])
        if each.states or each.held:
            yield Fault(each.output, "state")
