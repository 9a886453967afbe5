"""The city's ride stream as one would first write it: row by row, in plain Python.

The tables of places and of the week are the generator's own; what is done for each ride is not.
"""

import heapq
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from datagen import city_places, city_trips, city_week
from datagen.city import _PASSENGERS, FIRST_DRIVER, FIRST_SHIFT_AT, FIRST_TAXI, SHIFT

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
RIDE, START, END, ABOARD, TURN = 0, 1, 2, 4, 61
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def mix(value: int) -> int:
    """Shuffle 64 bits."""
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & MASK
    return value ^ value >> 31


def key_of(seed: int, field: int) -> int:
    """The key of one field of a seed."""
    return mix((mix((seed + GOLDEN) & MASK) + field * GOLDEN + GOLDEN) & MASK)


def bits(value: int, low: int, count: int) -> int:
    """Some of the bits of a hash."""
    return value >> low & ((1 << count) - 1)


class City:
    """One city, with its tables as plain lists."""

    def __init__(self, seed: int = 0) -> None:
        """Lay out the tables."""
        week = city_week.week(seed)
        self.opens, self.width = week.opens.tolist(), week.width.tolist()
        self.hour, self.length = week.hour.tolist(), week.length.tolist()
        self.rank, self.rides, self.line = map(
            np.ndarray.tolist, (week.rank, week.rides, week.line)
        )
        fleet = [line + line // 8 for line in self.line]
        self.cars, self.first_car = sum(fleet), [0, fleet[0], fleet[0] + fleet[1]]
        self.part = city_places.part_of_day(np.arange(7 * 24)).tolist()
        self.starts, self.ends = (
            city_places.start_table().tolist(),
            city_places.end_table().tolist(),
        )
        self.centers = city_places.centers().tolist()
        self.spreads = city_places.spreads().tolist()
        self.kmh, self.aboard = city_trips._KMH.tolist(), _PASSENGERS.tolist()
        self.keys = {field: key_of(seed, field) for field in (RIDE, START, END, ABOARD, TURN)}

    def hash(self, field: int, number: int) -> int:
        """64 random bits for a number."""
        return mix((number * GOLDEN + self.keys[field]) & MASK)

    def ride(self, number: int) -> tuple[tuple, tuple]:
        """Make the START and the END of one ride."""
        luck = self.hash(RIDE, number)
        week, slot = divmod(number - 1, len(self.opens))
        since = int(self.opens[slot] + self.width[slot] * (bits(luck, 0, 16) / 65536))
        hour, length = self.hour[slot], self.length[slot]
        row = length * 5 + self.part[hour]
        start_place = self.starts[(row << city_places.START_BITS) + bits(luck, 26, 13)]
        row = row * len(self.centers) + start_place
        end_place = self.ends[(row << city_places.END_BITS) + bits(luck, 39, 12)]
        start_at = self.scatter(start_place, self.hash(START, number))
        end_at = self.scatter(end_place, self.hash(END, number))
        seconds = self.seconds(start_at, end_at, self.kmh[hour], bits(luck, 52, 12))
        start = city_trips.MONDAY + week * city_week.WEEK + since
        end = start + min(seconds, city_week.LONGEST[length])
        car = self.car(week, slot, length)
        key = number, FIRST_TAXI + car, FIRST_DRIVER + self.driver(car, start)
        rest = *start_at, *end_at, self.aboard[bits(self.hash(ABOARD, number), 0, 10)]
        times = [EPOCH + timedelta(seconds=second) for second in (start, end)]
        return (*key, True, times[0], *rest), (*key, False, times[1], *rest)

    def scatter(self, place: int, luck: int) -> tuple[float, float]:
        """Somewhere around a place."""
        reach = ((bits(luck, 60, 4) + 1) / 16) ** 2
        away = [(bits(luck, low, 15) - bits(luck, low + 15, 15)) * reach / 32768 for low in (0, 30)]
        center, spread = self.centers[place], self.spreads[place]
        return center[0] + spread[0] * away[0], center[1] + spread[1] * away[1]

    def seconds(self, start: tuple, end: tuple, kmh: float, luck: int) -> int:
        """How long a trip takes."""
        east = (end[0] - start[0]) * city_places.KM_PER_DEGREE[0].item()
        north = (end[1] - start[1]) * city_places.KM_PER_DEGREE[1].item()
        km = city_places.ROAD_FACTOR * math.sqrt(east * east + north * north)
        driven = km * 3600 / (kmh * (1 + km / city_trips._FREE_KM))
        return int(city_trips.SHORTEST + driven * (0.8 + 0.5 / 4096 * luck))

    def car(self, week: int, slot: int, length: int) -> int:
        """The car whose turn it is."""
        line = self.line[length]
        turn, place = divmod(week * self.rides[length] + self.rank[slot], line)
        place ^= bits(self.hash(TURN, (turn << 20) + (place >> 3 << 2) + length), 0, 3)
        rests = place & 7 == turn & 7
        car = (line + (place >> 3) if rests else place) + self.first_car[length]
        return car * 7919 % self.cars

    def driver(self, car: int, start: int) -> int:
        """Who drives that car then."""
        shift = (start - city_trips.MONDAY - FIRST_SHIFT_AT) // SHIFT
        group, seat = divmod(car, 6)
        return (group * 7 + (seat + (shift >> 1)) % 7) * 2 + (shift & 1)


def events(seed: int = 0) -> Iterator[tuple]:
    """Give START and END of every ride by their time, a START before an END of the same second."""
    city, pending = City(seed), []
    for number in range(1, 10**9):
        for event in city.ride(number):
            heapq.heappush(pending, (event[4], event[0], not event[3], event))
        # The rides still to come start no earlier than this one's slot opens.
        opens = EPOCH + timedelta(seconds=_opens(city, number + 1))
        while pending[0][0] < opens:
            yield heapq.heappop(pending)[3]


def _opens(city: City, number: int) -> int:
    week, slot = divmod(number - 1, len(city.opens))
    return city_trips.MONDAY + week * city_week.WEEK + int(city.opens[slot])
