"""The event sorter, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor
from pyspark.sql.types import StructType

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def with_an_aggregation(rides: DataFrame) -> DataFrame:
    """Let an aggregation keep the events of each time, and sort what it gives in a micro-batch."""

    def arrange(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        there = list(batches)
        if there:
            yield from pa.Table.from_batches(there).sort_by("event_time").to_batches()

    timed = rides.withWatermark("event_time", "60 seconds")
    by_time = timed.groupBy("event_time").agg(F.collect_list(F.struct(*rides.columns)).alias("all"))
    events = by_time.select(F.inline("all")).select(*rides.columns)
    return events.repartition(1).mapInArrow(arrange, rides.schema)


class _List(StatefulProcessor):
    """Keeps the waiting events in a list, and one timer for the first of them."""

    def __init__(self, schema: StructType) -> None:
        self._schema = schema

    def init(self, handle) -> None:
        self._handle = handle
        self._waiting = handle.getListState("waiting", self._schema)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        names = self._schema.names
        self._waiting.appendList([tuple(row[name] for name in names) for row in rows])
        return self._release(timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        return self._release(timerValues)

    def _release(self, timerValues) -> Iterator[Row]:
        watermark = timerValues.getCurrentWatermarkInMs()
        names = self._schema.names
        waiting = [Row(**dict(zip(names, event, strict=True))) for event in self._waiting.get()]
        waiting.sort(key=_time)
        yield from (row for row in waiting if _time(row) <= watermark)
        rest = [row for row in waiting if _time(row) > watermark]
        self._waiting.clear()
        if rest:
            self._waiting.put([tuple(row) for row in rest])
            self._handle.registerTimer(_time(rest[0]))


def _time(row: Row) -> int:
    time = row.event_time
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    return (time - EPOCH) // timedelta(milliseconds=1)


def with_a_list(rides: DataFrame) -> DataFrame:
    """Keep a list, and look through it whenever there is something to do."""
    timed = rides.withWatermark("event_time", "60 seconds").withColumn("shelf", F.lit(1))
    keyed = timed.groupBy("shelf")
    return keyed.transformWithState(_List(rides.schema), rides.schema, "append", "eventTime")


class _Frames(StatefulProcessor):
    """Keeps events as JSON under their time, frame by frame."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def init(self, handle) -> None:
        self._handle = handle
        self._shelf = handle.getMapState("shelf", "time bigint", "events array<string>")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for time, event in zip(frame["time"], frame["event"], strict=True):
                there = self._shelf.containsKey((time,))
                events = self._shelf.getValue((time,))[0] if there else []
                self._shelf.updateValue((time,), ([*events, event],))
                self._handle.registerTimer(int(time))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        yield pd.DataFrame({"event": list(self._shelf.getValue(time)[0])})
        self._shelf.removeKey(time)


def in_pandas(rides: DataFrame) -> DataFrame:
    """Let a processor of pandas frames keep each event as a line of JSON."""
    timed = rides.withWatermark("event_time", "60 seconds").select(
        "event_time",
        F.unix_millis("event_time").alias("time"),
        F.to_json(F.struct(*rides.columns)).alias("event"),
        F.lit(1).alias("shelf"),
    )
    lines = timed.groupBy("shelf").transformWithStateInPandas(
        _Frames(rides.columns), "event string", "append", "eventTime"
    )
    return lines.select(F.from_json("event", rides.schema).alias("ride")).select("ride.*")
