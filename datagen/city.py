"""Profile city: a realistic city of taxis, each ride a pure function of the seed and its id.

The stream begins on Monday, 2024-03-04, at midnight in New York. The city keeps winter time
(UTC−5) all year. A ride's place in the week says when it starts and which car takes it; where it
starts is drawn by the part of the day; where it ends by how near and how popular a place is then.
Distance, hour and luck make the duration, distance and duration the fare, and the way of paying
the tip. Nobody's number of passengers depends on anything.

A car is driven from 5 to 17 o'clock by a day driver and then by a night driver. Seven drivers
share six cars, so each has a day off in seven. Events arrive in order of event time.
"""

import numpy as np

from datagen.city_places import tolls
from datagen.city_trips import MONDAY, Trips, make_trips
from datagen.city_week import LONGEST, car_of, week
from datagen.columns import Fares, Rides
from datagen.hashing import bits, hash64

SHIFT, FIRST_SHIFT_AT = 12 * 3600, 5 * 3600
FIRST_TAXI, FIRST_DRIVER = 1_000_001, 2_000_001

_PAY, _ABOARD = 3, 4
_PASSENGERS = np.repeat(np.arange(1, 7, dtype=np.int16), [733, 149, 43, 25, 41, 33])
_FLAG, _PER_KM, _PER_MINUTE = 3.0, 1.9, 0.45
# A prime above the number of cars: numbers the cars so that neighbours do not wait in one line.
_STRIDE = 7919


class City:
    """The rides and fares of the city of a seed."""

    hot_taxi, hot_driver = FIRST_TAXI, FIRST_DRIVER

    def __init__(self, seed: int) -> None:
        """Take the seed that everything depends on."""
        self._seed, self._week = seed, week(seed)

    def rides_within(self, seconds: float) -> int:
        """How many rides can start before an event that is this late has arrived."""
        return self._week.most_within(max(LONGEST) + seconds) + 1

    def rides(self, first: int, stop: int) -> Rides:
        """Make rides first…stop−1."""
        ids, trips, taxi, driver = self._make(first, stop)
        end = trips.start + trips.seconds
        return Rides(
            ids,
            taxi,
            driver,
            trips.start,
            end,
            *(side.astype(np.float32) for side in trips.start_at + trips.end_at),
            passenger_count=_PASSENGERS[bits(hash64(self._seed, _ABOARD, ids), 0, 10)],
            start_arrival=trips.start,
            end_arrival=end,
        )

    def fares(self, first: int, stop: int) -> Fares:
        """Make the fares of rides first…stop−1."""
        ids, trips, taxi, driver = self._make(first, stop)
        luck = hash64(self._seed, _PAY, ids)
        by_card = bits(luck, 0, 16) < 0.72 * (1 << 16)
        fare = _FLAG + _PER_KM * trips.km + _PER_MINUTE / 60 * trips.seconds
        fare = np.round(fare * 10) / 10
        tip = np.round(fare * _tip_rate(by_card, luck) * 20) / 20
        toll = tolls()[trips.start_place, trips.end_place]
        money = (part.astype(np.float32) for part in (tip, toll, fare + tip + toll))
        return Fares(ids, taxi, driver, trips.start, by_card, *money)

    def _make(self, first: int, stop: int) -> tuple[np.ndarray, Trips, np.ndarray, np.ndarray]:
        """Make ids, trips, taxis and drivers."""
        ids = np.arange(first, stop, dtype=np.int64)
        number, slot = np.divmod(ids - 1, self._week.opens.size)
        trips = make_trips(self._week, self._seed, ids, number, slot)
        car = car_of(self._week, self._seed, number, slot) * _STRIDE % self._week.cars
        return ids, trips, FIRST_TAXI + car, FIRST_DRIVER + _driver(car, trips.start)


def _driver(car: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Seven drivers share six cars by day, seven others by night; each day one has off."""
    shift = (start - (MONDAY + FIRST_SHIFT_AT)) // SHIFT
    group, seat = np.divmod(car, 6)
    return (group * 7 + (seat + (shift >> 1)) % 7) * 2 + (shift & 1)


def _tip_rate(by_card: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """By card most tip 15 to 25 percent; one in sixteen who pay cash rounds up a little."""
    rate = 0.15 + (bits(luck, 16, 16) + bits(luck, 32, 16)) * (0.1 / 131072)
    stingy = bits(luck, 48, 4) == 0
    return np.where(by_card, np.where(stingy, 0.0, rate), np.where(stingy, 0.05, 0.0))
