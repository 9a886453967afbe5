"""Choosing a share of the rides so that the chosen among the first n can be counted at once.

Every block of 256 rides has a quota, and the quotas add up to the share exactly. Within a block
each ride has a rank, shuffled by the seed, and the lowest ranks are chosen.
"""

import numpy as np

from datagen.hashing import bits, hash64

BLOCK = 256


class Share:
    """A share of all rides; ride ids count from 1."""

    def __init__(self, share: float) -> None:
        """Take the share to the millionth."""
        self._millionths = round(share * 1_000_000)

    def count(self, blocks: int) -> int:
        """How many are chosen in the first so many blocks."""
        return blocks * BLOCK * self._millionths // 1_000_000

    def quota(self, ids: np.ndarray) -> np.ndarray:
        """How many are chosen in the block of each ride."""
        block = (ids - 1) // BLOCK
        before = block * (BLOCK * self._millionths) // 1_000_000
        return (block + 1) * (BLOCK * self._millionths) // 1_000_000 - before


def ranks(seed: int, field: int, ids: np.ndarray) -> np.ndarray:
    """The rank of each ride in its block, 0 to 255, each once."""
    place = ids - 1
    hashes = hash64(seed, field, place // BLOCK)
    rank = place * (bits(hashes, 0, 8) | 1) + bits(hashes, 8, 8) & 255
    rank ^= rank >> 4
    rank = rank * (bits(hashes, 16, 8) | 1) & 255
    rank ^= rank >> 4
    return rank * (bits(hashes, 24, 8) | 1) + bits(hashes, 32, 8) & 255
