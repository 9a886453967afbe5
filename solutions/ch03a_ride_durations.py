"""Ride durations: remember a ride's first event until the second one comes."""

from collections.abc import Iterator
from datetime import UTC, timedelta

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import TimerValues

from datagen.geo import grid_cell

HINTS = (
    """
    One ride has two events. What do you need of the first one when the second one is here? That,
    and no more, is your state. Which of the two is the START? The first to come need not be.
    """,
    """
    In `init`, make a place for one time:
    ```
    self.first = handle.getValueState("first", "event_time timestamp")
    ```
    For each row ask `self.first.exists()`. If nothing is there, keep this row's time:
    ```
    self.first.update((row.event_time,))
    ```
    If something is there, get it, clear it and yield a `Row`.
    """,
    """
    What is in state is a time in UTC, and comes back without its zone:
    ```
    first = self.first.get()[0].replace(tzinfo=UTC)
    ```
    The row in hand tells you which event was which:
    ```
    if row.is_start:
        start, end = row.event_time, first
    else:
        start, end = first, row.event_time
    minutes = (end - start) / timedelta(minutes=1)
    ```
    """,
)


class Durations(StatefulProcessor):
    """Pairs the two events of a ride, in whichever order they come."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Remember when the event was that came first; all else the second one says too."""
        self.first = handle.getValueState("first", "event_time timestamp")

    def handleInputRows(
        self, key: tuple[int], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        """Keep the first event's time; at the second give the ride and forget it."""
        for row in rows:
            if not self.first.exists():
                self.first.update((row.event_time,))
                continue
            # What comes back from the state has lost its zone: it is in UTC.
            first = self.first.get()[0].replace(tzinfo=UTC)
            self.first.clear()
            start, end = (row.event_time, first) if row.is_start else (first, row.event_time)
            yield Row(
                ride_id=row.ride_id,
                driver_id=row.driver_id,
                start_cell=row.start_cell,
                minutes=(end - start) / timedelta(minutes=1),
                event_time=end,
            )


def ride_durations(rides: DataFrame) -> DataFrame:
    """Give one row for each finished ride, with how long it took."""
    # Only what the processor needs: every column more would travel through the shuffle with it.
    events = rides.select(
        "ride_id",
        "driver_id",
        "is_start",
        "event_time",
        grid_cell("start_lon", "start_lat").alias("start_cell"),
    )
    return events.groupBy("ride_id").transformWithState(
        Durations(),
        outputStructType="ride_id bigint, driver_id bigint, start_cell int, minutes double, "
        "event_time timestamp",
        outputMode="append",
        timeMode="none",
    )
