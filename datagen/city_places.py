"""Where people go in the city, by the time of day, and how they get from place to place."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

# The kit is used from a clone: the one copy of the places is where learners find it too.
PLACES_CSV = Path(__file__).parents[1] / "data" / "places.csv"
# Rides are short, medium or long: so many kilometres between the places at most.
UP_TO_KM = (3.0, 9.0, 200.0)
ROAD_FACTOR = 1.3
KM_PER_DEGREE = np.array([84.3, 111.2])
START_BITS, END_BITS = 13, 12

# How much a kind of place gives and draws, by part of the day.
PARTS = ("small hours", "morning", "day", "evening", "night")
_PART_OF_HOUR = np.repeat(np.arange(len(PARTS)), [6, 4, 6, 4, 4])
_GIVES = {
    "homes": (0.5, 2.2, 1.0, 0.7, 0.7),
    "office": (0.3, 0.6, 1.3, 1.9, 0.8),
    "nightlife": (3.5, 0.5, 0.7, 1.0, 2.0),
    "sights": (0.7, 0.5, 1.3, 1.1, 1.0),
    "station": (0.6, 1.5, 1.0, 0.9, 0.8),
    "airport": (0.5, 0.9, 1.0, 1.1, 1.2),
}
_DRAWS = {
    "homes": (2.5, 0.5, 0.8, 1.4, 1.5),
    "office": (0.2, 2.3, 1.3, 0.6, 0.3),
    "nightlife": (1.0, 0.4, 0.7, 1.5, 1.8),
    "sights": (0.3, 0.6, 1.4, 1.1, 0.8),
    "station": (0.4, 1.0, 0.9, 1.5, 0.8),
    "airport": (1.6, 1.3, 1.1, 0.8, 0.4),
}


class Place(NamedTuple):
    """A place people go to and from."""

    place: str
    borough: str
    kind: str
    lon: float
    lat: float
    weight: float
    spread_m: float
    in_city: bool


@cache
def places() -> tuple[Place, ...]:
    """Read all places, those outside the city last."""
    with PLACES_CSV.open(encoding="utf-8") as file:
        return tuple(
            Place(*row[:3], *map(float, row[3:7]), row[7] == "true")
            for row in list(csv.reader(file))[1:]
        )


@cache
def centers() -> np.ndarray:
    """The longitude and latitude of each place."""
    return np.array([(place.lon, place.lat) for place in places()])


@cache
def spreads() -> np.ndarray:
    """How far around a place people get in and out, in degrees."""
    metres = np.array([place.spread_m for place in places()])
    return metres[:, None] / 1000 / KM_PER_DEGREE


def part_of_day(hour: np.ndarray) -> np.ndarray:
    """The part of the day that an hour, counted from midnight, belongs to."""
    return _PART_OF_HOUR[hour % 24]


@cache
def start_table() -> np.ndarray:
    """Places to start from, drawn by (length, part of day, random bits)."""
    return _lookup(_flows().sum(axis=3), START_BITS)


@cache
def end_table() -> np.ndarray:
    """Places to go to, drawn by (length, part of day, start, random bits)."""
    return _lookup(_flows(), END_BITS)


@cache
def tolls() -> np.ndarray:
    """What bridges and tunnels cost between two places."""
    outside = np.array([place.borough == "New Jersey" for place in places()])
    manhattan = np.array([place.borough == "Manhattan" for place in places()])
    airport = np.array([p.kind == "airport" and p.in_city for p in places()])
    crosses = outside[:, None] != outside
    tunnel = manhattan[:, None] & airport
    return np.where(crosses, 15.38, np.where(tunnel | tunnel.T, 6.94, 0.0))


@cache
def _flows() -> np.ndarray:
    """How many go from place to place, by length of the ride and part of the day."""
    km = _road_km()
    near = np.exp(-km / 3.5) + 0.04
    length = np.searchsorted(UP_TO_KM, km)
    flow = _by_part(_GIVES)[:, :, None] * _by_part(_DRAWS)[:, None, :] * near
    # Few take a taxi from a place to itself, and hardly anyone within a station.
    size_km = np.minimum([place.spread_m / 1000 for place in places()], 0.5)
    flow *= np.where(np.eye(size_km.size, dtype=bool), 0.6 * size_km**2, 1.0)
    return np.stack([flow * (length == one) for one in range(len(UP_TO_KM))])


def _by_part(factors: dict[str, tuple[float, ...]]) -> np.ndarray:
    return np.array([np.multiply(factors[p.kind], p.weight) for p in places()]).T


def _road_km() -> np.ndarray:
    apart = (centers()[:, None] - centers()) * KM_PER_DEGREE
    return ROAD_FACTOR * np.hypot(apart[..., 0], apart[..., 1])


def _lookup(weights: np.ndarray, bits: int) -> np.ndarray:
    """Lay out each row of weights over 2^bits equal steps, so that a draw is one look-up."""
    upto = weights.cumsum(axis=-1)
    # Places where no ride of this length starts are never asked for.
    upto[..., -1] += upto[..., -1] == 0
    steps = np.floor(upto / upto[..., -1:] * (1 << bits) + 0.5).astype(np.int64)
    places_of_row = np.broadcast_to(np.arange(weights.shape[-1], dtype=np.uint8), weights.shape)
    return np.repeat(places_of_row.ravel(), np.diff(steps, axis=-1, prepend=0).ravel())
