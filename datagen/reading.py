"""What one Spark query reads: which stream, how far it goes, and the rows of any piece of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from datagen.options import Options
from datagen.pieces import Piece, split
from datagen.source_options import SourceOptions
from datagen.stream import RideStream

# The newest of so many rows tells the time of the stream even where some of them are late.
_ROWS_TO_TELL_TIME = 64
_TIMES = ("event_time", "start_time")


@dataclass(frozen=True)
class Reading:
    """A stream, its options, and the options of the source; it goes to the workers as it is."""

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

    def pieces(self, start: int, stop: int) -> list[Piece]:
        """Split a range for the tasks that share it."""
        return split(start, stop, self.own.partitions)

    def read(self, piece: Piece) -> Iterator[pa.RecordBatch]:
        """Make the rows of a piece, batch by batch."""
        return self.kind(self.options).batches(piece.start, piece.stop)

    def time_at(self, position: int) -> float:
        """Tell the event time that the stream has reached at a position, in epoch seconds."""
        timed = [name for name in self.schema().names if name in _TIMES]
        # Raw lines have no column to look at: they are the events of the rides, one for one.
        stream = (self.kind if timed else RideStream)(self.options)
        start = max(0, position + 1 - _ROWS_TO_TELL_TIME)
        batches = stream.batches(start, position + 1)
        times = [batch[timed[0] if timed else "event_time"] for batch in batches]
        return pc.max(pa.chunked_array(times)).as_py().timestamp()
