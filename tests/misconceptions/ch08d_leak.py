"""What learners get wrong when they look for what a query never forgets."""

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import LONGER_DELAY, caught_by

HOUR = 60 * 60 * 1000


class Notes(StatefulProcessor):
    """What is right, but that it hears no timer."""

    def init(self, handle):
        """Make a place for the times of a ride's events."""
        self.handle = handle
        self.times = handle.getMapState("times", "is_start boolean", "time bigint")

    def handleInputRows(self, key, rows, timerValues):
        """Note the times, and set a timer for each."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            self.times.updateValue((row.is_start,), (time,))
            self.set_timer(row, time, timerValues)
        if self.times.containsKey((True,)) and self.times.containsKey((False,)):
            took = self.times.getValue((False,))[0] - self.times.getValue((True,))[0]
            yield Row(ride_id=key[0], minutes=took / 60_000)
            self.is_through()
        self.is_done()

    def set_timer(self, row, time, timerValues):
        """Set the timer of an event."""
        self.handle.registerTimer(time + 4 * HOUR)

    def is_through(self):
        """Forget a ride that has come out."""
        self.forget()

    def is_done(self):
        """Do nothing at the end of a micro-batch."""

    def forget(self):
        """Clear all there is."""
        self.times.clear()
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)


class Forgets(Notes):
    """What is right: the wrong answers below change one thing each."""

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Forget a ride whose other event never came."""
        self.forget()
        return iter(())


def _once(rides: DataFrame) -> DataFrame:
    rides = rides.withWatermark("event_time", "10 minutes")
    return rides.dropDuplicates(["ride_id", "is_start", "event_time"])


def _durations(events: DataFrame, processor: StatefulProcessor) -> DataFrame:
    by_ride = events.filter("passenger_count > 0").groupBy("ride_id")
    output = "ride_id bigint, minutes double"
    return by_ride.transformWithState(processor, output, "append", timeMode="eventTime")


@caught_by("test_an_empty_ride_leaves_nothing")
def leaves_the_deduplication(rides: DataFrame) -> DataFrame:
    """The processor forgets, but there is a second place: `dropDuplicates` remembers every event it
    has ever seen. A watermark alone doesn't end that. Spark must also be able to tell from the
    columns it remembers that a row is old."""
    rides = rides.withWatermark("event_time", "10 minutes")
    return _durations(rides.dropDuplicates(["ride_id", "is_start"]), Forgets())


@caught_by("test_a_ride_that_is_through_leaves_nothing")
def leaves_the_processor(rides: DataFrame) -> DataFrame:
    """The deduplication forgets now, but there is a second place: the map of the processor. Nothing
    in it is ever removed, not even when a ride has come out."""

    class Processor(Forgets):
        def set_timer(self, row, time, timerValues):
            pass

        def is_through(self):
            pass

    return _durations(_once(rides), Processor())


@caught_by("test_a_ride_without_its_end_leaves_nothing", not_written="registerTimer")
def clears_only_what_came_out(rides: DataFrame) -> DataFrame:
    """You cleared the state of a ride when it came out. But of some rides the START or the END
    never comes, so that line never runs for them. Only a timer can."""

    class Processor(StatefulProcessor):
        def init(self, handle):
            self.times = handle.getMapState("times", "is_start boolean", "time bigint")

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                time = int(row.event_time.timestamp() * 1000)
                self.times.updateValue((row.is_start,), (time,))
            if self.times.containsKey((True,)) and self.times.containsKey((False,)):
                took = self.times.getValue((False,))[0] - self.times.getValue((True,))[0]
                yield Row(ride_id=key[0], minutes=took / 60_000)
                self.times.clear()

    return _durations(_once(rides), Processor())


@caught_by("test_a_ride_without_its_start_leaves_nothing")
def waits_for_an_end_only(rides: DataFrame) -> DataFrame:
    """You set a timer for a START. An END waits as well: where its START is lost, nothing takes it
    away again."""

    class Processor(Forgets):
        def set_timer(self, row, time, timerValues):
            if row.is_start:
                super().set_timer(row, time, timerValues)

    return _durations(_once(rides), Processor())


