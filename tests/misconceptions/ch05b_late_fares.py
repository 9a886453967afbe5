"""What learners get wrong when they look for the fares that came too late."""

import time
from collections.abc import Iterator

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import NO_STATE, OPENS_STATE, caught_by


class _LateFares(StatefulProcessor):
    """A processor that is right; what is wrong with the others is said by what they change."""

    def __init__(self, columns: list[str]) -> None:
        self.columns = columns

    def init(self, handle) -> None:
        self.handle = handle
        self.memory = handle.getValueState("memory", "watermark bigint")

    def remembered(self) -> int:
        return self.memory.get()[0] if self.memory.exists() else 0

    def is_late(self, row: Row, before: int, now: int) -> bool:
        return row.hour_ends <= before

    def wake(self, now: int) -> None:
        self.handle.registerTimer(now + 1)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        before, now = self.remembered(), timerValues.getCurrentWatermarkInMs()
        for row in rows:
            if self.is_late(row, before, now):
                yield Row(**{name: row[name] for name in self.columns})
        self.memory.update((now,))
        self.wake(now)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        self.memory.update((self.seen(timerValues, expiredTimerInfo),))
        return iter(())

    def seen(self, timerValues, expiredTimerInfo) -> int:
        return timerValues.getCurrentWatermarkInMs()


def _totals(timed: DataFrame, label: str = "window.end") -> DataFrame:
    hours = timed.groupBy(F.window("start_time", "1 hour"))
    sums = hours.agg(F.sum(F.col("tip").cast("double")).alias("total_tips"))
    return sums.select(F.col(label).alias("window_end"), "total_tips")


def _late(timed: DataFrame, processor: type = _LateFares, by: Column | None = None) -> DataFrame:
    loose = timed.withColumn("start_time", F.expr("start_time + interval 0 seconds"))
    return _processed(loose, processor, by)


def _processed(stream: DataFrame, processor: type = _LateFares, by: Column | None = None):
    schema = ", ".join(f"{name} {kind}" for name, kind in stream.dtypes)
    ends = F.unix_millis(F.date_trunc("hour", "start_time")) + 3_600_000
    keyed = stream.withColumn("hour_ends", ends).withColumn("by", F.lit(1) if by is None else by)
    late = processor(stream.columns)
    return keyed.groupBy("by").transformWithState(late, schema, "append", "eventTime")


@caught_by(
    "test_a_late_fare_is_handed_out",
    "test_no_fare_is_lost_and_none_is_in_both",
    not_written=r"interval|start_time\W+cast",
)
def lets_spark_drop_the_late_ones(fares: DataFrame) -> dict[str, DataFrame]:
    """No late fare came out: Spark drops late rows before your processor sees them.

    It does so where a column has a watermark. Cut start_time loose: start_time + interval 0 seconds
    is a column without one, and the watermark goes on moving.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _processed(timed)}


@caught_by("test_a_fare_that_still_counts_is_not_late", "test_no_fare_is_lost_and_none_is_in_both")
def compares_with_the_present_watermark(fares: DataFrame) -> dict[str, DataFrame]:
    """You compared with the watermark of the fare's own micro-batch. Spark drops by the one before.

    So some fares are in a total and among the late ones, too. Remember the watermark of the
    micro-batch before, and compare with that.
    """

    class Late(_LateFares):
        def is_late(self, row: Row, before: int, now: int) -> bool:
            return row.hour_ends <= now

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by("test_a_fare_of_an_open_hour_is_not_late", "test_no_fare_is_lost_and_none_is_in_both")
def compares_the_time_of_the_fare(fares: DataFrame) -> dict[str, DataFrame]:
    """You compared the time of the fare. A window takes fares until the watermark has reached its
    *end*."""

    class Late(_LateFares):
        def is_late(self, row: Row, before: int, now: int) -> bool:
            return row.start_time.timestamp() * 1000 <= before

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by(
    "test_a_fare_is_late_after_a_micro_batch_without_fares",
    "test_no_fare_is_lost_and_none_is_in_both",
)
def remembers_only_when_fares_come(fares: DataFrame) -> dict[str, DataFrame]:
    """You remember the watermark only when fares come, but it moves without them, too.

    A processor that has no rows is not called, unless by a timer. Set one at the next millisecond,
    now + 1: it goes off as soon as the watermark has moved. Remember the watermark then.
    """

    class Late(_LateFares):
        def wake(self, now: int) -> None:
            pass

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by("test_a_late_fare_is_handed_out", "test_no_fare_is_lost_and_none_is_in_both")
def remembers_for_each_driver(fares: DataFrame) -> dict[str, DataFrame]:
    """You keep a watermark for each driver, so for a driver's first fare there is none yet.

    Each key has state of its own. A watermark that all fares are compared with needs one key for
    all of them.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, by=F.col("driver_id"))}


@caught_by("test_a_late_fare_is_handed_out", "test_no_fare_is_lost_and_none_is_in_both")
def forgets_the_border(fares: DataFrame) -> dict[str, DataFrame]:
    """You lost fares whose hour ends exactly at the watermark before: they are late, `<=`."""

    class Late(_LateFares):
        def is_late(self, row: Row, before: int, now: int) -> bool:
            return row.hour_ends < before

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by("test_a_fare_of_an_open_hour_is_not_late")
def makes_two_different_promises(fares: DataFrame) -> dict[str, DataFrame]:
    """You gave the late fares no delay, but the totals ten minutes. Both need the same ten."""
    timed = fares.withWatermark("start_time", "10 minutes")
    strict = fares.withWatermark("start_time", "0 seconds")
    return {"totals": _totals(timed), "late": _late(strict)}


