"""What learners get wrong when they sort a stream of events."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor
from pyspark.sql.types import StructType

from trainer.misconceptions import NO_STATE, ROWS_TWICE, caught_by, other_delay


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

    def due(self, time: int, timerValues) -> int:
        return time

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            time = _milliseconds(row.event_time)
            self.put(time, row)
            self.handle.registerTimer(self.due(time, timerValues))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        time = expiredTimerInfo.getExpiryTimeInMs()
        yield from self.at(time)
        self.shelf.removeKey((time,))


def _sorted(rides: DataFrame, shelf: type, delay: str = "60 seconds", by: Column | None = None):
    return _processed(rides.withWatermark("event_time", delay), shelf, by)


def _processed(
    events: DataFrame, shelf: type, by: Column | None = None, mode: str = "eventTime"
) -> DataFrame:
    keyed = events.withColumn("shelf", F.lit(1) if by is None else by).groupBy("shelf")
    return keyed.transformWithState(shelf(events.schema), events.schema, "append", mode)


@caught_by(
    "test_events_come_out_in_the_order_of_event_time",
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    not_written="transformWithState",
)
def sorts_each_micro_batch(rides: DataFrame) -> DataFrame:
    """You sorted each micro-batch by itself. An older event may still come in the next one.

    Keep each event in state, and let it go when the watermark has reached its time.
    """

    def arrange(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        there = list(batches)
        if there:
            yield from pa.Table.from_batches(there).sort_by("event_time").to_batches()

    return rides.withWatermark("event_time", "60 seconds").mapInArrow(arrange, rides.schema)


@caught_by("test_events_come_out_in_the_order_of_event_time")
def sorts_each_driver(rides: DataFrame) -> DataFrame:
    """You sorted the events of each key by themselves, of each driver or ride. One order over all
    rides needs one key for all."""
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
    """You release events only when new ones come. In a quiet minute your code isn't called: set a
    timer."""

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
    """You dropped events that are behind the watermark of their own micro-batch.

    What counts is the watermark of the micro-batch before, and what is behind that Spark has
    already dropped.
    """

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            watermark = timerValues.getCurrentWatermarkInMs()
            rows = [row for row in rows if _milliseconds(row.event_time) > watermark]
            return super().handleInputRows(key, rows, timerValues)

    return _sorted(rides, Shelf)


@caught_by("test_an_event_at_the_watermark_comes_out")
def waits_until_past_it(rides: DataFrame) -> DataFrame:
    """You waited until the watermark was past an event. It is enough that it has reached it."""

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
    """You let late events through. Later ones have gone out before them, so the order is lost."""
    timed = rides.withWatermark("event_time", "60 seconds")
    loose = timed.withColumn("event_time", F.expr("event_time + interval 0 seconds"))
    return _processed(loose, _Shelf)


@caught_by("test_events_of_equal_time_all_come_out")
def keeps_one_event_of_each_time(rides: DataFrame) -> DataFrame:
    """You kept one event for each time. Several may happen at once: keep a list for each time."""

    class Shelf(_Shelf):
        def at(self, time: int) -> list:
            return super().at(time)[-1:]

        def put(self, time: int, row: Row) -> None:
            self.shelf.removeKey((time,))
            super().put(time, row)

    return _sorted(rides, Shelf)


@caught_by("test_nothing_stays_in_state_for_what_was_released")
def never_clears_the_shelf(rides: DataFrame) -> DataFrame:
    """You left events in state after they came out. After a day the whole day is still there."""

    class Shelf(_Shelf):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            yield from self.at(expiredTimerInfo.getExpiryTimeInMs())

    return _sorted(rides, Shelf)


@caught_by("test_nothing_stays_in_state_for_what_was_released")
def never_shortens_its_list(rides: DataFrame) -> DataFrame:
    """Your list only grows: what came out is still in it, for ever.

    To Spark a list is one row of state, however long it is. Put back only what is still waiting.
    """

    class Shelf(_Shelf):
        def init(self, handle) -> None:
            self.handle = handle
            self.all = handle.getListState("all", f"time bigint, event {self.event}")

        def put(self, time: int, row: Row) -> None:
            self.all.appendValue((time, tuple(row[name] for name in self.names)))

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            now = expiredTimerInfo.getExpiryTimeInMs()
            yield from (event for time, event in self.all.get() if time == now)

    return _sorted(rides, Shelf)


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it", not_written="withWatermark")
def sets_no_watermark(rides: DataFrame) -> DataFrame:
    """Nothing came out: your stream has no watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: 60 seconds behind the newest event.
    """
    return _processed(rides, _Shelf)


@caught_by(
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    written=r"time\.time|now\(|ProcessingTimeInMs",
)
def sets_timers_by_the_wall_clock(rides: DataFrame) -> DataFrame:
    """Nothing came out: no timer of yours went off, though the watermark moved.

    A timer in event time goes off when the watermark reaches it. The events are from 2020, so a
    minute from now by the clock on the wall is years away: set it at the event's own time.
    """

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            self.now = _milliseconds(datetime.now(UTC))
            return super().handleInputRows(key, rows, timerValues)

        def due(self, time: int, timerValues) -> int:
            return self.now + 60_000

    return _sorted(rides, Shelf)


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it", written="processingTime")
def waits_a_minute_on_the_wall_clock(rides: DataFrame) -> DataFrame:
    """Nothing came out: with `processingTime` your timers follow the clock on the wall.

    A minute of event time has nothing to do with a minute of waiting: a day's events may come in a
    second. Run the processor with `eventTime`, and set a timer at each event's own time.
    """

    class Shelf(_Shelf):
        def due(self, time: int, timerValues) -> int:
            return timerValues.getCurrentProcessingTimeInMs() + 60_000

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            for (time,) in sorted(self.shelf.keys()):
                yield from self.at(time)
            self.shelf.clear()

    return _processed(rides.withWatermark("event_time", "60 seconds"), Shelf, mode="processingTime")


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it")
def takes_seconds_for_milliseconds(rides: DataFrame) -> DataFrame:
    """Events came out as soon as there was a watermark at all: you compared it with seconds.

    Watermark and timers count milliseconds since 1970, and `timestamp()` counts seconds. Read as
    milliseconds, they are a day in January 1970, which any watermark has passed.
    """

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            for row in rows:
                seconds = _milliseconds(row.event_time) // 1000
                self.put(seconds, row)
                self.handle.registerTimer(seconds)
            return iter(())

    return _sorted(rides, Shelf)


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it")
def releases_all_when_one_is_due(rides: DataFrame) -> DataFrame:
    """When one event was due, you released all of them. The others' time has not come yet."""

    class Shelf(_Shelf):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            for (time,) in sorted(self.shelf.keys()):
                yield from self.at(time)
            self.shelf.clear()

    return _sorted(rides, Shelf)


