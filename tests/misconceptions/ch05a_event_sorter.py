"""What learners get wrong when they sort a stream of events."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor
from pyspark.sql.types import StructType

from trainer.misconceptions import caught_by


def _milliseconds(time: datetime) -> int:
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


class _Shelf(StatefulProcessor):
    """A sorter that is right; what is wrong with the others is said by what they change."""

    def __init__(self, schema: StructType) -> None:
        self.names, self.event = schema.names, schema.simpleString()

    def init(self, handle) -> None:
        self.handle = handle
        self.shelf = handle.getMapState("shelf", "time bigint", f"events array<{self.event}>")

    def at(self, time: int) -> list:
        return self.shelf.getValue((time,))[0] if self.shelf.containsKey((time,)) else []

    def put(self, time: int, row: Row) -> None:
        event = tuple(row[name] for name in self.names)
        self.shelf.updateValue((time,), ([*self.at(time), event],))

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            time = _milliseconds(row.event_time)
            self.put(time, row)
            self.handle.registerTimer(time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        time = expiredTimerInfo.getExpiryTimeInMs()
        yield from self.at(time)
        self.shelf.removeKey((time,))

    def close(self) -> None:
        pass


def _sorted(rides: DataFrame, shelf: type, delay: str = "60 seconds", by: Column | None = None):
    timed = rides.withWatermark("event_time", delay)
    keyed = timed.withColumn("shelf", F.lit(1) if by is None else by).groupBy("shelf")
    return keyed.transformWithState(shelf(rides.schema), rides.schema, "append", "eventTime")


@caught_by(
    "test_events_come_out_in_the_order_of_event_time",
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
)
def sorts_each_micro_batch(rides: DataFrame) -> DataFrame:
    """You sorted each micro-batch by itself. What is older may still come in the next: wait for it.

    An event may leave when the watermark has reached its time, and so has to be kept till then.
    """

    def arrange(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        there = list(batches)
        if there:
            yield from pa.Table.from_batches(there).sort_by("event_time").to_batches()

    return rides.withWatermark("event_time", "60 seconds").mapInArrow(arrange, rides.schema)


@caught_by("test_events_come_out_in_the_order_of_event_time")
def sorts_each_driver(rides: DataFrame) -> DataFrame:
    """You sorted the events of each driver. One order over all rides needs one key for all."""
    return _sorted(rides, _Shelf, by=F.col("driver_id"))


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it")
def waits_for_nobody(rides: DataFrame) -> DataFrame:
    """You set a watermark with no delay. It has to run 60 seconds behind the newest event."""
    return _sorted(rides, _Shelf, delay="0 seconds")


@caught_by(
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    "test_events_come_out_in_a_micro_batch_without_events",
)
def releases_only_when_events_come(rides: DataFrame) -> DataFrame:
    """You release events only when new ones come in. When none come, nobody calls: set a timer."""

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            for row in rows:
                self.put(_milliseconds(row.event_time), row)
            watermark = timerValues.getCurrentWatermarkInMs()
            times = [time for (time,) in list(self.shelf.keys())]
            for time in sorted(time for time in times if time <= watermark):
                yield from self.at(time)
                self.shelf.removeKey((time,))

    return _sorted(rides, Shelf)


@caught_by("test_an_event_behind_its_own_watermark_alone_is_kept")
def drops_what_is_behind_its_own_watermark(rides: DataFrame) -> DataFrame:
    """You dropped events behind the watermark of their own micro-batch. That one moved only now.

    The rule looks at the watermark of the micro-batch before; Spark has done that for you.
    """

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            watermark = timerValues.getCurrentWatermarkInMs()
            rows = [row for row in rows if _milliseconds(row.event_time) > watermark]
            return super().handleInputRows(key, rows, timerValues)

    return _sorted(rides, Shelf)


@caught_by("test_an_event_at_the_watermark_comes_out")
def waits_until_past_it(rides: DataFrame) -> DataFrame:
    """You waited until the watermark was past an event. At its time is enough."""

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            for row in rows:
                time = _milliseconds(row.event_time)
                self.put(time + 1, row)
                self.handle.registerTimer(time + 1)
            return iter(())

    return _sorted(rides, Shelf)


@caught_by("test_a_late_event_is_dropped")
def lets_late_events_back_in(rides: DataFrame) -> DataFrame:
    """You let late events through. They would come out behind others that are already gone."""

    timed = rides.withWatermark("event_time", "60 seconds")
    loose = timed.withColumn("event_time", F.expr("event_time + interval 0 seconds"))
    keyed = loose.withColumn("shelf", F.lit(1)).groupBy("shelf")
    return keyed.transformWithState(_Shelf(rides.schema), rides.schema, "append", "eventTime")


@caught_by("test_events_of_equal_time_all_come_out")
def keeps_one_event_of_each_time(rides: DataFrame) -> DataFrame:
    """You kept one event for each time. Two may happen at once: a time needs room for several."""

    class Shelf(_Shelf):
        def at(self, time: int) -> list:
            return super().at(time)[-1:]

        def put(self, time: int, row: Row) -> None:
            self.shelf.removeKey((time,))
            super().put(time, row)

    return _sorted(rides, Shelf)


@caught_by("test_nothing_stays_in_state_for_what_was_released")
def never_clears_the_shelf(rides: DataFrame) -> DataFrame:
    """You left events in state after you released them. A day on, the whole day lies there."""

    class Shelf(_Shelf):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            yield from self.at(expiredTimerInfo.getExpiryTimeInMs())

    return _sorted(rides, Shelf)
