"""How a query goes along a taxi stream: an offset is a position, and a position is a row."""

import time
from collections.abc import Callable, Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from datagen.live import ENDLESS
from datagen.one_line import in_one_line
from datagen.options import OptionError
from datagen.pace import make_pace
from datagen.pieces import Piece, split
from datagen.reading import Reading

_PAUSE = 0.02


class TaxiStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads a taxi stream micro-batch by micro-batch.

    A row depends on its position alone, so a query that resumes from a checkpoint reads the next
    row, and a replayed micro-batch has the same rows as before.
    """

    def __init__(
        self,
        reading: Reading,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take what to read; a test may bring its own clock and sleep."""
        self._reading, self._sleep = reading, sleep
        # A monotonic clock stands still while a laptop sleeps; catching up needs the wall's.
        self._clock = clock or (time.time if reading.own.catch_up else time.monotonic)
        self._drains, self._pace = False, None

    def initialOffset(self) -> dict:
        """Give the offset of a query that starts anew."""
        offset = {"position": self._reading.own.start}
        return offset | {"began": self._clock()} if self._reading.own.catch_up else offset

    def getDefaultReadLimit(self) -> ReadLimit:
        """Give the most rows of a micro-batch."""
        return ReadMaxRows(self._reading.own.rows_per_batch)

    def prepareForTriggerAvailableNow(self) -> None:
        """Promise an end: that of the stream or of this run."""
        own = self._reading.own
        if self._reading.end() is None and own.batches_per_run is None:
            with in_one_line():
                raise OptionError(
                    "This stream never ends, so availableNow would never be done. "
                    "Set the option rides, stop or batches_per_run."
                )
        self._drains = True

    def latestOffset(self, start: dict, limit: ReadLimit) -> dict:
        """Give the offset where the next micro-batch ends, which is `start` when no row is due."""
        position = start["position"]
        if self._pace is None:
            self._begin(start)
        stop = max(position, min(self._last, self._reach(position, limit)))
        due = self._pace.due(position, stop)
        while self._drains and due == position < stop:
            # A draining query ends at the first micro-batch without rows, so wait for the next.
            self._sleep(_PAUSE)
            due = self._pace.due(position, stop)
        return start | {"position": due}

    def partitions(self, start: dict, end: dict) -> list[Piece]:
        """Split a micro-batch for its tasks."""
        return split(start["position"], end["position"], self._reading.own.partitions)

    def read(self, piece: Piece) -> Iterator[pa.RecordBatch]:
        """Make the rows of one task."""
        return self._reading.rows(piece.start, piece.stop)

    def _begin(self, start: dict) -> None:
        """Set the pace and the end of this run; the pace counts from now, unless it catches up."""
        own, position = self._reading.own, start["position"]
        began, origin = self._clock(), position
        if own.catch_up and "began" in start:
            began, origin = start["began"], own.start
        self._pace = make_pace(own, origin, lambda: self._clock() - began, self._reading.time_at)
        end = self._reading.end()
        self._last = ENDLESS if end is None else end
        if own.batches_per_run is not None:
            self._last = min(self._last, position + own.batches_per_run * own.rows_per_batch)

    def _reach(self, position: int, limit: ReadLimit) -> int:
        if isinstance(limit, ReadAllAvailable) and self._last < ENDLESS:
            return self._last
        most = getattr(limit, "max_rows", self._reading.own.rows_per_batch)
        return position + most