@caught_by("test_an_event_comes_out_when_the_watermark_has_reached_it", seen=NO_STATE)
def keeps_the_shelf_in_the_object(rides: DataFrame) -> DataFrame:
    """Events that had to wait never came out: you kept them in the object itself.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class Shelf(_Shelf):
        def init(self, handle) -> None:
            self.handle, self.waiting = handle, {}

        def at(self, time: int) -> list:
            return self.waiting.pop(time, [])

        def put(self, time: int, row: Row) -> None:
            self.waiting.setdefault(time, []).append(
                Row(**{name: row[name] for name in self.names})
            )

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
            yield from self.at(expiredTimerInfo.getExpiryTimeInMs())

    return _sorted(rides, Shelf)


@caught_by(
    "test_events_come_out_in_the_order_of_event_time",
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    written="processingTime",
)
def runs_in_processing_time(rides: DataFrame) -> DataFrame:
    """You released each event as soon as it came: with `processingTime` its time is long over.

    There a timer is compared with the clock on the wall, and all of 2020 is past. With `eventTime`
    it is compared with the watermark.
    """
    return _processed(
        rides.withWatermark("event_time", "60 seconds"), _Shelf, mode="processingTime"
    )


OTHER_DELAY = other_delay("60 seconds", "1 minute")


@caught_by(
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    written=OTHER_DELAY,
    seen=OTHER_DELAY,
)
def waits_for_another_time(rides: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the 60 seconds of the rules. It says how long an event waits."""
    return _processed(rides.withWatermark("event_time", "1 hour"), _Shelf)


@caught_by(
    "test_an_event_comes_out_when_the_watermark_has_reached_it",
    written=ROWS_TWICE,
    seen=ROWS_TWICE,
)
def goes_through_the_rows_twice(rides: DataFrame) -> DataFrame:
    """You go through `rows` twice. It is an iterator: after the first time it is empty, and the
    second loop sees nothing. Keep them in a list first: `rows = list(rows)`."""

    class Shelf(_Shelf):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            for row in rows:
                self.handle.registerTimer(_milliseconds(row.event_time))
            for row in rows:
                self.put(_milliseconds(row.event_time), row)
            return iter(())

    return _sorted(rides, Shelf)
