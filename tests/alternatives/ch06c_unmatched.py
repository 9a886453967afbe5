"""Unmatched, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HOUR = 60 * 60 * 1000


def with_a_full_outer_join(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Join, and keep the rows that found no partner."""
    rides = rides.filter("is_start").withWatermark("event_time", "10 minutes").alias("r")
    fares = fares.withWatermark("start_time", "10 minutes").alias("f")
    near = F.expr(
        """r.ride_id = f.ride_id AND event_time BETWEEN start_time - INTERVAL 1 HOUR
        AND start_time + INTERVAL 1 HOUR"""
    )
    alone = F.col("r.ride_id").isNull() | F.col("f.ride_id").isNull()
    return (
        rides.join(fares, near, "full_outer")
        .filter(alone)
        .select(
            F.coalesce("r.ride_id", "f.ride_id").alias("ride_id"),
            F.when(F.col("r.ride_id").isNull(), "ride").otherwise("fare").alias("missing"),
        )
    )


class _InPandas(StatefulProcessor):
    """Keeps whoever waits in a map, by when the wait is over."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.waiting = handle.getMapState("waiting", "due bigint", "kind string")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for kind, time in zip(frame["kind"], frame["event_time"], strict=True):
                due = time.value // 1_000_000 + HOUR
                others = {name: when for (when,), (name,) in self.waiting.iterator()}
                other = others.get("fare" if kind == "ride" else "ride")
                if other is not None and abs(other - due) <= HOUR:
                    self.waiting.removeKey((other,))
                    self.handle.deleteTimer(other)
                else:
                    self.waiting.updateValue((due,), (kind,))
                    self.handle.registerTimer(due)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        due = (expiredTimerInfo.getExpiryTimeInMs(),)
        if self.waiting.containsKey(due):
            missing = "fare" if self.waiting.getValue(due)[0] == "ride" else "ride"
            yield pd.DataFrame({"ride_id": [key[0]], "missing": [missing]})
            self.waiting.removeKey(due)


def in_pandas(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Take frames of pandas, and keep a map of who waits until when."""
    starts = rides.filter("is_start").withWatermark("event_time", "10 minutes")
    starts = starts.select("ride_id", "event_time", F.lit("ride").alias("kind"))
    fares = fares.withWatermark("start_time", "10 minutes")
    fares = fares.select("ride_id", F.col("start_time").alias("event_time"), F.lit("fare"))
    return (
        starts.union(fares)
        .groupBy("ride_id")
        .transformWithStateInPandas(
            _InPandas(), "ride_id bigint, missing string", "append", "eventTime"
        )
    )
