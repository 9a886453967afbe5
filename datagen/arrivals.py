"""The order in which the events of some rides arrive."""

from dataclasses import dataclass

import numpy as np

from datagen.flaws import Deliveries


@dataclass(slots=True)
class Arrivals:
    """Events in arrival order: the row of the ride each belongs to, its kind, is it a copy."""

    ride: np.ndarray
    kind: np.ndarray
    is_copy: np.ndarray


def arrange(kinds: list[tuple[np.ndarray, Deliveries]], start: int, stop: int) -> Arrivals:
    """Sort the events of some rides by arrival, then ride, then kind; keep start…stop−1.

    Each kind brings its events' arrival, in seconds, before any flaw, and their deliveries.
    """
    earliest = min((int(arrival.min()) for arrival, _ in kinds if arrival.size), default=0)
    row_bits = max(arrival.size for arrival, _ in kinds).bit_length()
    keys = []
    for kind, (arrival, sent) in enumerate(kinds):
        since = (arrival - earliest) * 1000
        code = (np.arange(arrival.size) << 2) + (kind << 1)
        original = (since + sent.delay << row_bits + 2) + code
        keys.append(original[~sent.missing] if sent.missing.any() else original)
        if sent.twice.any():
            copy = (since + sent.copy_delay << row_bits + 2) + code + 1
            keys.append(copy[sent.twice])
    order = np.sort(np.concatenate(keys))[start:stop]
    row = order >> 2 & (1 << row_bits) - 1
    return Arrivals(row, order >> 1 & 1, (order & 1).astype(bool))
