"""Hourly tips, written in other ways that are right too."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


def in_sql(fares: DataFrame) -> DataFrame:
    """Say it in SQL, one aggregation inside the other."""
    fares = fares.withWatermark("start_time", "10 minutes")
    return fares.sparkSession.sql(
        """SELECT window.end AS window_end, -best.other AS driver_id, best.total_tips
        FROM (
          SELECT window, max(struct(total_tips, -driver_id AS other)) AS best
          FROM (
            SELECT window, driver_id, sum(tip) AS total_tips
            FROM {fares} GROUP BY window(start_time, '1 hour'), driver_id
          ) GROUP BY window
        )""",
        fares=fares,
    )


def with_window_time(fares: DataFrame) -> DataFrame:
    """Put the sums into windows once more, by the time that a window stands for."""
    sums = (
        fares.withWatermark("start_time", "10 minutes")
        .groupBy(F.window("start_time", "1 hour"), "driver_id")
        .agg(F.sum("tip").alias("tips"))
    )
    hours = sums.groupBy(F.window(F.window_time("window"), "1 hour"))
    best = hours.agg(F.min(F.struct(-F.col("tips"), "driver_id", "tips")).alias("b"))
    return best.select(
        F.col("window.end").alias("window_end"), "b.driver_id", F.col("b.tips").alias("total_tips")
    )


def by_collecting(fares: DataFrame) -> DataFrame:
    """Collect all the tips of an hour, and add up at its end."""

    @F.udf("driver_id bigint, total_tips double")
    def best(tips: list[Row]) -> tuple[int, float]:
        sums = Counter()
        for driver, tip in tips:
            sums[driver] += tip
        return min(sums.items(), key=lambda pair: (-pair[1], pair[0]))

    hours = fares.withWatermark("start_time", "10 minutes").groupBy(
        F.window("start_time", "1 hour")
    )
    hours = hours.agg(F.collect_list(F.struct("driver_id", "tip")).alias("tips"))
    hours = hours.select("window.end", best("tips").alias("b"))
    return hours.select(F.col("end").alias("window_end"), "b.driver_id", "b.total_tips")


class _Hour(StatefulProcessor):
    """The window and its timer, built by hand: one key an hour."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._sums = handle.getMapState("sums", "driver_id bigint", "tips double")

    def handleInputRows(self, key: tuple, rows: Iterator, timerValues: object) -> Iterator[Row]:
        for row in rows:
            driver = (row["driver_id"],)
            so_far = self._sums.getValue(driver)[0] if self._sums.containsKey(driver) else 0.0
            self._sums.updateValue(driver, (so_far + row["tip"],))
        self._handle.registerTimer(key[0] * 1000)
        yield from ()

    def handleExpiredTimer(
        self, key: tuple, timerValues: object, expiredTimerInfo: object
    ) -> Iterator[Row]:
        tips, driver = max((tips, -driver) for (driver,), (tips,) in self._sums.iterator())
        self._sums.clear()
        ends = datetime.fromtimestamp(key[0], UTC)
        yield Row(window_end=ends, driver_id=-driver, total_tips=tips)


def by_hand(fares: DataFrame) -> DataFrame:
    """Keep the sums of an hour in map state, and look for the best when its timer fires."""
    ends = F.floor(F.unix_timestamp("start_time") / 3600) * 3600 + 3600
    fares = fares.withWatermark("start_time", "10 minutes").withColumn("ends", ends)
    return fares.groupBy("ends").transformWithState(
        _Hour(), "window_end timestamp, driver_id bigint, total_tips double", "append", "eventTime"
    )
