"""Late fares, found in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

HOUR = 3_600_000


class _Frames(StatefulProcessor):
    """Gives late fares as lines of JSON; remembers two watermarks, the present one and the last."""

    def init(self, handle) -> None:
        self._handle = handle
        self._memory = handle.getValueState("memory", "before bigint, now bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        # Input comes before timers: so what is remembered is the last micro-batch's.
        before = self._move(timerValues)
        for frame in rows:
            yield frame[frame["hour_ends"] <= before][["fare"]]

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        self._move(timerValues)
        return iter(())

    def _move(self, timerValues) -> int:
        before = int(self._memory.get()[1]) if self._memory.exists() else 0
        now = timerValues.getCurrentWatermarkInMs()
        self._memory.update((before, now))
        self._handle.registerTimer(now + 1)
        return before


def in_sql_and_pandas(fares: DataFrame) -> dict[str, DataFrame]:
    """Add up in SQL, and find the late fares in frames of pandas."""
    timed = fares.withWatermark("start_time", "10 minutes")
    spark = fares.sparkSession
    totals = spark.sql(
        """SELECT window.end AS window_end, sum(CAST(tip AS double)) AS total_tips
        FROM {timed} GROUP BY window(start_time, '1 hour')""",
        timed=timed,
    )
    lines = timed.select(
        F.lit(1).alias("all"),
        F.unix_millis(F.window(F.expr("start_time + interval 0 days"), "1 hour")["end"]).alias(
            "hour_ends"
        ),
        F.to_json(F.struct(*fares.columns)).alias("fare"),
    )
    late = lines.groupBy("all").transformWithStateInPandas(
        _Frames(), "fare string", "append", "eventTime"
    )
    row = F.from_json("fare", fares.schema).alias("row")
    return {"totals": totals, "late": late.select(row).select("row.*")}


class _Both(StatefulProcessor):
    """Adds up the hours by hand, and tags what it gives as a total or as a late fare."""

    def init(self, handle) -> None:
        self._handle = handle
        self._sums = handle.getMapState("sums", "ends bigint", "tips double")
        self._memory = handle.getValueState("memory", "watermark bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        before = self._memory.get()[0] if self._memory.exists() else 0
        for row in rows:
            ends = row.ms // HOUR * HOUR + HOUR
            if ends <= before:
                yield Row(ends=None, tips=None, fare=row.fare)
            else:
                there = self._sums.getValue((ends,))[0] if self._sums.containsKey((ends,)) else 0.0
                self._sums.updateValue((ends,), (there + row.tip,))
                self._handle.registerTimer(ends)
        now = timerValues.getCurrentWatermarkInMs()
        self._memory.update((now,))
        self._handle.registerTimer(now + 1)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        self._memory.update((timerValues.getCurrentWatermarkInMs(),))
        ends = expiredTimerInfo.getExpiryTimeInMs()
        if self._sums.containsKey((ends,)):
            yield Row(ends=ends, tips=self._sums.getValue((ends,))[0], fare=None)
            self._sums.removeKey((ends,))


def by_one_processor(fares: DataFrame) -> dict[str, DataFrame]:
    """Let one processor decide what is late, and add up the rest."""
    timed = fares.withWatermark("start_time", "10 minutes").select(
        F.unix_millis("start_time").alias("ms"),
        "tip",
        F.to_json(F.struct(*fares.columns)).alias("fare"),
        F.lit(1).alias("all"),
    )
    both = timed.groupBy("all").transformWithState(
        _Both(), "ends bigint, tips double, fare string", "append", "eventTime"
    )
    ends = F.timestamp_millis("ends").alias("window_end")
    totals = both.filter("ends is not null").select(ends, F.col("tips").alias("total_tips"))
    row = F.from_json("fare", fares.schema).alias("row")
    return {"totals": totals, "late": both.filter("fare is not null").select(row).select("row.*")}
