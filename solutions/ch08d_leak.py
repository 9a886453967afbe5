"""Leak: tell how long each ride took, with a state that forgets in time."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    The query has two stateful operators, and each keeps rows of its own. Run it on a few rides, let
    a day pass, and look at `numRowsTotal` in each of the `stateOperators`, or read the state as a
    table with `format("statestore")` and `operatorId`. Whose events are those that are left, and
    which of them could still be needed?
    """,
    """
    `dropDuplicates` has a watermark, but among its columns is no time: nothing says when
    `(1, true)` may be forgotten. Name the time too, or use `dropDuplicatesWithinWatermark`.

    In the processor three kinds of rides stay: those that are through, those without an END, and
    those without a START. Clearing the map after the row is out helps with the first kind only.
    """,
    """
    For a ride of which one event never comes nothing will ever run, unless you set a timer:
    ```
    self.handle.registerTimer(time + FOUR_HOURS)
    ```
    for a START and for an END alike. When it goes off, `handleExpiredTimer` clears the map and
    yields nothing. By then no partner can come: Spark would drop it.
    """,
)

FOUR_HOURS = 4 * 60 * 60 * 1000


class Durations(StatefulProcessor):
    """Waits until it has both events of a ride, and tells how long the ride took."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for the times of a ride's events, in milliseconds."""
        self.handle = handle
        self.times = handle.getMapState("times", "is_start boolean", "time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Note when the ride started, or when it ended; once both are known, tell and forget."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            self.times.updateValue((row.is_start,), (time,))
            # It may be the only event that ever comes: then this is what takes it away again.
            self.handle.registerTimer(time + FOUR_HOURS)
        if self.times.containsKey((True,)) and self.times.containsKey((False,)):
            took = self.times.getValue((False,))[0] - self.times.getValue((True,))[0]
            yield Row(ride_id=key[0], minutes=took / 60_000)
            self.forget()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Forget a ride whose other event can't come any more."""
        self.forget()
        return iter(())

    def forget(self) -> None:
        """Clear the map, and with it the timers, which would go off for nothing."""
        self.times.clear()
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)


def fixed(rides: DataFrame) -> DataFrame:
    """Tell how long each ride took, and keep nothing for longer than it is needed."""
    return (
        rides.withWatermark("event_time", "10 minutes")
        # A repeat has the same time. With it among the columns, what is behind the watermark can
        # go: a repeat of that would be dropped as late.
        .dropDuplicates(["ride_id", "is_start", "event_time"])
        .filter("passenger_count > 0")
        .groupBy("ride_id")
        .transformWithState(
            Durations(), "ride_id bigint, minutes double", "append", timeMode="eventTime"
        )
    )
