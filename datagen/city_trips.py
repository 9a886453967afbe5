"""Where the city's rides go, when they start, and how long they take."""

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
)
from datagen.city_week import LONGEST, WEEK, Week
from datagen.hashing import bits, hash64

# Epoch seconds of the Monday on which the stream begins, at midnight in New York.
MONDAY = 1_709_528_400
SHORTEST = 90
_RIDE, _START, _END = range(3)
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


@dataclass(slots=True)
class Trips:
    """Rides without a driver: places by their number, positions as longitude and latitude."""

    start: np.ndarray
    seconds: np.ndarray
    start_place: np.ndarray
    end_place: np.ndarray
    start_at: list[np.ndarray]
    end_at: list[np.ndarray]
    km: np.ndarray


def make_trips(
    week: Week, seed: int, ids: np.ndarray, number: np.ndarray, slot: np.ndarray
) -> Trips:
    """Make the trips of rides, given the number of each one's week and its slot in there."""
    hashes = hash64(seed, _RIDE, ids)
    since = week.opens[slot] + week.width[slot] * (bits(hashes, 0, 16) / 65536)
    hour, length = week.hour[slot], week.length[slot]
    start_place, end_place = _draw_places(length, part_of_day(hour), hashes)
    start_at = _scatter(start_place, hash64(seed, _START, ids))
    end_at = _scatter(end_place, hash64(seed, _END, ids))
    km = _distance(start_at, end_at)
    seconds = _duration(km, _KMH[hour], length, bits(hashes, 52, 12))
    start = MONDAY + number * WEEK + since.astype(np.int64)
    return Trips(start, seconds, start_place, end_place, start_at, end_at, km)


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