@caught_by(
    "test_a_ride_without_its_end_leaves_nothing",
    written="registerTimer",
    not_written="handleExpiredTimer",
)
def hears_no_timer(rides: DataFrame) -> DataFrame:
    """You set timers, but when one goes off nothing happens: `handleExpiredTimer` is what Spark
    calls then, and it has to clear the state itself."""

    return _durations(_once(rides), Notes())


@caught_by("test_no_timer_and_no_element_is_left", written="getCurrentProcessingTimeInMs")
def goes_by_the_clock_on_the_wall(rides: DataFrame) -> DataFrame:
    """You set the timer four hours from now by the machine's clock. Timers here go by event time:
    for rides of last week it goes off a week late, and for a day of rides that is read in a minute
    it never does. Count from the event's own time."""

    class Processor(Forgets):
        def set_timer(self, row, time, timerValues):
            self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 4 * HOUR)

    return _durations(_once(rides), Processor())


@caught_by("test_a_ride_may_take_four_hours", written="getCurrentWatermarkInMs")
def counts_from_the_watermark(rides: DataFrame) -> DataFrame:
    """You set the timer four hours from the watermark. That is ten minutes behind the newest event,
    and 1970 in the first micro-batch: a long ride is forgotten before its END comes. Count from the
    event's own time."""

    class Processor(Forgets):
        def set_timer(self, row, time, timerValues):
            self.handle.registerTimer(timerValues.getCurrentWatermarkInMs() + 4 * HOUR)

    return _durations(_once(rides), Processor())


@caught_by("test_a_ride_may_take_four_hours", "test_generated_rides_agree_with_plain_python")
def forgets_after_an_hour(rides: DataFrame) -> DataFrame:
    """You forgot a START before its END could be there: a ride may take four hours. State has to
    end, but not while it may still be needed."""

    class Processor(Forgets):
        def set_timer(self, row, time, timerValues):
            self.handle.registerTimer(time + HOUR)

    return _durations(_once(rides), Processor())


@caught_by("test_a_ride_comes_out_with_its_second_event", "test_an_end_may_come_before_its_start")
def forgets_at_once(rides: DataFrame) -> DataFrame:
    """You cleared the state at the end of `handleInputRows`, whether the ride was through or not.
    The END mostly comes in a later micro-batch, and then the START is gone."""

    class Processor(Forgets):
        def is_done(self):
            self.forget()

    return _durations(_once(rides), Processor())


@caught_by("test_an_event_that_comes_twice_changes_nothing", not_written="drop_?duplicates")
def takes_the_deduplication_out(rides: DataFrame) -> DataFrame:
    """You took the deduplication out. Then a ride whose two events come again comes out again: when
    it was through, the processor forgot it. Keep it, and let it forget what is old."""
    return _durations(rides.withWatermark("event_time", "10 minutes"), Forgets())


@caught_by("test_a_ride_gives_its_minutes", not_written="is_start'")
def drops_the_other_event(rides: DataFrame) -> DataFrame:
    """You left `is_start` out of the columns that make an event the same as another. Then START and
    END of a ride are one event, and the second of them is dropped."""
    rides = rides.withWatermark("event_time", "10 minutes")
    return _durations(rides.dropDuplicates(["ride_id"]), Forgets())


@caught_by("test_a_late_event_gives_nothing", written=LONGER_DELAY)
def waits_longer_for_late_events(rides: DataFrame) -> DataFrame:
    """You changed the watermark's delay. It decides which events are too late, so other rides come
    out; and a longer one keeps everything in state for longer."""
    rides = rides.withWatermark("event_time", "1 hour")
    return _durations(rides.dropDuplicates(["ride_id", "is_start", "event_time"]), Forgets())


@caught_by("test_a_late_event_gives_nothing")
def tells_what_it_forgets(rides: DataFrame) -> DataFrame:
    """You gave a row for a ride whose END or START never came. The output must stay as it was: when
    a timer goes off, forget, and give nothing."""

    class Processor(Forgets):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            if self.times.exists():
                yield Row(ride_id=key[0], minutes=None)
            self.forget()

    return _durations(_once(rides), Processor())
