"""What learners get wrong when they watch for long rides."""

from datetime import UTC, datetime, timedelta

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import KEEPS_TIMERS, NO_STATE, ROWS_TWICE, caught_by, other_delay

TWO_HOURS = 2 * 60 * 60 * 1000


class Alerts(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make a place for each event's time."""
        self.handle = handle
        self.start = handle.getValueState("start", "time bigint")
        self.end = handle.getValueState("end", "time bigint")

    def handleInputRows(self, key, rows, timerValues):
        """Note what came; decide when both are there."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            (self.start if row.is_start else self.end).update((time,))
            self.set_timer(row.is_start, time, timerValues)
        if self.start.exists() and self.end.exists():
            yield from self.decide(key)

    def set_timer(self, is_start, time, timerValues):
        """Set the timer that belongs to an event."""
        self.handle.registerTimer(time + TWO_HOURS if is_start else time)

    def decide(self, key):
        """Report a long ride, and forget it."""
        if self.is_long():
            yield self.alert(key)
        self.forget()

    def is_long(self):
        """Compare the two."""
        return self.end.get()[0] - self.start.get()[0] > TWO_HOURS

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Report a START that is alone."""
        if self.start.exists():
            yield self.alert(key)
        self.forget()

    def alert(self, key):
        """Make the row."""
        start = datetime.fromtimestamp(self.start.get()[0] / 1000, UTC)
        return Row(ride_id=key[0], start_time=start)

    def forget(self):
        """Clear everything."""
        self.start.clear()
        self.end.clear()
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)


def _watch(rides: DataFrame, processor: StatefulProcessor, delay: str = "60 seconds") -> DataFrame:
    return _processed(rides.withWatermark("event_time", delay), processor)


def _processed(
    rides: DataFrame, processor: StatefulProcessor, mode: str = "eventTime"
) -> DataFrame:
    by_ride = rides.groupBy("ride_id")
    columns = "ride_id bigint, start_time timestamp"
    return by_ride.transformWithState(processor, columns, "append", mode)


@caught_by("test_exactly_two_hours_is_not_long")
def counts_exactly_two_hours(rides: DataFrame) -> DataFrame:
    """You reported a ride of exactly two hours. Long is *more* than two hours: `>`, not `>=`."""

    class Processor(Alerts):
        def is_long(self):
            return self.end.get()[0] - self.start.get()[0] >= TWO_HOURS

    return _watch(rides, Processor())


@caught_by(
    "test_without_an_end_the_watermark_reports_it",
    "test_an_alert_is_given_once",
    not_written="registerTimer",
)
def waits_for_the_end(rides: DataFrame) -> DataFrame:
    """You report a long ride when its END comes, and a ride that goes on has none.

    A missing event can't call your code. A timer can: set one at START plus two hours.
    """

    class Processor(StatefulProcessor):
        def init(self, handle):
            self.times = handle.getMapState("times", "is_start boolean", "time timestamp")

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                self.times.updateValue((row.is_start,), (row.event_time,))
            times = {kind: time for (kind,), (time,) in self.times.iterator()}
            if len(times) == 2:
                if times[False] - times[True] > timedelta(hours=2):
                    yield Row(ride_id=key[0], start_time=times[True])
                self.times.clear()

    return _watch(rides, Processor())


@caught_by(
    "test_the_end_of_a_long_ride_reports_it",
    "test_a_long_ride_whose_end_comes_first_is_reported",
)
def calls_the_alarm_off_at_any_end(rides: DataFrame) -> DataFrame:
    """You took every END for an all-clear. Its time may show that the ride was long."""

    class Processor(Alerts):
        def is_long(self):
            return False

    return _watch(rides, Processor())


@caught_by("test_an_alert_is_given_once")
def reports_by_the_timer_and_by_the_end(rides: DataFrame) -> DataFrame:
    """You reported a ride twice: when its timer went off, and again when its END came."""

    class Processor(Alerts):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            if self.start.exists():
                yield self.alert(key)

    return _watch(rides, Processor())


