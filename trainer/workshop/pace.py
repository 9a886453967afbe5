"""How much may come from one place: a flood from one is slowed, and not the class."""

import time
from collections.abc import Callable, Hashable

MOST_PLACES = 10_000


class Pace:
    """Lets so many through at once, and after that so many a second, for each place."""

    def __init__(
        self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with nothing used up."""
        self.burst, self.a_second, self.clock = burst, a_second, clock
        self._used: dict[Hashable, tuple[float, float]] = {}

    def wait(self, place: Hashable, how_many: float = 1) -> float:
        """Count what came from a place and give 0, or count nothing and give how long to wait."""
        if seconds := self.due(place, how_many):
            return seconds
        if len(self._used) >= MOST_PLACES:
            self._used = {each: kept for each, kept in self._used.items() if self.used(each)}
        self._used[place] = self.used(place) + how_many, self.clock()
        return 0.0

    def due(self, place: Hashable, how_many: float = 1) -> float:
        """Give how long a place has to wait before so much may come from it; 0 for not at all."""
        used = self.used(place)
        over = used + how_many - self.burst
        # Whoever has used up nothing may send more than ever goes at once: it would never go else.
        return over / self.a_second if used and over > 0 else 0.0

    def used(self, place: Hashable) -> float:
        """Give how much of what a place may send is used up at present."""
        used, at = self._used.get(place, (0.0, 0.0))
        return max(0.0, used - (self.clock() - at) * self.a_second)
