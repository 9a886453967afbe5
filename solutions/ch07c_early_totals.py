"""Early totals: an hour's tips are told early, on time, and again when a late fare changes them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    Begin with the hourly tips by hand of chapter 6: a map with an entry for each hour. An entry
    needs more than the sum now: what was told last, how often, and when it is due again. And late
    fares have to reach you: in front of a processor Spark drops them, unless the column is no
    longer the one that the watermark is on. Chapter 5 had that in its second exercise.
    """,
    """
    One timer for each hour is enough, if it goes on from one stop to the next: the quarters, the
    end, thirty minutes after the end. When it fires, compare the *watermark* with the end of the
    hour, not the time of the timer: in one step it may have passed all of them.

    Input comes before timers. So when a late fare comes in the micro-batch in which its hour
    closes, nobody has told that hour on time yet: do that first, then add the fare.
    """,
    """
    This lets late fares through, and the watermark still moves:
    ```
    fares.withWatermark("start_time", "1 minute").withColumn(
        "start_time", F.expr("start_time + interval 0 seconds")
    )
    ```
    An entry of the map, and the time at which it is due next:
    ```
    "total double, told double, version bigint, due bigint"
    if now >= end:
        return end + LATENESS
    return max(now, end - HOUR) // QUARTER * QUARTER + QUARTER
    ```
    What is due at or before the end hasn't been told on time:
    ```
    if hour.due <= min(now, end):
        yield from self.tell(…, "on time" if now >= end else "early")
    ```
    """,
)

HOUR, QUARTER, LATENESS = 60 * 60 * 1000, 15 * 60 * 1000, 30 * 60 * 1000


class Hour(NamedTuple):
    """What is kept of an hour: its total, what was told last and how often, and when it is due."""

    total: float
    told: float | None
    version: int
    due: int


class EarlyTotals(StatefulProcessor):
    """Keeps a driver's hours until thirty minutes after their end, and tells what changes."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make the map: from the end of an hour, in milliseconds, to what is kept of it."""
        self.handle = handle
        hour = "total double, told double, version bigint, due bigint"
        self.hours = handle.getMapState("hours", "end bigint", hour)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Add each fare to its hour; one that is late is told at once."""
        now = timerValues.getCurrentWatermarkInMs()
        for row in sorted(rows, key=lambda row: (row.start_time, row.ride_id)):
            time = int(row.start_time.timestamp() * 1000)
            end = time - time % HOUR + HOUR
            if now >= end + LATENESS:
                continue
            known = self.hours.containsKey((end,))
            if known and now >= end:
                # Its timer fires after the input, but what it tells comes first.
                yield from self.advance(key, end, now)
            hour = self.hour(end) if known else Hour(0.0, None, 0, due(end, now))
            hour = hour._replace(total=hour.total + (row.tip or 0.0))
            self.keep(end, hour, now)
            if now >= end:
                yield from self.tell(key, end, hour, now, "late")

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Tell what is due by the watermark, which may be far past this timer, and forget."""
        now = timerValues.getCurrentWatermarkInMs()
        for (end,) in sorted(map(tuple, self.hours.keys())):
            yield from self.advance(key, end, now)
            if now >= end + LATENESS:
                self.hours.removeKey((end,))

    def advance(self, key: tuple, end: int, now: int) -> Iterator[Row]:
        """Tell an hour if it is due, early or on time, and say when it will be due again."""
        hour = self.hour(end)
        if hour.due <= min(now, end):
            moved = hour._replace(due=due(end, now))
            self.keep(end, moved, now)
            yield from self.tell(key, end, moved, now, "on time" if now >= end else "early")

    def tell(self, key: tuple, end: int, hour: Hour, now: int, told: str) -> Iterator[Row]:
        """Tell the total of an hour if it has changed, or is on time."""
        if hour.total == hour.told and told != "on time":
            return
        hour = hour._replace(told=hour.total, version=hour.version + 1)
        self.keep(end, hour, now)
        yield Row(
            window_end=datetime.fromtimestamp(end / 1000, UTC),
            driver_id=key[0],
            total_tips=hour.total,
            told=told,
            version=hour.version,
        )

    def hour(self, end: int) -> Hour:
        """Look up an hour."""
        return Hour(*self.hours.getValue((end,)))

    def keep(self, end: int, hour: Hour, now: int) -> None:
        """Write an hour into state, and set its timer; a time that is past needs none."""
        self.hours.updateValue((end,), tuple(hour))
        if hour.due > now:
            self.handle.registerTimer(hour.due)


def due(end: int, now: int) -> int:
    """Give the next stop of an hour: a quarter or the end, and then the time to forget it."""
    return end + LATENESS if now >= end else max(now, end - HOUR) // QUARTER * QUARTER + QUARTER


def totals(fares: DataFrame) -> DataFrame:
    """Tell the tips of each driver in each hour: early, on time, and with every late fare."""
    timed = fares.withWatermark("start_time", "1 minute")
    # Cut loose from the watermark, the column no longer says that a row is late: none is dropped.
    loose = timed.withColumn("start_time", F.expr("start_time + interval 0 seconds"))
    return loose.groupBy("driver_id").transformWithState(
        statefulProcessor=EarlyTotals(),
        outputStructType="window_end timestamp, driver_id bigint, total_tips double, told string, "
        "version bigint",
        outputMode="append",
        timeMode="eventTime",
    )