@caught_by("test_a_short_ride_whose_end_comes_first_gives_nothing")
def takes_the_start_to_come_first(rides: DataFrame) -> DataFrame:
    """You threw away an END that came before its START, and then waited two hours for it."""

    class Processor(Alerts):
        def handleInputRows(self, key, rows, timerValues):
            yield from super().handleInputRows(key, rows, timerValues)
            if not self.start.exists():
                self.end.clear()

    return _watch(rides, Processor())


@caught_by("test_nothing_is_kept_once_the_watermark_is_past", "test_no_state_is_left_behind")
def keeps_an_end_for_ever(rides: DataFrame) -> DataFrame:
    """You kept an END whose START never comes, or was reported before it. It needs a timer, too."""

    class Processor(Alerts):
        def set_timer(self, is_start, time, timerValues):
            if is_start:
                self.handle.registerTimer(time + TWO_HOURS)

    return _watch(rides, Processor())


@caught_by("test_nothing_is_kept_once_the_watermark_is_past", "test_no_state_is_left_behind")
def remembers_what_it_reported(rides: DataFrame) -> DataFrame:
    """You remember each ride that you reported: for ever, if its END never comes."""

    class Processor(Alerts):
        def init(self, handle):
            super().init(handle)
            self.reported = handle.getValueState("reported", "yes boolean")

        def handleInputRows(self, key, rows, timerValues):
            if not self.reported.exists():
                yield from super().handleInputRows(key, rows, timerValues)
            else:
                self.reported.clear()

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            if self.start.exists():
                self.reported.update((True,))
            yield from super().handleExpiredTimer(key, timerValues, expiredTimerInfo)

    return _watch(rides, Processor())


@caught_by("test_without_an_end_the_watermark_reports_it")
def starts_the_clock_when_the_event_arrives(rides: DataFrame) -> DataFrame:
    """You set the timer two hours after the present watermark. Count from the START's own time."""

    class Processor(Alerts):
        def set_timer(self, is_start, time, timerValues):
            now = timerValues.getCurrentWatermarkInMs()
            self.handle.registerTimer(now + TWO_HOURS if is_start else time)

    return _watch(rides, Processor())


