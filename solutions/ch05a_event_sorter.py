"""The event sorter: all ride events in one order."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor
from pyspark.sql.types import StructType

HINTS = (
    """
    Keep what comes on a shelf, and let the watermark say what may leave it. A processor has both:
    state for the shelf, and timers, which call when the watermark has reached a time.
    """,
    """
    One shelf needs one key: group by a constant. A map from event time to the events of that
    time, and a timer for each event time, are all you need: timers that are due fire in order of
    time, and one set in the past fires in this same micro-batch.
    """,
    """
    In `handleInputRows` put each row under its time in milliseconds, and ask for a call:
    ```
    self.handle.registerTimer(time)
    ```
    In `handleExpiredTimer` yield the rows under this time, and remove that key:
    ```
    time = expiredTimerInfo.getExpiryTimeInMs()
    ```
    Don't look for late rows: behind `withWatermark` Spark has dropped them before your processor
    is called.
    """,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Shelf(StatefulProcessor):
    """Keeps events under their time until the watermark gets there."""

    def __init__(self, schema: StructType) -> None:
        """Take the columns of an event."""
        self._names, self._event = schema.names, schema.simpleString()

    def init(self, handle) -> None:
        """Open the shelf: a map from a time to the events of that time."""
        self.handle = handle
        self.shelf = handle.getMapState("shelf", "time bigint", f"events array<{self._event}>")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put each event under its time, and ask to be called at that time."""
        for row in rows:
            time = (row.event_time - EPOCH) // timedelta(milliseconds=1)
            there = self.shelf.getValue((time,))[0] if self.shelf.containsKey((time,)) else []
            event = tuple(row[name] for name in self._names)
            self.shelf.updateValue((time,), ([*there, event],))
            self.handle.registerTimer(time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Hand out the events of a time that the watermark has reached."""
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        yield from self.shelf.getValue(time)[0]
        self.shelf.removeKey(time)


def sort_events(rides: DataFrame) -> DataFrame:
    """Give all ride events in order of event time, each as soon as the watermark has reached it."""
    timed = rides.withWatermark("event_time", "60 seconds")
    # One order over all rides is one key, and so the work of one task: order can't be shared out.
    one_shelf = timed.withColumn("shelf", F.lit(1)).groupBy("shelf")
    return one_shelf.transformWithState(Shelf(rides.schema), rides.schema, "append", "eventTime")
