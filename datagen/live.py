"""When the next rows of a live stream are due, for whoever writes them."""

import time
from collections.abc import Callable, Iterator

from datagen.pace import make_pace
from datagen.reading import Reading

ENDLESS = 2**62


def due_ranges(
    reading: Reading,
    every: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[int, int]]:
    """Give, each `every` seconds, the range that became due, until the stream ends."""
    began, position, end = clock(), 0, reading.end()
    pace = make_pace(reading.own, 0, lambda: clock() - began, reading.time_at)
    end = ENDLESS if end is None else end
    while position < end:
        sleep(every)
        due = pace.due(position, end)
        if due > position:
            yield position, due
        position = due