@caught_by(
    "test_without_an_end_the_watermark_reports_it", seen=other_delay("60 seconds", "1 minute")
)
def waits_ten_minutes_for_latecomers(rides: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the 60 seconds of the rules. With ten minutes, say, each alert
    comes nine minutes too late."""
    return _watch(rides, Alerts(), "10 minutes")


@caught_by("test_no_timer_is_left_behind", seen=KEEPS_TIMERS)
def never_deletes_a_timer(rides: DataFrame) -> DataFrame:
    """You forgot the ride, but not its timers: they go on waiting, for hours, and find nothing
    there.

    Spark doesn't count timers as rows of state, but it keeps them all. Delete those that
    `listTimers` gives.
    """

    class Processor(Alerts):
        def forget(self):
            self.start.clear()
            self.end.clear()

    return _watch(rides, Processor())


@caught_by(
    "test_without_an_end_the_watermark_reports_it",
    "test_an_alert_is_given_once",
    not_written="withWatermark",
)
def sets_no_watermark(rides: DataFrame) -> DataFrame:
    """No timer of yours went off: the stream has no watermark.

    A timer in event time waits for the watermark, and withWatermark makes one: 60 seconds behind
    the newest event.
    """
    return _processed(rides, Alerts())


@caught_by(
    "test_without_an_end_the_watermark_reports_it",
    "test_an_alert_is_given_once",
    written=r"time\.time|now\(|ProcessingTimeInMs",
)
def sets_timers_by_the_wall_clock(rides: DataFrame) -> DataFrame:
    """No timer of yours went off: you set it two hours from now by the clock on the wall.

    A timer in event time goes off when the watermark reaches it. The rides are from 2020, so that
    is years away: set it at the START's own time plus two hours.
    """

    class Processor(Alerts):
        def set_timer(self, is_start, time, timerValues):
            now = int(datetime.now(UTC).timestamp() * 1000)
            self.handle.registerTimer(now + TWO_HOURS if is_start else now)

    return _watch(rides, Processor())


@caught_by(
    "test_without_an_end_the_watermark_reports_it",
    "test_an_alert_is_given_once",
    written="processingTime",
)
def waits_two_hours_on_the_wall_clock(rides: DataFrame) -> DataFrame:
    """No timer of yours went off: with `processingTime` they follow the clock on the wall.

    A whole day's rides may come within a second, and nobody waits two hours for that. With
    `eventTime` a timer at START plus two hours goes off when the watermark gets there.
    """

    class Processor(Alerts):
        def set_timer(self, is_start, time, timerValues):
            now = timerValues.getCurrentProcessingTimeInMs()
            self.handle.registerTimer(now + TWO_HOURS)

    return _processed(
        rides.withWatermark("event_time", "60 seconds"), Processor(), "processingTime"
    )


@caught_by(
    "test_a_short_ride_gives_nothing",
    "test_without_an_end_the_watermark_reports_it",
    written="processingTime",
)
def runs_in_processing_time(rides: DataFrame) -> DataFrame:
    """You reported each ride as soon as its START came: with `processingTime` its two hours are
    over.

    There a timer is compared with the clock on the wall, and all of 2020 is past. With `eventTime`
    it is compared with the watermark.
    """
    timed = rides.withWatermark("event_time", "60 seconds")
    return _processed(timed, Alerts(), "processingTime")


@caught_by("test_without_an_end_the_watermark_reports_it")
def takes_seconds_for_milliseconds(rides: DataFrame) -> DataFrame:
    """Your timers went off as soon as there was a watermark at all: you set them in seconds.

    Watermark and timers count milliseconds since 1970, and `timestamp()` counts seconds. Read as
    milliseconds, they are a day in January 1970, which any watermark has passed.
    """

    class Processor(Alerts):
        def set_timer(self, is_start, time, timerValues):
            super().set_timer(is_start, time // 1000, timerValues)

    return _watch(rides, Processor())


@caught_by("test_without_an_end_the_watermark_reports_it", seen=NO_STATE)
def keeps_the_start_in_the_object(rides: DataFrame) -> DataFrame:
    """You kept what came in the object itself, and in the next micro-batch it was gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class InTheObject:
        def update(self, value):
            self.value = value

        def get(self):
            return self.value

        def exists(self):
            return hasattr(self, "value")

        def clear(self):
            vars(self).pop("value", None)

    class Processor(Alerts):
        def init(self, handle):
            self.handle, self.rides = handle, {}

        def handleInputRows(self, key, rows, timerValues):
            self.look_up(key)
            yield from super().handleInputRows(key, rows, timerValues)

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            self.look_up(key)
            yield from super().handleExpiredTimer(key, timerValues, expiredTimerInfo)

        def look_up(self, key):
            places = self.rides.setdefault(key[0], (InTheObject(), InTheObject()))
            self.start, self.end = places

    return _watch(rides, Processor())


@caught_by("test_a_short_ride_gives_nothing", written=ROWS_TWICE, seen=ROWS_TWICE)
def goes_through_the_rows_twice(rides: DataFrame) -> DataFrame:
    """You go through `rows` twice. It is an iterator: after the first time it is empty, and the
    second loop sees nothing. Keep them in a list first: `rows = list(rows)`."""

    class Processor(Alerts):
        def handleInputRows(self, key, rows, timerValues):
            starts = [row for row in rows if row.is_start]
            ends = [row for row in rows if not row.is_start]
            yield from super().handleInputRows(key, iter([*starts, *ends]), timerValues)

    return _watch(rides, Processor())
