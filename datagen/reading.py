"""What is read: which stream, how far it goes, its rows, and the time at any position."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from datagen.options import Options
from datagen.source_options import SourceOptions
from datagen.stream import RideStream

# The newest of so many rows tells the time of the stream even where some of them are late.
_ROWS_TO_TELL_TIME = 64
_TIMES = ("event_time", "start_time")


@dataclass(frozen=True)
class Reading:
    """A stream, its options and those of the source: small enough to go to every task."""

    kind: type
    options: Options
    own: SourceOptions

    def schema(self) -> pa.Schema:
        """Give the columns."""
        return self.kind(self.options).schema

    def end(self) -> int | None:
        """Give the position after the last row, or None where the stream never ends."""
        if self.options.rides is None:
            return self.own.stop
        length = len(self.kind(self.options))
        return length if self.own.stop is None else min(length, self.own.stop)

    def rows(self, start: int, stop: int) -> Iterator[pa.RecordBatch]:
        """Make rows start…stop−1, batch by batch."""
        return self.kind(self.options).batches(start, stop)

    def time_at(self, position: int) -> float:
        """Tell the event time that the stream has reached at a position, in epoch seconds."""
        timed = [name for name in self.schema().names if name in _TIMES]
        # Raw lines have no column to look at: they are the events of the rides, one for one.
        stream = (self.kind if timed else RideStream)(self.options)
        start = max(0, position + 1 - _ROWS_TO_TELL_TIME)
        batches = stream.batches(start, position + 1)
        times = [batch[timed[0] if timed else "event_time"] for batch in batches]
        return pc.max(pa.chunked_array(times)).as_py().timestamp()
