"""Blocked drivers: let through the STARTs of drivers who were not blocked when they began."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    As with the unmatched rides: bring both streams to the same columns, each with a watermark of
    its own, and union them. Then one processor, keyed by driver, sees his STARTs and his control
    rows. But in the order in which they come, and that must not matter: so no START can be judged
    when it comes. It has to wait.
    """,
    """
    Two maps for each driver, both by time: the STARTs that wait, of which several may have one
    time, and what the control stream said. And a timer for every row, of either kind, at its own
    time. When a timer goes off, all that was said up to this time has come: look for the last word
    at or before it.
    """,
    """
    When the timer of a time has gone off, nobody will ask about an earlier time again:
    ```
    time = expiredTimerInfo.getExpiryTimeInMs()
    until_now = sorted(t for (t,), _ in self.changes.iterator() if t <= time)
    ```
    The last of these says whether the STARTs of this time go out; all but the last can go. Don't do
    it in `handleInputRows`: there a START from between two changes may still be on its way.
    """,
)


class Gate(StatefulProcessor):
    """Lets a driver's STARTs wait until all has come that was said about their time."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open two maps by time: rides that wait, and whether the driver is blocked from then."""
        self.handle = handle
        self.waiting = handle.getMapState("waiting", "time bigint", "rides array<bigint>")
        self.changes = handle.getMapState("changes", "time bigint", "blocked boolean")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put each row under its time, and ask to be called at that time."""
        for row in rows:
            time = (int(row.event_time.timestamp()) * 1000,)
            if row.blocked is None:
                there = self.waiting.getValue(time)[0] if self.waiting.containsKey(time) else []
                self.waiting.updateValue(time, ([*there, row.ride_id],))
            else:
                # Of two that say different things, the one that blocks counts.
                there = self.changes.containsKey(time) and self.changes.getValue(time)[0]
                self.changes.updateValue(time, (there or row.blocked,))
            self.handle.registerTimer(time[0])
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Judge the rides of this time, and keep of what was said until now the last word."""
        time = expiredTimerInfo.getExpiryTimeInMs()
        until_now = sorted(t for (t,), _ in self.changes.iterator() if t <= time)
        blocked = bool(until_now) and self.changes.getValue((until_now[-1],))[0]
        if self.waiting.containsKey((time,)):
            for ride_id in self.waiting.getValue((time,))[0] if not blocked else ():
                yield Row(ride_id=ride_id, driver_id=key[0], event_time=time)
            self.waiting.removeKey((time,))
        # That a driver is free is what holds without a word.
        for old in until_now[:-1] if blocked else until_now:
            self.changes.removeKey((old,))


def pass_unblocked(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Let the STARTs through whose driver was not blocked at their event time."""
    nothing = F.lit(None).cast("boolean").alias("blocked")
    starts = rides.filter("is_start").select("driver_id", "event_time", "ride_id", nothing)
    said = blocks.select("driver_id", "event_time", F.lit(None).cast("bigint"), "blocked")
    # A watermark each, and only then the union: the one that is behind rules.
    both = starts.withWatermark("event_time", "10 minutes").union(
        said.withWatermark("event_time", "10 minutes")
    )
    passed = both.groupBy("driver_id").transformWithState(
        statefulProcessor=Gate(),
        outputStructType="ride_id bigint, driver_id bigint, event_time bigint",
        outputMode="append",
        timeMode="eventTime",
    )
    return passed.withColumn("event_time", F.timestamp_millis("event_time"))
