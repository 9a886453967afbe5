"""What learners get wrong when they build a window by hand."""

from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import NO_STATE, caught_by

HOUR = 60 * 60 * 1000


class Tips(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make the map of open hours."""
        self.handle = handle
        self.tips = handle.getMapState("tips", "window_end bigint", "total double")

    def handleInputRows(self, key, rows, timerValues):
        """Add each tip to its hour."""
        for row in rows:
            hour_end = self.hour_end(int(row.start_time.timestamp() * 1000), timerValues)
            self.add(hour_end, row.tip)
            self.handle.registerTimer(hour_end + self.later)
        return iter(())

    # By how many milliseconds the timer of an hour is later than its end.
    later = 0

    def hour_end(self, time, timerValues):
        """Say where the hour of a time ends."""
        return time - time % HOUR + HOUR

    def add(self, hour_end, tip):
        """Add a tip to the sum of an hour."""
        known = self.tips.containsKey((hour_end,))
        before = self.tips.getValue((hour_end,))[0] if known else 0.0
        self.tips.updateValue((hour_end,), (before + (tip or 0.0),))

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Report the hour that is complete."""
        hour_end = expiredTimerInfo.getExpiryTimeInMs() - self.later
        yield self.total(key, hour_end)
        self.tips.removeKey((hour_end,))

    def total(self, key, hour_end):
        """Make the row of an hour."""
        end = datetime.fromtimestamp(hour_end / 1000, UTC)
        total = self.tips.getValue((hour_end,))[0]
        return Row(window_end=end, driver_id=key[0], total_tips=total)


def _add_up(fares: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return _processed(fares.withWatermark("start_time", "10 minutes"), processor, by)


def _processed(
    fares: DataFrame,
    processor: StatefulProcessor,
    by: str = "driver_id",
    mode: str = "eventTime",
) -> DataFrame:
    columns = "window_end timestamp, driver_id bigint, total_tips double"
    return fares.groupBy(by).transformWithState(processor, columns, "append", mode)


@caught_by(
    "test_tips_are_added_up_by_hour",
    "test_a_fare_at_a_full_hour_belongs_to_the_next",
    "test_the_next_hour_stays_open_when_one_is_complete",
)
def keeps_one_sum(fares: DataFrame) -> DataFrame:
    """You kept one sum for each driver. At 13:02 two hours are open, and each needs its own."""

    class Processor(Tips):
        def init(self, handle):
            self.handle = handle
            self.sum = handle.getValueState("sum", "total double")

        def add(self, hour_end, tip):
            before = self.sum.get()[0] if self.sum.exists() else 0.0
            self.sum.update((before + (tip or 0.0),))

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            if self.sum.exists():
                end = datetime.fromtimestamp(expiredTimerInfo.getExpiryTimeInMs() / 1000, UTC)
                yield Row(window_end=end, driver_id=key[0], total_tips=self.sum.get()[0])
                self.sum.clear()

    return _add_up(fares, Processor())


@caught_by("test_a_fare_out_of_order_counts_for_its_own_hour", "test_tips_are_added_up_by_hour")
def counts_for_the_newest_hour(fares: DataFrame) -> DataFrame:
    """You added a fare of 12:58 to the hour of one of 13:02. Each belongs to its own hour."""

    class Processor(Tips):
        def hour_end(self, time, timerValues):
            newest = max((hour for (hour,) in self.tips.keys()), default=0)  # noqa: SIM118
            return max(newest, super().hour_end(time, timerValues))

    return _add_up(fares, Processor())


@caught_by(
    "test_tips_are_added_up_by_hour",
    "test_an_hour_comes_out_when_the_watermark_reaches_its_end",
)
def reports_with_every_fare(fares: DataFrame) -> DataFrame:
    """You reported the sum so far with every fare. An hour comes once, when it is complete."""

    class Processor(Tips):
        def handleInputRows(self, key, rows, timerValues):
            super().handleInputRows(key, rows, timerValues)
            for (hour_end,) in list(self.tips.keys()):
                yield self.total(key, hour_end)

    return _add_up(fares, Processor())


@caught_by("test_tips_are_added_up_by_hour", "test_the_next_hour_stays_open_when_one_is_complete")
def clears_the_whole_map(fares: DataFrame) -> DataFrame:
    """You cleared the whole map when one hour was complete. It held the next hour's tips, too."""

    class Processor(Tips):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            hour_end = expiredTimerInfo.getExpiryTimeInMs()
            if self.tips.containsKey((hour_end,)):
                yield self.total(key, hour_end)
            self.tips.clear()

    return _add_up(fares, Processor())


@caught_by("test_an_hour_comes_out_when_the_watermark_reaches_its_end")
def reports_every_hour_it_finds(fares: DataFrame) -> DataFrame:
    """You reported all open hours when a timer fired. Its expiry time says which is complete."""

    class Processor(Tips):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            for (hour_end,) in list(self.tips.keys()):
                yield self.total(key, hour_end)
                self.tips.removeKey((hour_end,))

    return _add_up(fares, Processor())


@caught_by("test_state_holds_open_hours_only")
def forgets_to_forget(fares: DataFrame) -> DataFrame:
    """You kept the hours that you reported: after a year, thousands for each driver."""

    class Processor(Tips):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            yield self.total(key, expiredTimerInfo.getExpiryTimeInMs())

    return _add_up(fares, Processor())


@caught_by("test_a_null_tip_adds_nothing")
def skips_a_fare_without_a_tip(fares: DataFrame) -> DataFrame:
    """You skipped fares with a null tip. A driver who has no others must still get 0.0."""
    return _add_up(fares.filter("tip IS NOT NULL"), Tips())


@caught_by("test_a_fare_at_a_full_hour_belongs_to_the_next")
def counts_the_end_in(fares: DataFrame) -> DataFrame:
    """You counted a fare of 13:00:00 for the hour that ends then. It belongs to the next one."""

    class Processor(Tips):
        def hour_end(self, time, timerValues):
            return -(-time // HOUR) * HOUR

    return _add_up(fares, Processor())


@caught_by("test_an_hour_comes_out_when_the_watermark_reaches_its_end")
def waits_twice(fares: DataFrame) -> DataFrame:
    """You set the timer ten minutes after the hour. The watermark is ten minutes behind already."""

    class Processor(Tips):
        later = HOUR // 6

    return _add_up(fares, Processor())


@caught_by("test_one_driver_one_tip", "test_drivers_are_kept_apart")
def names_the_start_of_the_hour(fares: DataFrame) -> DataFrame:
    """You named an hour by its start. `window_end` is where it ends."""

    class Processor(Tips):
        def total(self, key, hour_end):
            row = super().total(key, hour_end).asDict()
            start = datetime.fromtimestamp((hour_end - HOUR) / 1000, UTC)
            return Row(**(row | {"window_end": start}))

    return _add_up(fares, Processor())


@caught_by("test_an_hour_comes_out_when_the_watermark_reaches_its_end")
def reports_a_millisecond_early(fares: DataFrame) -> DataFrame:
    """You set the timer a millisecond before the hour's end. A fare of that millisecond may still
    come.

    An hour is complete when the watermark is at its end: set the timer there.
    """

    class Processor(Tips):
        later = -1

    return _add_up(fares, Processor())


@caught_by("test_an_hour_comes_out_when_the_watermark_reaches_its_end")
def waits_a_moment_longer(fares: DataFrame) -> DataFrame:
    """You set the timer a little after the hour's end. A timer fires when the watermark is *at* it.

    The end itself is late enough: everything that belongs to the hour comes before it.
    """

    class Processor(Tips):
        later = 1

    return _add_up(fares, Processor())


@caught_by("test_tips_are_added_up_by_hour", "test_drivers_are_kept_apart", written="taxi_id")
def adds_up_by_taxi(fares: DataFrame) -> DataFrame:
    """You added up by taxi. A driver may change taxis, and two may share one: group by driver."""
    return _add_up(fares, Tips(), "taxi_id")


@caught_by(
    "test_one_driver_one_tip",
    "test_an_hour_comes_out_when_the_watermark_reaches_its_end",
    not_written="withWatermark",
)
def sets_no_watermark(fares: DataFrame) -> DataFrame:
    """Nothing came out: the stream has no watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: ten minutes behind the newest fare.
    """
    return _processed(fares, Tips())


@caught_by(
    "test_one_driver_one_tip",
    "test_an_hour_comes_out_when_the_watermark_reaches_its_end",
    written=r"time\.time|now\(|ProcessingTimeInMs",
)
def sets_timers_by_the_wall_clock(fares: DataFrame) -> DataFrame:
    """Nothing came out: no timer of yours went off, though the watermark moved.

    A timer in event time goes off when the watermark reaches it. The fares are from 2020, so an
    hour from now by that clock is years away: set it at the end of the fare's own hour.
    """

    class Processor(Tips):
        def handleInputRows(self, key, rows, timerValues):
            self.later = int(datetime.now(UTC).timestamp() * 1000)
            return super().handleInputRows(key, rows, timerValues)

    return _add_up(fares, Processor())


@caught_by("test_tips_are_added_up_by_hour", written="processingTime")
def runs_in_processing_time(fares: DataFrame) -> DataFrame:
    """You reported each hour as soon as its first fares came: with `processingTime` it is long
    over.

    There a timer is compared with the clock on the wall, and all of 2020 is past. With `eventTime`
    it is compared with the watermark.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    return _processed(timed, Tips(), mode="processingTime")


@caught_by("test_an_hour_comes_out_when_the_watermark_reaches_its_end")
def sets_timers_in_seconds(fares: DataFrame) -> DataFrame:
    """Your timers went off as soon as there was a watermark at all: you set them in seconds.

    Watermark and timers count milliseconds since 1970, and `timestamp()` counts seconds. Read as
    milliseconds, they are a day in January 1970, which any watermark has passed.
    """

    class Processor(Tips):
        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                hour_end = self.hour_end(int(row.start_time.timestamp() * 1000), timerValues)
                self.add(hour_end, row.tip)
                self.handle.registerTimer(hour_end // 1000)
            return iter(())

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            hour_end = expiredTimerInfo.getExpiryTimeInMs() * 1000
            yield self.total(key, hour_end)
            self.tips.removeKey((hour_end,))

    return _add_up(fares, Processor())


@caught_by("test_tips_are_added_up_by_hour", seen=NO_STATE)
def keeps_the_sums_in_the_object(fares: DataFrame) -> DataFrame:
    """You kept the sums in the object itself, and in the next micro-batch they were gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class Processor(Tips):
        def init(self, handle):
            self.handle, self.sums = handle, {}

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                hour_end = self.hour_end(int(row.start_time.timestamp() * 1000), timerValues)
                known = self.sums.get((key, hour_end), 0.0)
                self.sums[key, hour_end] = known + (row.tip or 0.0)
                self.handle.registerTimer(hour_end)
            return iter(())

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            hour_end = expiredTimerInfo.getExpiryTimeInMs()
            end = datetime.fromtimestamp(hour_end / 1000, UTC)
            total = self.sums.pop((key, hour_end), 0.0)
            yield Row(window_end=end, driver_id=key[0], total_tips=total)

    return _add_up(fares, Processor())