@caught_by("test_an_hour_comes_out_when_it_is_complete")
def names_an_hour_by_its_start(fares: DataFrame) -> dict[str, DataFrame]:
    """You gave the start of each hour. `window_end` is the other end: `window.end`."""
    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed, "window.start"), "late": _late(timed)}


@caught_by("test_a_late_fare_that_comes_twice_is_handed_out_twice")
def lists_each_late_fare_once(fares: DataFrame) -> dict[str, DataFrame]:
    """A late fare came twice, and you listed it once. Neither was counted, so list both."""

    class Late(_LateFares):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            once = {row.ride_id: row for row in rows}
            return super().handleInputRows(key, once.values(), timerValues)

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by(
    "test_a_late_fare_is_handed_out",
    "test_no_fare_is_lost_and_none_is_in_both",
    written=OPENS_STATE,
)
def gives_the_late_ones_no_watermark(fares: DataFrame) -> dict[str, DataFrame]:
    """No late fare came out: the stream that you look for them in has no watermark.

    So its watermark is always 0, and no hour is ever over. Set withWatermark first, ten minutes as
    for the totals, and cut start_time loose from it after that.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _processed(fares)}


@caught_by("test_a_late_fare_is_handed_out", "test_no_fare_is_lost_and_none_is_in_both")
def remembers_when_the_timer_was_due(fares: DataFrame) -> dict[str, DataFrame]:
    """When your timer went off, you remembered the time that it was set for.

    That is only a millisecond past the watermark before. The watermark that made it go off is
    further on: ask timerValues for it.
    """

    class Late(_LateFares):
        def seen(self, timerValues, expiredTimerInfo) -> int:
            return expiredTimerInfo.getExpiryTimeInMs()

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by(
    "test_a_fare_is_late_also_if_its_hour_had_no_other",
    "test_no_fare_is_lost_and_none_is_in_both",
    written=r"registerTimer\((?!now)",
)
def wakes_at_the_end_of_known_hours(fares: DataFrame) -> dict[str, DataFrame]:
    """You set timers at the ends of hours in which fares came. An hour may have had none yet.

    The watermark passes it all the same, and the first fare of that hour may come after that. Set a
    timer at the next millisecond, now + 1, which goes off whenever the watermark has moved.
    """

    class Late(_LateFares):
        def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
            there = list(rows)
            for row in there:
                self.handle.registerTimer(row.hour_ends)
            return super().handleInputRows(key, there, timerValues)

        def wake(self, now: int) -> None:
            pass

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by(
    "test_a_fare_that_still_counts_is_not_late",
    "test_no_fare_is_lost_and_none_is_in_both",
    written=r"time\.time|now\(|ProcessingTimeInMs",
)
def compares_with_the_clock_on_the_wall(fares: DataFrame) -> dict[str, DataFrame]:
    """You took every fare for late: you compared its hour with the clock on the wall.

    These fares are from 2020, so by that clock each hour is long over. It is the watermark that
    says what is late.
    """

    class Late(_LateFares):
        def is_late(self, row: Row, before: int, now: int) -> bool:
            return row.hour_ends <= time.time() * 1000

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


@caught_by("test_a_fare_that_still_counts_is_not_late", "test_no_fare_is_lost_and_none_is_in_both")
def compares_seconds_with_milliseconds(fares: DataFrame) -> dict[str, DataFrame]:
    """You took every fare for late that came after the first watermark: you compared seconds.

    A watermark counts milliseconds since 1970, and `timestamp()` counts seconds: read as
    milliseconds, they are a day in January 1970, which any watermark has passed.
    """

    class Late(_LateFares):
        def is_late(self, row: Row, before: int, now: int) -> bool:
            return row.hour_ends // 1000 <= before

    timed = fares.withWatermark("start_time", "10 minutes")
    return {"totals": _totals(timed), "late": _late(timed, Late)}


class _Forgetful(StatefulProcessor):
    """A processor whose memory is no state."""

    def init(self, handle) -> None:
        self.handle, self.memory = handle, 0

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            if row.hour_ends <= self.memory:
                yield Row(**{name: row[name] for name in row.__fields__[:-2]})
        self.memory = timerValues.getCurrentWatermarkInMs()
        self.handle.registerTimer(self.memory + 1)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        self.memory = timerValues.getCurrentWatermarkInMs()
        return iter(())


@caught_by(
    "test_a_late_fare_is_handed_out",
    "test_no_fare_is_lost_and_none_is_in_both",
    not_written=OPENS_STATE,
    seen=NO_STATE,
)
def remembers_the_watermark_in_the_object(fares: DataFrame) -> dict[str, DataFrame]:
    """You kept the watermark in the object itself, and in the next micro-batch it was gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    loose = timed.withColumn("start_time", F.expr("start_time + interval 0 seconds"))
    ends = F.unix_millis(F.date_trunc("hour", "start_time")) + 3_600_000
    keyed = loose.withColumn("hour_ends", ends).withColumn("by", F.lit(1)).groupBy("by")
    late = keyed.transformWithState(_Forgetful(), fares.schema, "append", "eventTime")
    return {"totals": _totals(timed), "late": late}
