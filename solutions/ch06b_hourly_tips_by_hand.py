"""Hourly tips by hand: a window built of map state and timers."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    A driver may have two hours open at once: at 13:02 a fare of 12:58 may still come. So one sum
    in state is not enough: keep a map, from the end of an hour to the sum of its tips.
    """,
    """
    In milliseconds, the hour of a time ends at:
    ```
    time - time % HOUR + HOUR
    ```
    Register a timer there for each hour that you touch; registering the same time twice is one
    timer. When it fires, its expiry time tells which hour is complete: report that one and remove
    it alone.
    """,
    """
    In `init`, the map:
    ```
    self.tips = handle.getMapState("tips", "window_end bigint", "total double")
    ```
    For each fare:
    ```
    self.tips.updateValue((hour_end,), (before + (row.tip or 0.0),))
    ```
    In `handleExpiredTimer`, with a `Row` between the two:
    ```
    hour_end = expiredTimerInfo.getExpiryTimeInMs()
    self.tips.removeKey((hour_end,))
    ```
    """,
)

HOUR = 60 * 60 * 1000


class HourlyTips(StatefulProcessor):
    """Adds up a driver's tips in a map with an entry for each hour that is still open."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make the map: from the end of an hour, in milliseconds, to the sum of its tips."""
        self.handle = handle
        self.tips = handle.getMapState("tips", "window_end bigint", "total double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Add each tip to its hour, and set a timer for the hour's end."""
        for row in rows:
            time = int(row.start_time.timestamp() * 1000)
            hour_end = time - time % HOUR + HOUR
            open_hour = self.tips.containsKey((hour_end,))
            before = self.tips.getValue((hour_end,))[0] if open_hour else 0.0
            self.tips.updateValue((hour_end,), (before + (row.tip or 0.0),))
            # It is the same timer each time, so it needn't be remembered whether it is set.
            self.handle.registerTimer(hour_end)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Report the hour that is complete, and it alone: the next one may be open already."""
        hour_end = expiredTimerInfo.getExpiryTimeInMs()
        yield Row(
            window_end=datetime.fromtimestamp(hour_end / 1000, UTC),
            driver_id=key[0],
            total_tips=self.tips.getValue((hour_end,))[0],
        )
        self.tips.removeKey((hour_end,))


def driver_tips(fares: DataFrame) -> DataFrame:
    """Add up the tips of each driver and hour, with state and timers in place of a window."""
    return (
        fares.withWatermark("start_time", "10 minutes")
        .groupBy("driver_id")
        .transformWithState(
            statefulProcessor=HourlyTips(),
            outputStructType="window_end timestamp, driver_id bigint, total_tips double",
            outputMode="append",
            timeMode="eventTime",
        )
    )
