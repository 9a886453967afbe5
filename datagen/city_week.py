"""The week of the city: how many rides start when, and which car takes each.

Every week asks for the same number of rides in each five minutes, so the rides before any moment
can be counted at once, and a ride's id says its place in the week: its slot, a short stretch of
time within which it starts.

Cars take turns. Short, medium and long rides have a line of cars each, so many that a car's turn
comes again only after the longest ride of that length is over: so no car and no driver ever has
two rides at once. Within groups of eight the turns are shuffled, and in every eighth turn a car
rests and a relief car steps in.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from datagen.hashing import bits, hash64

WEEK = 7 * 86_400
STEP = 300
LONGEST = (24 * 60, 42 * 60, 75 * 60)
HANDOVER = 60
_SHARES = (0.52, 0.36, 0.12)
_LENGTH, _TURN = 60, 61

# Rides a minute at each full hour.
# fmt: off
_WORKDAY = (
    12, 8, 5, 4, 5, 9, 20, 36, 43, 39, 35, 34, 36, 36, 37, 37, 36, 43, 51, 50, 44, 39, 32, 22,
)
_FRIDAY = (
    18, 12, 7, 5, 5, 9, 19, 34, 41, 38, 35, 35, 37, 37, 38, 38, 37, 43, 51, 53, 50, 48, 47, 45,
)
_SATURDAY = (
    41, 35, 28, 19, 10, 7, 8, 12, 19, 27, 33, 37, 39, 40, 40, 40, 40, 42, 46, 49, 46, 45, 46, 46,
)
_SUNDAY = (
    43, 38, 30, 21, 11, 7, 7, 10, 16, 24, 31, 35, 37, 37, 37, 36, 35, 35, 36, 34, 31, 27, 22, 17,
)
# fmt: on
_WEEK_DEMAND = (_WORKDAY, _WORKDAY, _WORKDAY, _WORKDAY, _FRIDAY, _SATURDAY, _SUNDAY)


@dataclass(frozen=True, slots=True)
class Week:
    """One row a slot, in order of time: when it opens, how wide it is, and the ride in it."""

    opens: np.ndarray
    width: np.ndarray
    hour: np.ndarray
    length: np.ndarray
    rank: np.ndarray
    rides: np.ndarray
    line: np.ndarray

    @property
    def cars(self) -> int:
        """How many cars the city has, relief included."""
        return int(_cars(self.line).sum())

    def most_within(self, seconds: float) -> int:
        """No stretch of so many seconds has more starts than this."""
        return _most_within(self.opens, self.width, seconds)


@lru_cache(maxsize=8)
def week(seed: int) -> Week:
    """Lay out the week of a seed."""
    counts = _rides_by_step()
    step = np.repeat(np.arange(counts.size), counts)
    nth = np.arange(step.size) - np.repeat(counts.cumsum() - counts, counts)
    width = STEP / counts[step]
    opens = step * STEP + nth * width
    length = _lengths(seed, step.size)
    rank, rides, line = np.empty_like(step), [], []
    for one, longest in enumerate(LONGEST):
        of = np.flatnonzero(length == one)
        rank[of] = np.arange(of.size)
        rides.append(of.size)
        line.append(_line(opens[of], width[of], longest))
    hour = step * STEP // 3600
    return Week(opens, width, hour, length, rank, np.array(rides), np.array(line))


def car_of(week: Week, seed: int, number: np.ndarray, slot: np.ndarray) -> np.ndarray:
    """The car that takes the ride of a slot in the week of this number."""
    length = week.length[slot]
    line = week.line[length]
    turn, place = np.divmod(number * week.rides[length] + week.rank[slot], line)
    shuffle = hash64(seed, _TURN, (turn << 20) + (place >> 3 << 2) + length)
    place ^= bits(shuffle, 0, 3)
    rests = (place & 7) == (turn & 7)
    car = np.where(rests, line + (place >> 3), place)
    first = np.concatenate([[0], _cars(week.line).cumsum()])
    return car + first[length]


def _rides_by_step() -> np.ndarray:
    """How many rides start in each five minutes of the week, from Monday midnight."""
    hours = np.array(_WEEK_DEMAND).ravel()
    at = np.arange(WEEK // STEP) * STEP / 3600
    per_minute = np.interp(at, np.arange(hours.size + 1), np.append(hours, hours[0]))
    return np.round(per_minute * STEP / 60).astype(np.int64)


def _lengths(seed: int, slots: int) -> np.ndarray:
    """Which slots hold short, medium and long rides."""
    drawn = bits(hash64(seed, _LENGTH, np.arange(slots)), 0, 32) / 2**32
    return np.searchsorted(np.cumsum(_SHARES[:-1]), drawn, side="right")


def _line(opens: np.ndarray, width: np.ndarray, longest: float) -> int:
    """How many cars must take turns; 7 more than are busy at once, as eight swap their turns."""
    busy = _most_within(opens, width, longest + HANDOVER)
    return -(-(busy + 7) // 8) * 8


def _most_within(opens: np.ndarray, width: np.ndarray, seconds: float) -> int:
    """The most slots that can see a start within so many seconds of another's."""
    twice = np.concatenate([opens, opens + WEEK, opens + 2 * WEEK])
    last = np.searchsorted(twice, opens + width + seconds, side="right")
    return int((last - np.arange(opens.size)).max())


def _cars(line: np.ndarray) -> np.ndarray:
    return line + line // 8
