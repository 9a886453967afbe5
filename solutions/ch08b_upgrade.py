"""Upgrade: version two goes on from version one's checkpoint."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    What version one knows is found by name: the variable `sums`, in it the fields `fares` and
    `total`, and all of that under a key of a number and a time. Keep these, and change the rest.
    The timers are in the checkpoint too: they will call *your* `handleExpiredTimer`, also for hours
    of which your `handleInputRows` never sees a fare.
    """,
    """
    With avro, a field that version one didn't have is there when you read its values: it is `None`.
    A field that you leave out is gone. A variable that version one didn't have is empty, for
    *every* hour that it has begun.

    So `None` is no nuisance. It is the one sign by which you know an hour that version one began:
    hand it on, and the tips of that hour stay null until the row is out.
    """,
    """
    In `init`, the field beside the old ones, and a variable of its own for the best ride:
    ```
    kept = "fares bigint, total double, tips double"
    self.sums = handle.getValueState("sums", kept)
    self.best = handle.getValueState("best", "ride_id bigint, total double")
    ```
    For each fare:
    ```
    tips = None if tips is None else tips + (row.tip or 0.0)
    ```
    and only an hour whose `tips` aren't `None` gets a best ride. Clear both when the hour is told.
    """,
)


class HourTotals(StatefulProcessor):
    """Adds up the fares of one driver in one hour, and tells the sums when the hour is over."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Find version one's sums by their old name, and make a place for the best ride."""
        self.handle = handle
        # The fields that stay have their old names and types. `tips` is new, and `ride_ids` is not
        # named any more: in an avro checkpoint that is all it takes.
        self.sums = handle.getValueState("sums", "fares bigint, total double, tips double")
        self.best = handle.getValueState("best", "ride_id bigint, total double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Add the fares, and set a timer for the end of the hour."""
        fares, total, tips = self.sums.get() if self.sums.exists() else (0, 0.0, 0.0)
        best = self.best.get() if self.best.exists() else None
        for row in rows:
            fares += 1
            total += row.total_fare
            # None where version one began the hour. What it didn't note, nobody can add now.
            tips = None if tips is None else tips + (row.tip or 0.0)
            if best is None or (-row.total_fare, row.ride_id) < (-best[1], best[0]):
                best = (row.ride_id, row.total_fare)
        self.sums.update((fares, total, tips))
        if tips is not None:
            self.best.update(best)
        self.handle.registerTimer(int(key[1].timestamp() * 1000))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Tell the hour, whoever set the timer, and forget all that is kept of it."""
        fares, total, tips = self.sums.get()
        yield Row(
            window_end=key[1],
            driver_id=key[0],
            fares=fares,
            total=total,
            tips=tips,
            best_ride=self.best.get()[0] if self.best.exists() else None,
        )
        self.sums.clear()
        self.best.clear()


def totals(fares: DataFrame) -> DataFrame:
    """Tell what each hour brought each driver, going on from where version one was stopped."""
    window_end = F.date_trunc("hour", "start_time") + F.expr("INTERVAL 1 HOUR")
    timed = fares.withWatermark("start_time", "10 minutes").withColumn("window_end", window_end)
    # The same two columns in the same order: version one's values lie under these keys.
    return timed.groupBy("driver_id", "window_end").transformWithState(
        HourTotals(),
        "window_end timestamp, driver_id bigint, fares bigint, total double, tips double, "
        "best_ride bigint",
        "append",
        timeMode="eventTime",
    )
