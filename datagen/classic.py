"""Profile classic: the stream of Flink's own training, value for value.

Ride n starts 20·n seconds after noon of 2020-01-01. Each quantity comes from a fresh Java
generator seeded with n, so the fields of a ride are correlated; that flaw is kept. The data is
fixed: the seed changes the flaws laid over it and nothing else.

Starts go out five at a time, shuffled. Before each five come the ENDs that are due by then. To
give every event an arrival time that says the same, a group of five is handed out during the 100
seconds after its latest start: the ENDs in the first minute, the STARTs in the rest.
"""

import numpy as np

from datagen.columns import Fares, Rides
from datagen.java_random import Gaussians, first_state, next_int

NOON = 1_577_880_000
SECONDS_BETWEEN_RIDES = 20
LONGEST_MINUTES = 600
GROUP, GROUP_SECONDS = 5, 100
DRIVERS, FIRST_DRIVER = 200, 2_013_000_000

_LON = np.array([-74.05 - 0.1, -73.7 + np.float64(np.float32(0.1))], dtype=np.float32)
_LAT = np.array([40.5 - 0.1, 41.0 + np.float64(np.float32(0.1))], dtype=np.float32)
_END_SEED = 42


class Classic:
    """The rides and fares of Flink's training."""

    hot_taxi = hot_driver = FIRST_DRIVER

    def __init__(self, seed: int) -> None:
        """Take any seed: the data does not depend on it."""

    def rides_within(self, seconds: float) -> int:
        """How many rides can start before an event that is this late has arrived."""
        longest = 60 * LONGEST_MINUTES + 2 * GROUP_SECONDS + seconds
        return int(longest / SECONDS_BETWEEN_RIDES) + 2 * GROUP

    def rides(self, first: int, stop: int) -> Rides:
        """Make rides first…stop−1."""
        ids = np.arange(first, stop, dtype=np.int64)
        gaussians = Gaussians(first_state(np.arange(first, stop + _END_SEED)))
        starts_at, ends_at = gaussians[: ids.size], gaussians[_END_SEED:]
        start = NOON + SECONDS_BETWEEN_RIDES * ids
        end = start + 60 * _duration(starts_at)
        driver = _driver(ids)
        return Rides(
            ride_id=ids,
            taxi_id=driver,
            driver_id=driver,
            start=start,
            end=end,
            start_lon=_coordinate(starts_at, _LON),
            start_lat=_coordinate(starts_at, _LAT),
            end_lon=_coordinate(ends_at, _LON),
            end_lat=_coordinate(ends_at, _LAT),
            passenger_count=_whole(starts_at, 1, 4).astype(np.int16),
            start_arrival=_start_arrival(first, stop),
            end_arrival=_end_arrival(end),
        )

    def fares(self, first: int, stop: int) -> Fares:
        """Make the fares of rides first…stop−1."""
        ids = np.arange(first, stop, dtype=np.int64)
        gaussians = Gaussians(first_state(ids))
        driver = _driver(ids)
        tip = _whole(gaussians, 0, 60, 10, 15)
        tolls = np.where(ids % 10 == 0, _whole(gaussians, 0, 5), 0)
        return Fares(
            ride_id=ids,
            taxi_id=driver,
            driver_id=driver,
            start=NOON + SECONDS_BETWEEN_RIDES * ids,
            by_card=ids % 2 == 0,
            tip=tip.astype(np.float32),
            tolls=tolls.astype(np.float32),
            total_fare=(3 + _duration(gaussians) + tip + tolls).astype(np.float32),
        )


def _driver(ids: np.ndarray) -> np.ndarray:
    return FIRST_DRIVER + next_int(first_state(ids), DRIVERS)[0]


def _duration(gaussians: Gaussians) -> np.ndarray:
    return _whole(gaussians, 0, LONGEST_MINUTES, 20, 40)


def _whole(
    gaussians: Gaussians, low: int, high: int, mean: float | None = None, sd: float | None = None
) -> np.ndarray:
    """A whole number around a mean, halves rounded up; by default in the middle of its range."""
    mean = (low + high) / 2 if mean is None else mean
    sd = (high - low) / 8 if sd is None else sd
    drawn = gaussians.draw(lambda g: np.floor(sd * g + mean + 0.5), low, high)
    return drawn.astype(np.int64)


def _coordinate(gaussians: Gaussians, box: np.ndarray) -> np.ndarray:
    """A coordinate around the middle of the box, in the 32-bit arithmetic of the original."""
    low, high = box
    mean, sd = (low + high) / np.float32(2), np.float64((high - low) / np.float32(8))
    return gaussians.draw(lambda g: (sd * g).astype(np.float32) + mean, low, high)


def _start_arrival(first: int, stop: int) -> np.ndarray:
    """When each START is handed out: 60 to 100 seconds into its group, in shuffled order."""
    group = np.arange((first - 1) // GROUP, (stop - 2) // GROUP + 1, dtype=np.int64)
    place = _shuffled_places(group * GROUP)
    handed_out = NOON + (group[:, None] + 1) * GROUP_SECONDS + 60 + 10 * place
    skipped = first - 1 - group[0] * GROUP
    return handed_out.ravel()[skipped : skipped + stop - first]


def _shuffled_places(seeds: np.ndarray) -> np.ndarray:
    """The place of each of five after Collections.shuffle, by one row for each seed."""
    state, rows = first_state(seeds), np.arange(seeds.size)
    shuffled = np.tile(np.arange(GROUP), (seeds.size, 1))
    for size in range(GROUP, 1, -1):
        other, state = next_int(state, size)
        kept = shuffled[rows, size - 1].copy()
        shuffled[rows, size - 1] = shuffled[rows, other]
        shuffled[rows, other] = kept
    places = np.empty_like(shuffled)
    places[rows[:, None], shuffled] = np.arange(GROUP)
    return places


def _end_arrival(end: np.ndarray) -> np.ndarray:
    """When each END is handed out: in the first minute of the group it is due in."""
    since = end - NOON
    group = (since - 1) // GROUP_SECONDS
    return NOON + (group + 1) * GROUP_SECONDS + (since - group * GROUP_SECONDS) // 2
