"""Blocked drivers, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


class _Lists(StatefulProcessor):
    """Keeps two lists, and goes through both whenever the watermark has come to a row's time."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.waiting = handle.getListState("waiting", "time bigint, ride_id bigint")
        self.changes = handle.getListState("changes", "time bigint, blocked boolean")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            if row.blocked is None:
                self.waiting.appendValue((row.time, row.ride_id))
            else:
                self.changes.appendValue((row.time, row.blocked))
            self.handle.registerTimer(row.time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        now = expiredTimerInfo.getExpiryTimeInMs()
        changes = sorted(set(self.changes.get()))
        later = [each for each in self.waiting.get() if each[0] > now]
        past = [each for each in changes if each[0] <= now]
        for time, ride_id in self.waiting.get():
            if time <= now and not (past and past[-1][1]):
                yield Row(ride_id=ride_id, driver_id=key[0], event_time=time)
        self._put(self.waiting, later)
        self._put(self.changes, [*past[-1:], *changes[len(past) :]])

    def _put(self, state, rows: list) -> None:
        if rows:
            state.put(rows)
        else:
            state.clear()


def with_lists(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Keep lists for each driver; sorted, of two at one time the one that blocks is the last."""
    starts = rides.withWatermark("event_time", "10 minutes").filter("is_start")
    said = blocks.withWatermark("event_time", "10 minutes")
    time = F.unix_millis("event_time").alias("time")
    both = starts.select("driver_id", "ride_id", "event_time", time).unionByName(
        said.select("driver_id", "blocked", "event_time", time), allowMissingColumns=True
    )
    passed = both.groupBy("driver_id").transformWithState(
        _Lists(), "ride_id bigint, driver_id bigint, event_time bigint", "append", "eventTime"
    )
    return passed.withColumn("event_time", F.timestamp_millis("event_time"))


class _InPandas(StatefulProcessor):
    """Keeps, in one map by time, what was said and who waits; and the last word by itself."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.later = handle.getMapState("later", "time bigint", "rides array<bigint>, said int")
        self.last = handle.getValueState("last", "blocked boolean")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for time, ride_id, said in zip(frame.time, frame.ride_id, frame.said, strict=True):
                time = (int(time),)
                rides, there = [], -1
                if self.later.containsKey(time):
                    rides, there = self.later.getValue(time)
                rides = [*rides, int(ride_id)] if said < 0 else list(rides)
                self.later.updateValue(time, (rides, max(there, int(said))))
                self.handle.registerTimer(time[0])
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        time = expiredTimerInfo.getExpiryTimeInMs()
        rides, said = self.later.getValue((time,))
        if said >= 0:
            self.last.update((bool(said),))
        self.later.removeKey((time,))
        if len(rides) and not (self.last.exists() and self.last.get()[0]):
            yield pd.DataFrame({"ride_id": list(rides), "driver_id": key[0], "event_time": time})


def in_pandas(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Replay a driver's day in order: timers fire in order of time, so one last word is enough."""
    starts = rides.filter("is_start").withWatermark("event_time", "10 minutes")
    starts = starts.select("driver_id", "event_time", "ride_id", F.lit(-1).alias("said"))
    said = blocks.withWatermark("event_time", "10 minutes")
    said = said.select("driver_id", "event_time", F.lit(0).cast("bigint"), F.expr("int(blocked)"))
    both = starts.union(said).withColumn("time", F.unix_millis("event_time"))
    passed = both.groupBy("driver_id").transformWithStateInPandas(
        _InPandas(), "ride_id bigint, driver_id bigint, event_time bigint", "append", "eventTime"
    )
    return passed.withColumn("event_time", F.timestamp_millis("event_time"))
