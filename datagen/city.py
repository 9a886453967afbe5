"""Profile city: a realistic city of taxis, each ride a pure function of the seed and its id.

The stream begins on Monday, 2024-03-04, at midnight in New York. The city keeps winter time
(UTC−5) all year. A ride's place in the week says when it starts and which car takes it; where it
starts is drawn by the part of the day; where it ends by how near and how popular a place is then.
Distance, hour and luck make the duration, distance and duration the fare, and the way of paying
the tip. Nobody's number of passengers depends on anything.

A car is driven from 5 to 17 o'clock by a day driver and then by a night driver. Seven drivers
share six cars, so each has a day off in seven. Events arrive in order of event time.
"""

from dataclasses import dataclass

import numpy as np

from datagen.city_places import (
    END_BITS,
    KM_PER_DEGREE,
    ROAD_FACTOR,
    START_BITS,
    centers,
    end_table,
    part_of_day,
    places,
    spreads,
    start_table,
    tolls,
)
from datagen.city_week import LONGEST, WEEK, car_of, week
from datagen.columns import Fares, Rides
from datagen.hashing import bits, hash64

MONDAY = 1_709_528_400
SHIFT, FIRST_SHIFT_AT = 12 * 3600, 5 * 3600
FIRST_TAXI, FIRST_DRIVER = 1_000_001, 2_000_001
SHORTEST = 90

_RIDE, _START, _END, _PAY = range(4)
_PASSENGERS = np.repeat(np.arange(1, 7, dtype=np.int16), [733, 149, 43, 25, 41, 33])
# Kilometres an hour of a very short trip, by hour of the day: workdays, then the weekend.
# fmt: off
_WORKDAY_KMH = (
    26, 28, 29, 30, 30, 27, 21, 16, 13, 13, 14, 14, 14, 14, 13, 13, 12, 12, 13, 15, 17, 19, 21, 24,
)
_WEEKEND_KMH = (
    24, 25, 26, 28, 29, 29, 28, 26, 23, 20, 18, 17, 16, 16, 16, 16, 16, 16, 16, 17, 18, 19, 20, 22,
)
# fmt: on
_KMH = np.array(5 * _WORKDAY_KMH + 2 * _WEEKEND_KMH, dtype=np.float64)
_FREE_KM = 15.0
_FLAG, _PER_KM, _PER_MINUTE = 3.0, 1.9, 0.45


@dataclass(slots=True)
class _Trips:
    """Where rides go and how long they take."""

    start_place: np.ndarray
    end_place: np.ndarray
    start_at: list[np.ndarray]
    end_at: list[np.ndarray]
    km: np.ndarray
    start: np.ndarray
    seconds: np.ndarray
    taxi: np.ndarray
    driver: np.ndarray
    hashes: np.ndarray


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
        ids = np.arange(first, stop, dtype=np.int64)
        trips = self._trips(ids)
        end = trips.start + trips.seconds
        return Rides(
            ids,
            trips.taxi,
            trips.driver,
            trips.start,
            end,
            *(side.astype(np.float32) for side in trips.start_at + trips.end_at),
            passenger_count=_PASSENGERS[bits(trips.hashes, 16, 10)],
            start_arrival=trips.start,
            end_arrival=end,
        )

    def fares(self, first: int, stop: int) -> Fares:
        """Make the fares of rides first…stop−1."""
        ids = np.arange(first, stop, dtype=np.int64)
        trips = self._trips(ids)
        luck = hash64(self._seed, _PAY, ids)
        by_card = bits(luck, 0, 16) < 0.72 * (1 << 16)
        fare = _FLAG + _PER_KM * trips.km + _PER_MINUTE / 60 * trips.seconds
        fare = np.round(fare * 10) / 10
        tip = np.round(fare * _tip_rate(by_card, luck) * 20) / 20
        toll = tolls()[trips.start_place, trips.end_place]
        return Fares(
            ids,
            trips.taxi,
            trips.driver,
            trips.start,
            by_card,
            *(money.astype(np.float32) for money in (tip, toll, fare + tip + toll)),
        )

    def _trips(self, ids: np.ndarray) -> _Trips:
        hashes = hash64(self._seed, _RIDE, ids)
        number, slot = np.divmod(ids - 1, self._week.opens.size)
        since = self._week.opens[slot] + self._week.width[slot] * (bits(hashes, 0, 16) / 65536)
        start = MONDAY + number * WEEK + since.astype(np.int64)
        hour, length = self._week.hour[slot], self._week.length[slot]
        start_place, end_place = _draw_places(length, part_of_day(hour), hashes)
        start_at = _scatter(start_place, hash64(self._seed, _START, ids))
        end_at = _scatter(end_place, hash64(self._seed, _END, ids))
        km = _distance(start_at, end_at)
        seconds = _duration(km, _KMH[hour], length, bits(hashes, 52, 12))
        taxi = car_of(self._week, self._seed, number, slot)
        taxi = taxi * _STRIDE % self._week.cars
        return _Trips(
            start_place,
            end_place,
            start_at,
            end_at,
            km,
            start,
            seconds,
            FIRST_TAXI + taxi,
            FIRST_DRIVER + _driver(taxi, start),
            hashes,
        )


# A prime above the number of cars: numbers the cars so that neighbours do not wait in one line.
_STRIDE = 7919


def _draw_places(
    length: np.ndarray, part: np.ndarray, hashes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    row = length * 5 + part
    start = start_table()[(row << START_BITS) + bits(hashes, 26, START_BITS)]
    row = row * len(places()) + start
    return start, end_table()[(row << END_BITS) + bits(hashes, 39, END_BITS)]


def _scatter(place: np.ndarray, hashes: np.ndarray) -> list[np.ndarray]:
    """Longitude and latitude somewhere around a place, mostly near its centre."""
    sides, reach = [], ((bits(hashes, 60, 4) + 1) / 16) ** 2
    for side in range(2):
        low, high = bits(hashes, 30 * side, 15), bits(hashes, 30 * side + 15, 15)
        away = (low - high) * reach / (1 << 15)
        sides.append(centers()[:, side][place] + spreads()[:, side][place] * away)
    return sides


def _distance(start: list[np.ndarray], end: list[np.ndarray]) -> np.ndarray:
    """Kilometres by road."""
    east, north = ((end[i] - start[i]) * KM_PER_DEGREE[i] for i in range(2))
    return ROAD_FACTOR * np.sqrt(east * east + north * north)


def _duration(km: np.ndarray, kmh: np.ndarray, length: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Whole seconds: the longer the trip, the faster the roads it takes."""
    driven = km * 3600 / (kmh * (1 + km / _FREE_KM))
    seconds = SHORTEST + driven * (0.8 + 0.5 / 4096 * luck)
    return np.minimum(seconds.astype(np.int64), np.array(LONGEST)[length])


def _driver(taxi: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Seven drivers share six cars by day, seven others by night; each day one has off."""
    shift = (start - (MONDAY + FIRST_SHIFT_AT)) // SHIFT
    group, car = np.divmod(taxi, 6)
    return (group * 7 + (car + (shift >> 1)) % 7) * 2 + (shift & 1)


def _tip_rate(by_card: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """By card most tip 15 to 25 percent; one in sixteen who pay cash rounds up a little."""
    rate = 0.15 + (bits(luck, 16, 16) + bits(luck, 32, 16)) * (0.1 / 131072)
    stingy = bits(luck, 48, 4) == 0
    return np.where(by_card, np.where(stingy, 0.0, rate), np.where(stingy, 0.05, 0.0))
