"""Ride numbers: greet each driver with "your 1st ride", "your 2nd", "your 100th"."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import TimerValues

HINTS = (
    """
    What must you know about a driver to number the next ride? Only how many there have been. So
    the key is the driver, and what you keep is a single number.
    """,
    """
    In `init`, make a place for that number:
    ```
    self.count = handle.getValueState("count", "rides bigint")
    ```
    Until you update it, `self.count.exists()` is false. After that `self.count.get()` gives a
    tuple of one.
    """,
    """
    Before the loop, in it and after it:
    ```
    count = self.count.get()[0] if self.count.exists() else 0
    for row in sorted(rows, key=lambda row: (…, …)):
        count += 1
        yield Row(…, number=count)
    self.count.update((count,))
    ```
    """,
)


class Numbers(StatefulProcessor):
    """Counts the rides of one driver, and gives each its number."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Remember one number for each driver."""
        self.count = handle.getValueState("count", "rides bigint")

    def handleInputRows(
        self, key: tuple[int], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        """Go on counting where the last micro-batch ended."""
        count = self.count.get()[0] if self.count.exists() else 0
        # A shuffle has no order: whoever needs one has to make it.
        for row in sorted(rows, key=lambda row: (row.event_time, row.ride_id)):
            count += 1
            yield Row(driver_id=row.driver_id, ride_id=row.ride_id, number=count)
        self.count.update((count,))


def ride_numbers(rides: DataFrame) -> DataFrame:
    """Number the rides of each driver, from 1 on."""
    starts = rides.filter("is_start")
    return starts.groupBy("driver_id").transformWithState(
        Numbers(),
        outputStructType="driver_id bigint, ride_id bigint, number bigint",
        outputMode="append",
        timeMode="none",
    )
