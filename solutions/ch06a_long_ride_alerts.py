"""Long ride alerts: report every ride that lasts more than two hours."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    Of each ride you have to remember what came, until the other event comes. So the key is
    `ride_id`, and START and END have a place in state each.
    """,
    """
    A START sets an alarm clock for two hours later, an END for its own time: once the watermark
    is there, no START that is older can come. When the other event comes first, compare the two,
    and clear everything: the alarm clocks, too. When a clock rings first, a START that is still
    there is an alert; again, clear everything.
    """,
    """
    With times in milliseconds:
    ```
    self.handle.registerTimer(time + TWO_HOURS if row.is_start else time)
    ```
    In `handleExpiredTimer`, and then clear both states:
    ```
    if self.start.exists():
        yield Row(…)
    ```
    What is left of the timers goes with them:
    ```
    for timer in list(self.handle.listTimers()):
        self.handle.deleteTimer(timer)
    ```
    Group by the ride, and run it with these two modes:
    ```
    rides.withWatermark("event_time", "60 seconds").groupBy("ride_id")
    outputMode="append", timeMode="eventTime"
    ```
    """,
)

TWO_HOURS = 2 * 60 * 60 * 1000


class LongRides(StatefulProcessor):
    """Remembers a ride's START and END until both have come, or their time is up."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for each event's time, in milliseconds."""
        self.handle = handle
        self.start = handle.getValueState("start", "time bigint")
        self.end = handle.getValueState("end", "time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Note what came and set its timer; with both events there, the ride is decided."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            (self.start if row.is_start else self.end).update((time,))
            # An END whose time has passed will find no START any more: that would be older still.
            self.handle.registerTimer(time + TWO_HOURS if row.is_start else time)
        if self.start.exists() and self.end.exists():
            if self.end.get()[0] - self.start.get()[0] > TWO_HOURS:
                yield self.alert(key)
            self.forget()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Report a START whose END should have come by now; forget an END that is alone."""
        if self.start.exists():
            yield self.alert(key)
        self.forget()

    def alert(self, key: tuple) -> Row:
        """Make the row to report."""
        start_time = datetime.fromtimestamp(self.start.get()[0] / 1000, UTC)
        return Row(ride_id=key[0], start_time=start_time)

    def forget(self) -> None:
        """Leave nothing behind, no timer either."""
        self.start.clear()
        self.end.clear()
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)


def long_ride_alerts(rides: DataFrame) -> DataFrame:
    """Report each ride of more than two hours, as soon as that is sure."""
    return (
        rides.withWatermark("event_time", "60 seconds")
        .groupBy("ride_id")
        .transformWithState(
            statefulProcessor=LongRides(),
            outputStructType="ride_id bigint, start_time timestamp",
            outputMode="append",
            timeMode="eventTime",
        )
    )
