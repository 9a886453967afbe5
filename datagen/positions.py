"""Any range of a stream, made from the rides around it.

An event arrives within a bounded time of its ride's start, so it comes after every event of the
rides long before and before every event of the rides long after. Those are only counted. The few
between are made, sorted by arrival, and cut.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from datagen.flaws import Flaws
from datagen.options import OptionError
from datagen.shares import BLOCK

# The events of a batch are sorted by 64-bit keys that hold their time and their row.
MOST_ROWS = 1 << 21


class Positions:
    """Where in a stream the events of its rides stand."""

    def __init__(self, kinds: tuple[int, ...], flaws: Flaws, rides: int | None, reach: int) -> None:
        """Take the kinds of event in the stream, and how many rides an event can lag behind."""
        self._kinds, self._flaws, self._rides = kinds, flaws, rides
        self._reach = -(-reach // BLOCK)

    def count(self, rides: int) -> int:
        """How many events the first so many rides have."""
        return sum(self._flaws.count(kind, rides) for kind in self._kinds)

    def cut(self, start: int, stop: int) -> tuple[int, int]:
        """The range as far as the stream goes."""
        if not 0 <= start <= stop:
            raise OptionError(f"No events {start} to {stop}. A range needs 0 <= start <= stop.")
        end = stop if self._rides is None else self.count(self._rides)
        return min(start, end), min(stop, end)

    def around(self, start: int, stop: int) -> tuple[int, int]:
        """The rides, counted from 0, among which all events start…stop−1 are."""
        # At most half of the rides lack an event, so these blocks hold enough of them.
        blocks = range(2 * stop // BLOCK + 2)
        low = bisect_right(blocks, start, key=self._count_blocks) - 1
        high = bisect_left(blocks, stop, key=self._count_blocks)
        first, last = max(0, low - self._reach) * BLOCK, (high + self._reach) * BLOCK
        return first, last if self._rides is None else min(last, self._rides)

    def _count_blocks(self, block: int) -> int:
        return self.count(block * BLOCK)


def in_batches(start: int, stop: int, rows: int) -> Iterator[tuple[int, int]]:
    """Split a range into pieces of so many rows."""
    if not 1 <= rows <= MOST_ROWS:
        expected = f"a whole number from 1 to {MOST_ROWS}"
        raise OptionError(f"Option batch_rows is {rows}. It has to be {expected}.")
    for first in range(start, stop, rows):
        yield first, min(first + rows, stop)
