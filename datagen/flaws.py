"""What can be wrong with a stream: which rides lack an event, what comes twice, what comes late."""

from dataclasses import dataclass

import numpy as np

from datagen.hashing import bits, hash64
from datagen.options import Options
from datagen.shares import BLOCK, Share, ranks

START, END, FARE = 1, 2, 3
_RANK, _DELAY, _COPY, _HOT = 10, 20, 30, 40


@dataclass(slots=True)
class Deliveries:
    """How one kind of event of some rides arrives; delays in milliseconds, of the copy too."""

    missing: np.ndarray
    twice: np.ndarray
    late: np.ndarray
    delay: np.ndarray
    copy_delay: np.ndarray


class Flaws:
    """The flaws of a stream, each a pure function of the seed and the ride."""

    def __init__(self, options: Options) -> None:
        """Take the knobs from the options."""
        self._options = options
        missing = {START: 0.0, END: options.missing_ends, FARE: options.missing_fares}
        self._missing = {kind: Share(share) for kind, share in missing.items()}
        self._twice = {k: Share(options.duplicates * (1 - share)) for k, share in missing.items()}
        self.gaps = {kind: share > 0 for kind, share in missing.items()}

    @property
    def longest_delay(self) -> float:
        """No event arrives this many seconds late."""
        late_by = self._options.late_by if self._options.late else 0
        return max(self._options.disorder, late_by)

    def count(self, kind: int, rides: int) -> int:
        """How many events of a kind the first so many rides have, copies included."""
        blocks, rest = divmod(rides, BLOCK)
        count = rides + self._twice[kind].count(blocks) - self._missing[kind].count(blocks)
        if rest and (self.gaps[kind] or self._options.duplicates):
            ids = np.arange(blocks * BLOCK + 1, rides + 1, dtype=np.int64)
            missing, twice = self._gaps_and_copies(kind, ids)
            count += int(twice.sum()) - int(missing.sum())
        return count

    def missing(self, kind: int, ids: np.ndarray) -> np.ndarray:
        """Which rides lack their event of this kind."""
        return self._gaps_and_copies(kind, ids)[0]

    def hot(self, ids: np.ndarray) -> np.ndarray:
        """Which rides are the hot driver's."""
        return _is_drawn(hash64(self._options.seed, _HOT, ids), self._options.hot_key)

    def deliveries(self, kind: int, ids: np.ndarray) -> Deliveries:
        """How the events of a kind arrive."""
        missing, twice = self._gaps_and_copies(kind, ids)
        late, delay = self._delays(kind, ids)
        return Deliveries(missing, twice, late, delay, self._copy_delays(kind, ids, late, delay))

    def _gaps_and_copies(self, kind: int, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # The lowest ranks of a block are missing and the highest come twice, never both.
        if not (self.gaps[kind] or self._options.duplicates):
            return np.zeros(ids.size, bool), np.zeros(ids.size, bool)
        rank = ranks(self._options.seed, _RANK + kind, ids)
        return rank < self._missing[kind].quota(ids), rank >= BLOCK - self._twice[kind].quota(ids)

    def _delays(self, kind: int, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self.longest_delay:
            return np.zeros(ids.size, bool), np.zeros(ids.size, np.int64)
        hashes = hash64(self._options.seed, _DELAY + kind, ids)
        disorder, least, most = self._bounds()
        late = _is_drawn(hashes, self._options.late)
        delay = bits(hashes, 32, 32)
        return late, np.where(late, least + (delay * (most - least) >> 32), delay * disorder >> 32)

    def _copy_delays(
        self, kind: int, ids: np.ndarray, late: np.ndarray, delay: np.ndarray
    ) -> np.ndarray:
        # A copy comes after its original and is late only if that is.
        if not (self._options.duplicates and self.longest_delay):
            return delay
        disorder, _, most = self._bounds()
        room = np.where(late, most, disorder) - delay
        return delay + (bits(hash64(self._options.seed, _COPY + kind, ids), 32, 32) * room >> 32)

    def _bounds(self) -> tuple[int, int, int]:
        """In milliseconds: of ordinary delays the end, of late ones the least and the end."""
        disorder, late_by = self._options.disorder, self._options.late_by
        return round(disorder * 1000), round((disorder + late_by) * 500), round(late_by * 1000)


def _is_drawn(hashes: np.ndarray, share: float) -> np.ndarray:
    return bits(hashes, 0, 31) < round(share * 2**31)
