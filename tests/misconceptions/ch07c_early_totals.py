"""What learners get wrong when they tell an hour early, on time and late."""

from datetime import UTC, datetime
from typing import NamedTuple

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import NO_STATE, caught_by, other_delay

HOUR, QUARTER, LATENESS = 60 * 60 * 1000, 15 * 60 * 1000, 30 * 60 * 1000
COLUMNS = "window_end timestamp, driver_id bigint, total_tips double, told string, version bigint"


class Hour(NamedTuple):
    """What is kept of an hour."""

    total: float
    told: float | None
    version: int
    due: int


class Totals(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make the map of hours."""
        self.handle = handle
        hour = "total double, told double, version bigint, due bigint"
        self.hours = handle.getMapState("hours", "end bigint", hour)

    def handleInputRows(self, key, rows, timerValues):
        """Add each fare to its hour; tell what is late."""
        now = timerValues.getCurrentWatermarkInMs()
        for row in self.arrange(rows):
            time = int(row.start_time.timestamp() * 1000)
            end = time - time % HOUR + HOUR
            if not self.counts(time, end, now):
                continue
            known = self.hours.containsKey((end,))
            if known and now >= end:
                yield from self.before_a_late_fare(key, end, now)
            hour = self.hour(end) if known else Hour(0.0, None, 0, self.first_due(end, now))
            hour = hour._replace(total=hour.total + (row.tip or 0.0))
            self.keep(end, hour, now)
            if self.is_late(time, end, now):
                yield from self.tell_late(key, end, hour, now)

    def arrange(self, rows):
        """Bring the fares in order."""
        return sorted(rows, key=lambda row: (row.start_time, row.ride_id))

    def counts(self, time, end, now):
        """Say whether a fare is in time for its hour."""
        return now < end + LATENESS

    def is_late(self, time, end, now):
        """Say whether a fare comes too late for the on-time total."""
        return now >= end

    def before_a_late_fare(self, key, end, now):
        """Tell on time what isn't told yet."""
        return self.advance(key, end, now)

    def tell_late(self, key, end, hour, now):
        """Tell a late fare."""
        return self.tell(key, end, hour, now, "late")

    def first_due(self, end, now):
        """Say when a new hour is due."""
        return self.due(end, now)

    def due(self, end, now):
        """Say when an hour is due next."""
        if now >= end:
            return end + LATENESS
        return max(now, end - HOUR) // QUARTER * QUARTER + QUARTER

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Tell what is due, and forget."""
        now = timerValues.getCurrentWatermarkInMs()
        for (end,) in sorted(map(tuple, self.hours.keys())):
            yield from self.advance(key, end, now)
            self.forget(end, now)

    def forget(self, end, now):
        """Take out an hour that is over for good."""
        if now >= end + LATENESS:
            self.hours.removeKey((end,))

    def advance(self, key, end, now):
        """Tell an hour that is due."""
        hour = self.hour(end)
        if hour.due <= min(now, end):
            moved = hour._replace(due=self.due(end, now))
            self.keep(end, moved, now)
            yield from self.tell(key, end, moved, now, "on time" if now >= end else "early")

    def tell(self, key, end, hour, now, told):
        """Tell a total."""
        if not self.is_news(hour, told):
            return
        row = {
            "window_end": datetime.fromtimestamp(end / 1000, UTC),
            "driver_id": key[0],
            "total_tips": self.total(hour, told),
            "told": told,
            "version": self.version(hour, told),
        }
        self.keep(end, hour._replace(told=hour.total, version=row["version"]), now)
        yield Row(**row)

    def total(self, hour, told):
        """Say what is told."""
        return hour.total

    def version(self, hour, told):
        """Count up."""
        return hour.version + 1

    def is_news(self, hour, told):
        """Compare with what was told last."""
        return told == "on time" or hour.total != hour.told

    def hour(self, end):
        """Look up an hour."""
        return Hour(*self.hours.getValue((end,)))

    def keep(self, end, hour, now):
        """Write an hour into state."""
        self.hours.updateValue((end,), tuple(hour))
        if hour.due > now:
            self.handle.registerTimer(hour.due)


def _tell(fares: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return _processed(_loose(fares.withWatermark("start_time", "1 minute")), processor, by)


def _loose(fares: DataFrame) -> DataFrame:
    return fares.withColumn("start_time", F.expr("start_time + interval 0 seconds"))


def _processed(fares: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return fares.groupBy(by).transformWithState(processor, COLUMNS, "append", "eventTime")


@caught_by(
    "test_a_late_fare_is_told_at_once",
    "test_an_hour_whose_first_fare_is_late_is_told_late",
    not_written=r"interval|unix_|cast\(|timestamp_",
)
def lets_spark_drop_what_is_late(fares: DataFrame) -> DataFrame:
    """No late fare ever reached you: in front of a processor Spark drops each row whose time the
    watermark of the micro-batch before has passed.

    It knows by the column that the watermark is on. Cut loose from it, with an interval of nothing
    added, say, the column lets every row through, and the watermark moves all the same.
    """
    return _processed(fares.withWatermark("start_time", "1 minute"), Totals())


@caught_by(
    "test_an_early_total_comes_when_the_watermark_reaches_a_quarter",
    "test_an_hour_is_on_time_when_the_watermark_reaches_its_end",
    seen=other_delay("1 minute", "60 seconds"),
)
def waits_for_the_latest(fares: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the minute of the rules. With half an hour, say, few fares are
    late, but everything is told half an hour later, the early totals as well.

    How long to wait before telling, and for how long to accept corrections, are two questions: the
    first is the delay, the second is how long you keep the hour.
    """
    return _processed(_loose(fares.withWatermark("start_time", "31 minutes")), Totals())


@caught_by("test_a_quarter_that_is_past_is_not_told")
def tells_when_another_hour_is_due(fares: DataFrame) -> DataFrame:
    """A timer belongs to a driver, and not to an hour. At half past one goes off what forgets the
    hour before, and you told the one that had only just begun. Keep with each hour when *it* is
    due."""

    class Processor(Totals):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            now, time = timerValues.getCurrentWatermarkInMs(), expiredTimerInfo.getExpiryTimeInMs()
            for (end,) in sorted(map(tuple, self.hours.keys())):
                if end - HOUR < time < end and now < end:
                    self.keep(end, self.hour(end)._replace(due=time), now)
                yield from self.advance(key, end, now)
                self.forget(end, now)

    return _tell(fares, Processor())


@caught_by("test_an_unchanged_total_is_not_told_early_again")
def tells_what_has_not_changed(fares: DataFrame) -> DataFrame:
    """You told an early total that everybody knew. Keep what was told last, and compare."""

    class Processor(Totals):
        def is_news(self, hour, told):
            return told != "late" or hour.total != hour.told

    return _tell(fares, Processor())


@caught_by(
    "test_a_total_is_told_early_and_on_time", "test_an_unchanged_total_is_not_told_early_again"
)
def leaves_out_on_time_if_nothing_changed(fares: DataFrame) -> DataFrame:
    """You left out the on-time row where the total was known already. It says something new all the
    same: that the hour is complete. The payroll waits for it.
    """

    class Processor(Totals):
        def is_news(self, hour, told):
            return hour.total != hour.told

    return _tell(fares, Processor())


@caught_by("test_several_quarters_at_once_tell_once")
def tells_each_quarter(fares: DataFrame) -> DataFrame:
    """You told the same total for each quarter that the watermark passed in one step. Once is
    enough: nothing can have changed in between.
    """

    class Processor(Totals):
        def advance(self, key, end, now):
            hour = self.hour(end)
            if not (hour.due <= now < end and hour.total != hour.told):
                yield from super().advance(key, end, now)
                return
            for _ in range(hour.due, now + 1, QUARTER):
                again = self.hour(end)._replace(told=None, due=self.due(end, now))
                yield from self.tell(key, end, again, now, "early")

    return _tell(fares, Processor())


@caught_by("test_nothing_is_told_early_when_the_hour_is_over")
def tells_early_when_it_is_over(fares: DataFrame) -> DataFrame:
    """You told an hour early, and on time in the same micro-batch: the watermark had passed a
    quarter and the end in one step. When a timer fires, ask the watermark how late it is; the
    timer's own time may be long ago.
    """

    class Processor(Totals):
        def advance(self, key, end, now):
            hour = self.hour(end)
            if hour.due < end <= now:
                yield from self.tell(key, end, hour, now, "early")
            yield from super().advance(key, end, now)

    return _tell(fares, Processor())


@caught_by("test_a_quarter_that_is_past_is_not_told")
def tells_quarters_that_are_past(fares: DataFrame) -> DataFrame:
    """You set timers for quarters that were over when the first fare came. A timer in the past
    fires in the same micro-batch: begin with the next quarter after the watermark.
    """

    class Processor(Totals):
        def first_due(self, end, now):
            return end + LATENESS if now >= end else end - HOUR + QUARTER

        def keep(self, end, hour, now):
            self.hours.updateValue((end,), tuple(hour))
            self.handle.registerTimer(max(hour.due, now))

    return _tell(fares, Processor())


@caught_by(
    "test_a_fare_is_late_in_the_micro_batch_that_closes_its_hour",
    "test_an_hour_is_on_time_when_the_watermark_reaches_its_end",
)
def counts_what_comes_with_the_closing(fares: DataFrame) -> DataFrame:
    """You counted a fare as on time that came when the watermark was at its hour's end. Input comes
    before timers, so the hour isn't told yet, but the fare is late all the same: tell the hour
    first, then the fare.
    """

    class Processor(Totals):
        def before_a_late_fare(self, key, end, now):
            return iter(())

        def tell_late(self, key, end, hour, now):
            closed = hour.due > end
            return self.tell(key, end, hour, now, "late") if closed else iter(())

    return _tell(fares, Processor())


@caught_by("test_a_fare_is_late_in_the_micro_batch_that_closes_its_hour")
def tells_late_before_on_time(fares: DataFrame) -> DataFrame:
    """You told late fares before their hour was told on time. Input comes before timers: when a
    late fare comes in the micro-batch that closes its hour, tell the hour on time first.
    """

    class Processor(Totals):
        def before_a_late_fare(self, key, end, now):
            return iter(())

    return _tell(fares, Processor())


@caught_by("test_late_fares_are_told_one_by_one")
def tells_late_fares_together(fares: DataFrame) -> DataFrame:
    """You told the late fares of a micro-batch in one row. How many of them come together is
    chance: a row for each makes the same rows however they are split.
    """

    class Processor(Totals):
        def handleInputRows(self, key, rows, timerValues):
            told = {}
            for row in super().handleInputRows(key, rows, timerValues):
                if row.told == "on time":
                    yield row
                else:
                    before = told.get(row.window_end, row)
                    told[row.window_end] = Row(**(row.asDict() | {"version": before.version}))
            yield from told.values()

    return _tell(fares, Processor())


@caught_by("test_late_fares_are_told_one_by_one")
def tells_late_fares_as_they_come(fares: DataFrame) -> DataFrame:
    """You told the late fares of a micro-batch in the order in which they lay there. In a replay
    that may be another one: sort them by `start_time` and `ride_id`.
    """

    class Processor(Totals):
        def arrange(self, rows):
            return rows

    return _tell(fares, Processor())


@caught_by("test_a_late_fare_is_told_at_once", "test_versions_count_up")
def forgets_the_hour_at_its_end(fares: DataFrame) -> DataFrame:
    """You forgot an hour when it was told on time, so a late fare began it anew. Keep it for
    thirty minutes more.
    """

    class Processor(Totals):
        def forget(self, end, now):
            if now >= end:
                self.hours.removeKey((end,))

    return _tell(fares, Processor())


@caught_by(
    "test_an_early_total_comes_when_the_watermark_reaches_a_quarter",
    "test_an_early_total_has_the_fares_of_its_micro_batch_in_it",
)
def asks_whether_the_fare_is_behind(fares: DataFrame) -> DataFrame:
    """You told a fare as late because it was behind the watermark. Its hour may still be open, and
    then it is in good time: compare the watermark with the end of the hour.
    """

    class Processor(Totals):
        def is_late(self, time, end, now):
            return now >= time

    return _tell(fares, Processor())


@caught_by("test_state_ends")
def keeps_every_hour(fares: DataFrame) -> DataFrame:
    """You kept the hours that nobody can change any more. Once the watermark is thirty minutes past
    an hour, take it out: a timer has to be set for that, too.
    """

    class Processor(Totals):
        def forget(self, end, now):
            pass

    return _tell(fares, Processor())


@caught_by("test_a_fare_that_comes_later_is_for_nobody")
def takes_what_comes_at_thirty_minutes(fares: DataFrame) -> DataFrame:
    """You counted a fare that came when the watermark was *at* thirty minutes past its hour. By
    then the hour is forgotten: `>=`, not `>`.
    """

    class Processor(Totals):
        def counts(self, time, end, now):
            return now <= end + LATENESS

    return _tell(fares, Processor())


@caught_by(
    "test_a_fare_counts_up_to_thirty_minutes_after_its_hour", "test_a_late_fare_is_told_at_once"
)
def measures_from_the_fare(fares: DataFrame) -> DataFrame:
    """You measured the thirty minutes from the fare. They begin at the end of its *hour*, which
    is over for all its fares at once: one of 12:50 counts as long as one of 12:59.
    """

    class Processor(Totals):
        def counts(self, time, end, now):
            return now < time + LATENESS or now < end

    return _tell(fares, Processor())


@caught_by("test_versions_count_up", "test_an_hour_is_on_time_when_the_watermark_reaches_its_end")
def counts_late_ones_anew(fares: DataFrame) -> DataFrame:
    """You began to count anew when the hour was told on time. Whoever reads this takes the highest
    version: it goes on counting, however it was told.
    """

    class Processor(Totals):
        def version(self, hour, told):
            return 1 if told == "on time" else hour.version + 1

    return _tell(fares, Processor())


@caught_by("test_a_late_fare_is_told_at_once", "test_late_fares_are_told_one_by_one")
def tells_the_late_tip_alone(fares: DataFrame) -> DataFrame:
    """You told a late fare's tip by itself. Every row is the whole total: whoever reads it puts it
    in the place of the one before.
    """

    class Processor(Totals):
        def total(self, hour, told):
            return hour.total - (hour.told or 0.0) if told == "late" else hour.total

    return _tell(fares, Processor())


@caught_by("test_a_total_is_told_early_and_on_time", "test_drivers_are_kept_apart")
def adds_up_by_taxi(fares: DataFrame) -> DataFrame:
    """You added up by taxi. A driver may have two in one hour, and two drivers may share one: group
    by driver.
    """
    return _tell(fares, Totals(), "taxi_id")


@caught_by("test_a_null_tip_adds_nothing", "test_an_hour_whose_first_fare_is_late_is_told_late")
def drops_fares_without_a_tip(fares: DataFrame) -> DataFrame:
    """You left out fares with a null tip. A driver who has no other has an hour all the same, with
    a total of 0.0.
    """
    return _tell(fares.filter("tip IS NOT NULL"), Totals())


@caught_by("test_a_total_is_told_early_and_on_time", not_written="withWatermark")
def sets_no_watermark(fares: DataFrame) -> DataFrame:
    """Nothing came out: the stream has no watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: a minute behind the newest fare.
    """
    return _processed(fares, Totals())


@caught_by(
    "test_an_early_total_has_the_fares_of_its_micro_batch_in_it",
    "test_versions_count_up",
    seen=NO_STATE,
)
def keeps_the_hours_in_the_object(fares: DataFrame) -> DataFrame:
    """You kept the hours in the object itself, and in the next micro-batch they were gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class Processor(Totals):
        def init(self, handle):
            self.handle, self.here = handle, {}

        def handleInputRows(self, key, rows, timerValues):
            self.hours = self.here.setdefault(key, _InTheObject())
            yield from super().handleInputRows(key, rows, timerValues)

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            self.hours = self.here.setdefault(key, _InTheObject())
            yield from super().handleExpiredTimer(key, timerValues, expiredTimerInfo)

    return _tell(fares, Processor())


class _InTheObject(dict):
    """Looks like a map in state."""

    def containsKey(self, key):
        return key in self

    def getValue(self, key):
        return self[key]

    def updateValue(self, key, value):
        self[key] = value

    def removeKey(self, key):
        del self[key]
