"""Random numbers without a state: each is a hash of a seed, a field and a number."""

import numpy as np

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def hash64(seed: int, field: int, numbers: np.ndarray) -> np.ndarray:
    """64 random bits for each number, by SplitMix64; fields of one seed are independent."""
    key = _mix_int(_mix_int(seed & _MASK) + field * _GOLDEN)
    mixed = numbers.astype(np.uint64)
    mixed *= np.uint64(_GOLDEN)
    mixed += np.uint64(key)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def bits(hashes: np.ndarray, low: int, count: int) -> np.ndarray:
    """Some of the bits of each hash, as an int64."""
    return ((hashes >> np.uint64(low)) & np.uint64((1 << count) - 1)).view(np.int64)


def _mix_int(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & _MASK
    return value ^ value >> 31
