"""The classic ride stream as one would first write it: row by row, in plain Python."""

import heapq
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

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


def events() -> Iterator[tuple]:
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
