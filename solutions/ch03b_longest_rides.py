"""Longest rides: announce every new record, cell by cell."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import TimerValues

HINTS = (
    """
    How much must you remember of a thousand rides from one cell, to judge the next one? One
    number will do. The key is the cell, not the ride.
    """,
    """
    `rows` is an iterator, in no order that you can count on. Make it a list by `event_time` and
    `ride_id`:
    ```
    sorted(rows, key=lambda row: (…, …))
    ```
    Only then compare each with the longest so far.
    """,
    """
    Before the loop, in it and after it:
    ```
    longest = self.longest.get()[0] if self.longest.exists() else -1.0
    for row in …:
        if row.minutes > longest:
            longest = row.minutes
            yield Row(…)
    self.longest.update((longest,))
    ```
    The `-1.0` lets a first ride of 0 minutes count.
    """,
)


class Records(StatefulProcessor):
    """Keeps the longest ride of one cell, and gives each ride that is longer."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Remember one number for each cell."""
        self.longest = handle.getValueState("longest", "minutes double")

    def handleInputRows(
        self, key: tuple[int], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        """Give the rides that break the record, one after the other."""
        # Shorter than any ride, so that the first one counts whatever it took.
        longest = self.longest.get()[0] if self.longest.exists() else -1.0
        # A shuffle has no order: whoever needs one has to make it.
        for row in sorted(rows, key=lambda row: (row.event_time, row.ride_id)):
            if row.minutes > longest:
                longest = row.minutes
                yield Row(start_cell=row.start_cell, ride_id=row.ride_id, minutes=row.minutes)
        # Written once, not at every record: each write is a message to the JVM.
        self.longest.update((longest,))


def longest_rides(durations: DataFrame) -> DataFrame:
    """Give a row whenever a ride is longer than all rides seen before from the same cell."""
    return durations.groupBy("start_cell").transformWithState(
        Records(),
        outputStructType="start_cell int, ride_id bigint, minutes double",
        outputMode="append",
        timeMode="none",
    )
