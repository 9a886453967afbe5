"""Users that are nobody else, one for each runner, where root starts it."""

import itertools
import os
from pathlib import Path

EACH = 100
# The last number that every system takes for a user; above it, some see a negative one.
LAST = 2**31 - 2
FEWEST = 10_000
_numbers = itertools.count()


def stranger() -> int | None:
    """Name a user that no other runner has; None where this process can't become another."""
    if os.geteuid() != 0:
        return None
    first, length = _widest()
    if length < FEWEST:
        return None
    last = min(first + length - 1, LAST)
    # In the upper half of what there is: people and services have low numbers.
    return last - (EACH * os.getpid() + next(_numbers) % EACH) % ((last - first) // 2)


def _widest() -> tuple[int, int]:
    """Give the first number, and how many, of the widest range of users that there is here."""
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    ranges = [(int(first), int(length)) for first, _, length in map(str.split, lines)]
    return max(ranges, key=lambda each: each[1], default=(0, 0))
