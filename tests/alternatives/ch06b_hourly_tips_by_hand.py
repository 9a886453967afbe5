"""Hourly tips by hand, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

COLUMNS = "window_end timestamp, driver_id bigint, total_tips double"


class _InPandas(StatefulProcessor):
    """Adds up frame by frame, and finds the complete hours by the watermark."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.tips = handle.getMapState("tips", "window_end timestamp", "total double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            ends = frame["start_time"].dt.floor("h") + pd.Timedelta(hours=1)
            for end, tips in frame["tip"].astype(float).groupby(ends).sum().items():
                state_key = (end.to_pydatetime(),)
                known = self.tips.containsKey(state_key)
                before = self.tips.getValue(state_key)[0] if known else 0.0
                self.tips.updateValue(state_key, (before + float(tips),))
                self.handle.registerTimer(end.value // 1_000_000)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        end = pd.Timestamp(expiredTimerInfo.getExpiryTimeInMs(), unit="ms")
        state_key = (end.to_pydatetime(),)
        total = self.tips.getValue(state_key)[0]
        yield pd.DataFrame({"window_end": [end], "driver_id": [key[0]], "total_tips": [total]})
        self.tips.removeKey(state_key)


def in_pandas(fares: DataFrame) -> DataFrame:
    """Add up frames of pandas."""
    by_driver = fares.withWatermark("start_time", "10 minutes").groupBy("driver_id")
    return by_driver.transformWithStateInPandas(_InPandas(), COLUMNS, "append", "eventTime")


class _OneHour(StatefulProcessor):
    """Adds up a driver's tips of one hour: the hour is in the key."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.total = handle.getValueState("total", "tips double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        before = self.total.get()[0] if self.total.exists() else 0.0
        self.total.update((before + sum(row.tip or 0.0 for row in rows),))
        self.handle.registerTimer(int(key[1].timestamp() * 1000))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        yield Row(window_end=key[1], driver_id=key[0], total_tips=self.total.get()[0])
        self.total.clear()


def with_the_hour_in_the_key(fares: DataFrame) -> DataFrame:
    """Group by driver and hour, so that a key has one sum and one timer."""
    fares = fares.withWatermark("start_time", "10 minutes")
    hour_end = F.date_trunc("hour", "start_time") + F.expr("INTERVAL 1 HOUR")
    by_hour = fares.withColumn("window_end", hour_end).groupBy("driver_id", "window_end")
    return by_hour.transformWithState(_OneHour(), COLUMNS, "append", "eventTime")


def with_a_window(fares: DataFrame) -> DataFrame:
    """Let Spark's own window do it."""
    fares = fares.withWatermark("start_time", "10 minutes")
    by_hour = fares.groupBy("driver_id", F.window("start_time", "1 hour"))
    tip = F.coalesce(F.col("tip").cast("double"), F.lit(0.0))
    totals = by_hour.agg(F.sum(tip).alias("total_tips"))
    return totals.select(F.col("window.end").alias("window_end"), "driver_id", "total_tips")
