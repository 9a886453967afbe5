"""How far a live stream has come: the position that is due by the clock."""

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

from datagen.source_options import SourceOptions

TimeAt = Callable[[int], float]


class NoPace:
    """Everything is due at once."""

    def due(self, start: int, stop: int) -> int:
        """Give the position up to which rows may be sent, from start and at most stop."""
        return stop


class RowPace:
    """So many rows a second, counted from a position and a moment."""

    def __init__(self, rows_per_second: float, origin: int, clock: Callable[[], float]) -> None:
        """Take the pace, where it counts from, and a clock that gives the seconds since then."""
        self._rate, self._origin, self._clock = rows_per_second, origin, clock

    def due(self, start: int, stop: int) -> int:
        """Give the position up to which rows may be sent, from start and at most stop."""
        due = self._origin + int(self._clock() * self._rate)
        return max(start, min(due, stop))


class EventPace:
    """Event time that runs so many times as fast as the clock, from a position and a moment."""

    def __init__(
        self, speedup: float, origin: int, clock: Callable[[], float], time_at: TimeAt
    ) -> None:
        """Take also the event time, in seconds, that the stream has reached at a position."""
        self._speedup, self._clock = speedup, clock
        self._time_at = lru_cache(maxsize=256)(time_at)
        self._began = self._time_at(origin)

    def due(self, start: int, stop: int) -> int:
        """Give the position up to which rows may be sent, from start and at most stop."""
        now = self._began + self._clock() * self._speedup
        # Doubling steps stay near the start, so an endless stream is searched as fast as a short.
        low, step = start, 1
        while low + step <= stop and self._time_at(low + step - 1) <= now:
            low, step = low + step, step * 2
        high = min(low + step, stop)
        return bisect_right(range(high), now, lo=low, key=self._time_at)


def make_pace(
    own: SourceOptions, origin: int, clock: Callable[[], float], time_at: TimeAt
) -> NoPace | RowPace | EventPace:
    """Make the pace that was asked for; zero is as fast as possible."""
    if own.rows_per_second:
        return RowPace(own.rows_per_second, origin, clock)
    if own.speedup:
        return EventPace(own.speedup, origin, clock, time_at)
    return NoPace()
