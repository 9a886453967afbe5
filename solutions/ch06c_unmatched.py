"""Unmatched: report rides without a fare and fares without a ride."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    Two streams into one processor: bring both to the same columns, with one that says which it
    was, and union them. Each needs its own watermark before the union: then the slower stream
    holds the clock for both, and nobody is reported missing while the fares are hours behind.
    """,
    """
    State: the time of the ride, and the time of the fare. When both are there and at most an hour
    apart, they are partners: clear both, and delete their timers. Otherwise each waits for its own
    timer, an hour after its own time.
    """,
    """
    A timer that fires says when it was set for, and so who set it:
    ```
    time = expiredTimerInfo.getExpiryTimeInMs() - HOUR
    ```
    If that is the time of the ride in state, the ride has no fare: report it and clear the ride
    alone; the fare in state may still wait. And the reverse.
    """,
)

HOUR = 60 * 60 * 1000


class Partners(StatefulProcessor):
    """Lets the ride and the fare of one ride id wait for each other, an hour at most."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for each partner's time, in milliseconds."""
        self.handle = handle
        names = ("ride", "fare")
        self.waiting = {name: handle.getValueState(name, "time bigint") for name in names}

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Note who came; two who are close enough in time have found each other."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            self.waiting[row.kind].update((time,))
            self.handle.registerTimer(time + HOUR)
        times = [state.get()[0] for state in self.waiting.values() if state.exists()]
        if len(times) == 2 and abs(times[0] - times[1]) <= HOUR:
            for name, time in zip(self.waiting, times, strict=True):
                self.waiting[name].clear()
                self.handle.deleteTimer(time + HOUR)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Report the one whose hour is over; the other, if there is one, has its own timer."""
        time = expiredTimerInfo.getExpiryTimeInMs() - HOUR
        for name, missing in (("ride", "fare"), ("fare", "ride")):
            state = self.waiting[name]
            if state.exists() and state.get()[0] == time:
                yield Row(ride_id=key[0], missing=missing)
                state.clear()


def unmatched(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Report STARTs without a fare, and fares without a START, within an hour of each other."""
    starts = rides.filter("is_start").select("ride_id", "event_time", F.lit("ride").alias("kind"))
    fares = fares.select("ride_id", F.col("start_time").alias("event_time"), F.lit("fare"))
    # A watermark each, and only then the union: the one that is behind rules.
    both = starts.withWatermark("event_time", "10 minutes").union(
        fares.withWatermark("event_time", "10 minutes")
    )
    return both.groupBy("ride_id").transformWithState(
        statefulProcessor=Partners(),
        outputStructType="ride_id bigint, missing string",
        outputMode="append",
        timeMode="eventTime",
    )
