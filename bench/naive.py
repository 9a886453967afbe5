"""The ride streams as one would first write them: row by row, in plain Python.

`classic` makes exactly the events of the profile. `city` makes the columns of a simpler city, so
the comparison flatters it.
"""

import heapq
import math
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

SCHEMA = """ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean,
event_time timestamp, start_lon float, start_lat float, end_lon float, end_lat float,
passenger_count smallint"""
NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
f32 = np.float32


class JavaRandom:
    """java.util.Random, as its documentation describes it."""

    def __init__(self, seed: int) -> None:
        """Scramble the seed."""
        self.state, self.spare = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1), None

    def next(self, bits: int) -> int:
        """Draw so many bits, as a signed 32-bit number."""
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        value = self.state >> (48 - bits)
        return value - (1 << 32) if value >= 1 << 31 else value

    def next_int(self, bound: int) -> int:
        """Draw a number from 0 to bound−1."""
        if bound & (bound - 1) == 0:
            return bound * self.next(31) >> 31
        while True:
            bits = self.next(31)
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound

    def next_double(self) -> float:
        """Draw a number from 0 up to 1."""
        return ((self.next(26) << 27) + self.next(27)) * 2.0**-53

    def next_gaussian(self) -> float:
        """Draw from the normal distribution by the polar method, which makes two at a time."""
        if self.spare is not None:
            value, self.spare = self.spare, None
            return value
        square = 0.0
        while square >= 1 or square == 0:
            v1, v2 = 2 * self.next_double() - 1, 2 * self.next_double() - 1
            square = v1 * v1 + v2 * v2
        factor = math.sqrt(-2 * math.log(square) / square)
        self.spare = v2 * factor
        return v1 * factor


def whole(seed: int, low: int, high: int, mean: float, sd: float) -> int:
    """Draw a whole number around a mean until it lies in its range."""
    generator = JavaRandom(seed)
    while True:
        value = math.floor(sd * generator.next_gaussian() + mean + 0.5)
        if low <= value <= high:
            return value


def coordinate(seed: int, low: f32, high: f32) -> float:
    """Draw a coordinate in 32-bit arithmetic until it lies in its range."""
    generator = JavaRandom(seed)
    mean, sd = (low + high) / f32(2), float((high - low) / f32(8))
    while True:
        value = f32(sd * generator.next_gaussian()) + mean
        if low <= value <= high:
            return float(value)


LON = f32(-74.05 - float(f32(0.1))), f32(-73.7 + float(f32(0.1)))
LAT = f32(40.5 - float(f32(0.1))), f32(41.0 + float(f32(0.1)))


def classic_ride(number: int) -> tuple[tuple, tuple]:
    """Make the START and the END of one classic ride."""
    driver = 2_013_000_000 + JavaRandom(number).next_int(200)
    start = NOON + timedelta(seconds=20 * number)
    end = start + timedelta(minutes=whole(number, 0, 600, 20, 40))
    places = [coordinate(seed, *side) for seed in (number, number + 42) for side in (LON, LAT)]
    rest = (*places, whole(number, 1, 4, 2.5, 3 / 8))
    key = (number, driver, driver)
    return (*key, True, start, *rest), (*key, False, end, *rest)


def classic(events: int) -> Iterator[tuple]:
    """Give the first so many events of the classic ride stream."""
    return first(events, classic_events())


def classic_events() -> Iterator[tuple]:
    """Give the classic ride stream: the ENDs that are due, then five STARTs, shuffled."""
    pending: list[tuple] = []
    for group in range(10**9):
        rides = [classic_ride(group * 5 + n) for n in range(1, 6)]
        for _, end in rides:
            heapq.heappush(pending, (end[4], end[0], end))
        while pending and pending[0][0] <= rides[-1][0][4]:
            yield heapq.heappop(pending)[2]
        starts, shuffler = [start for start, _ in rides], JavaRandom(group * 5)
        for size in range(5, 1, -1):
            other = shuffler.next_int(size)
            starts[size - 1], starts[other] = starts[other], starts[size - 1]
        yield from starts


PLACES = [(-73.98, 40.755), (-73.99, 40.735), (-73.96, 40.775), (-73.78, 40.645), (-73.87, 40.775)]


def city_ride(seed: int, number: int) -> tuple[tuple, tuple]:
    """Make the START and the END of one ride in a simpler city."""
    draw = random.Random(seed << 40 | number)
    (start_lon, start_lat), (end_lon, end_lat) = draw.choices(PLACES, k=2)
    lons = start_lon + draw.gauss(0, 0.01), end_lon + draw.gauss(0, 0.01)
    lats = start_lat + draw.gauss(0, 0.01), end_lat + draw.gauss(0, 0.01)
    km = math.hypot((lons[1] - lons[0]) * 84, (lats[1] - lats[0]) * 111)
    start = NOON + timedelta(seconds=2 * number)
    end = start + timedelta(seconds=90 + int(km * 180 * draw.uniform(0.8, 1.3)))
    rest = (lons[0], lats[0], lons[1], lats[1], draw.choice((1, 1, 1, 2, 3)))
    key = (number, draw.randrange(1000), draw.randrange(2000))
    return (*key, True, start, *rest), (*key, False, end, *rest)


def city(events: int, seed: int = 0) -> Iterator[tuple]:
    """Give the first so many events of a simpler city."""
    return first(events, city_events(seed))


def city_events(seed: int) -> Iterator[tuple]:
    """Give START and END of every ride by event time."""
    pending: list[tuple] = []
    for number in range(1, 10**9):
        start, end = city_ride(seed, number)
        while pending and pending[0][0] <= start[4]:
            yield heapq.heappop(pending)[2]
        yield start
        heapq.heappush(pending, (end[4], end[0], end))


def first(events: int, stream: Iterator[tuple]) -> Iterator[tuple]:
    """Give the first so many of a stream."""
    return (event for _, event in zip(range(events), stream, strict=False))


class NaiveRides(DataSource):
    """The ride stream as a Spark source that yields one Python tuple after the other."""

    @classmethod
    def name(cls) -> str:
        """Give the name of the format."""
        return "naive_taxi_rides"

    def schema(self) -> str:
        """Give the columns."""
        return SCHEMA

    def reader(self, schema: object) -> DataSourceReader:
        """Give the reader of a batch."""
        return NaiveReader(self.options["profile"], int(self.options["stop"]))


class NaiveReader(DataSourceReader):
    """Reads the first events of a stream in one task."""

    def __init__(self, profile: str, events: int) -> None:
        """Take what to read."""
        self.profile, self.events = profile, events

    def read(self, partition: InputPartition) -> Iterator[tuple]:
        """Make the events row by row."""
        return {"classic": classic, "city": city}[self.profile](self.events)
