"""Late fares: the totals of each hour, and the fares that came too late for them."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

HINTS = (
    """
    The totals are a window of one hour behind a watermark, in append mode. The late fares are a
    stream of their own: behind `withWatermark` Spark drops late rows before a processor sees
    them, unless the processor's columns are no longer the one that the watermark is on.
    """,
    """
    The watermark moves and nothing is dropped if its column is replaced by an equal one:
    ```
    fares.withWatermark("start_time", …).withColumn(
        "start_time", F.col("start_time") + F.expr("INTERVAL 0 SECONDS")
    )
    ```
    Compare the end of a fare's hour with the watermark you remembered, then remember the present
    one. A processor that has no rows is not called, so it can't remember anything. A timer calls
    it.
    """,
    """
    In `handleInputRows` give the rows whose hour ended at the watermark that you remembered, or
    before it. Then remember the present one, and ask to be called as soon as it has moved at all:
    ```
    now = timerValues.getCurrentWatermarkInMs()
    self.remember(now)
    self.handle.registerTimer(now + 1)
    ```
    In `handleExpiredTimer` remember the watermark of that micro-batch.
    """,
)


class LateFares(StatefulProcessor):
    """Gives the fares whose hour had ended by the watermark of the micro-batch before."""

    def __init__(self, columns: list[str]) -> None:
        """Take the columns of a fare."""
        self._columns = columns

    def init(self, handle) -> None:
        """Make a place for the watermark that is remembered."""
        self.handle = handle
        self.memory = handle.getValueState("memory", "watermark bigint")

    def remembered(self) -> int:
        """Give the watermark that was remembered last, in milliseconds; 0 if none was."""
        return self.memory.get()[0] if self.memory.exists() else 0

    def remember(self, watermark: int) -> None:
        """Remember this watermark in place of the one before."""
        self.memory.update((watermark,))

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Give those fares of this micro-batch that came too late."""
        before, now = self.remembered(), timerValues.getCurrentWatermarkInMs()
        for row in rows:
            if row.hour_ends <= before:
                yield Row(**{name: row[name] for name in self._columns})
        self.remember(now)
        # The next micro-batch may bring no fare, but a watermark that one has to know of.
        self.handle.registerTimer(now + 1)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Remember the watermark, which has moved."""
        self.remember(timerValues.getCurrentWatermarkInMs())
        return iter(())


def totals_and_late(fares: DataFrame) -> dict[str, DataFrame]:
    """Add up the tips of each hour, and give every fare that came too late to be counted."""
    timed = fares.withWatermark("start_time", "10 minutes")
    hour = F.window("start_time", "1 hour")
    sums = timed.groupBy(hour).agg(F.sum(F.col("tip").cast("double")).alias("total_tips"))
    totals = sums.select(F.col("window.end").alias("window_end"), "total_tips")

    # Cut loose from the watermark, the column no longer says that a row is late: none is dropped.
    loose = timed.withColumn("start_time", F.expr("start_time + interval 0 seconds"))
    ends = F.unix_millis(F.date_trunc("hour", "start_time")) + 3_600_000
    # All fares have to meet one memory: a driver's own would not know what others moved.
    keyed = loose.withColumn("hour_ends", ends).withColumn("all", F.lit(1)).groupBy("all")
    late = keyed.transformWithState(LateFares(fares.columns), fares.schema, "append", "eventTime")
    return {"totals": totals, "late": late}
