"""What learners get wrong when they look for what is missing."""

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import KEEPS_TIMERS, caught_by, other_delay

HOUR = 60 * 60 * 1000
OTHER = {"ride": "fare", "fare": "ride"}


class Partners(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make a place for each partner's time."""
        self.handle = handle
        self.waiting = {name: handle.getValueState(name, "time bigint") for name in OTHER}

    def handleInputRows(self, key, rows, timerValues):
        """Note who came; two who are close enough are partners."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            self.waiting[row.kind].update((time,))
            self.set_timer(row.kind, time, timerValues)
        times = [state.get()[0] for state in self.waiting.values() if state.exists()]
        if len(times) == 2 and self.near(abs(times[0] - times[1])):
            self.forget_partners()
        return iter(())

    def set_timer(self, kind, time, timerValues):
        """Set the timer of a row."""
        self.handle.registerTimer(time + HOUR)

    def near(self, apart):
        """Say whether two rows are partners."""
        return apart <= HOUR

    def forget_partners(self):
        """Clear both, and their timers."""
        for state in self.waiting.values():
            state.clear()
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Report the one whose hour is over."""
        for name in self.over(expiredTimerInfo.getExpiryTimeInMs() - HOUR):
            yield Row(ride_id=key[0], missing=OTHER[name])
            self.waiting[name].clear()

    def over(self, time):
        """Say whose hour is over."""
        there = [name for name, state in self.waiting.items() if state.exists()]
        return [name for name in there if self.waiting[name].get()[0] == time]


def _tag(rides: DataFrame, fares: DataFrame) -> tuple[DataFrame, DataFrame]:
    rides = rides.select("ride_id", "event_time", F.lit("ride").alias("kind"))
    fares = fares.select(
        "ride_id", F.col("start_time").alias("event_time"), F.lit("fare").alias("kind")
    )
    return rides, fares


def _wait(both: DataFrame, processor: StatefulProcessor, mode: str = "eventTime") -> DataFrame:
    by_ride = both.groupBy("ride_id")
    return by_ride.transformWithState(processor, "ride_id bigint, missing string", "append", mode)


def _find(rides: DataFrame, fares: DataFrame, processor: StatefulProcessor) -> DataFrame:
    rides, fares = _tag(rides, fares)
    rides = rides.withWatermark("event_time", "10 minutes")
    return _wait(rides.union(fares.withWatermark("event_time", "10 minutes")), processor)


@caught_by("test_streams_may_be_hours_apart")
def sets_one_watermark_after_the_union(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You set one watermark after the union, and the rides, hours ahead, move it for both streams.

    Give each stream its own before the union: then the one that is behind holds the clock.
    """
    rides, fares = _tag(rides.filter("is_start"), fares)
    return _wait(rides.union(fares).withWatermark("event_time", "10 minutes"), Partners())


@caught_by("test_each_is_reported_in_its_own_time")
def reports_whoever_waits(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported everything that waited when a timer went off. It is the timer of only one: ask
    whose."""

    class Processor(Partners):
        def over(self, time):
            return [name for name, state in self.waiting.items() if state.exists()]

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_more_than_an_hour_apart_both_are_reported")
def takes_any_partner(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You paired a ride with a fare more than an hour away. The same id alone is not enough."""

    class Processor(Partners):
        def near(self, apart):
            return True

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_exactly_one_hour_apart_are_partners")
def leaves_the_full_hour_out(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported a pair that is exactly one hour apart. They are partners: `<=`, not `<`."""

    class Processor(Partners):
        def near(self, apart):
            return apart < HOUR

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_exactly_one_hour_apart_are_partners")
def looks_for_a_fare_after_the_ride_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You looked for fares after the ride only. A partner may be up to an hour before it, too."""
    rides = rides.filter("is_start").withWatermark("event_time", "10 minutes").alias("r")
    fares = fares.withWatermark("start_time", "10 minutes").alias("f")
    near = """r.ride_id = f.ride_id AND start_time BETWEEN event_time
        AND event_time + INTERVAL 1 HOUR"""
    return _alone(rides.join(fares, F.expr(near), "full_outer"))


@caught_by(
    "test_a_fare_without_a_ride_is_reported", "test_more_than_an_hour_apart_both_are_reported"
)
def looks_at_the_rides_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported rides without a fare, and no fares without a ride."""
    rides = rides.filter("is_start").withWatermark("event_time", "10 minutes").alias("r")
    fares = fares.withWatermark("start_time", "10 minutes").alias("f")
    near = """r.ride_id = f.ride_id AND start_time BETWEEN event_time - INTERVAL 1 HOUR
        AND event_time + INTERVAL 1 HOUR"""
    return _alone(rides.join(fares, F.expr(near), "left_outer"))


def _alone(joined: DataFrame) -> DataFrame:
    alone = F.col("r.ride_id").isNull() | F.col("f.ride_id").isNull()
    return joined.filter(alone).select(
        F.coalesce("r.ride_id", "f.ride_id").alias("ride_id"),
        F.when(F.col("r.ride_id").isNull(), "ride").otherwise("fare").alias("missing"),
    )


@caught_by("test_an_end_event_is_no_ride")
def takes_an_end_for_a_ride(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You took END events for rides. Only STARTs count: an END has another time."""
    return _find(rides, fares, Partners())


@caught_by("test_partners_give_nothing")
def sends_only_the_ride_home(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """When partners met, you forgot only the ride. The fare goes on waiting, and is reported."""

    class Processor(Partners):
        def forget_partners(self):
            self.waiting["ride"].clear()

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_a_ride_without_a_fare_is_reported", "test_a_fare_without_a_ride_is_reported")
def says_who_came(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You named the one that came. `missing` is the one that didn't: for a ride that is alone,
    `fare`."""
    found = _find(rides.filter("is_start"), fares, Partners())
    other = F.when(F.col("missing") == "ride", "fare").otherwise("ride")
    return found.withColumn("missing", other)


@caught_by("test_nothing_is_left_in_state")
def keeps_whom_it_reported(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported rides and fares, and kept them in state: nobody will ask for them again."""

    class Processor(Partners):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            for name in self.over(expiredTimerInfo.getExpiryTimeInMs() - HOUR):
                yield Row(ride_id=key[0], missing=OTHER[name])

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_streams_may_be_hours_apart")
def starts_the_clock_when_the_row_arrives(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You set the timer an hour after the present watermark. Count from the row's own time."""

    class Processor(Partners):
        def set_timer(self, kind, time, timerValues):
            self.handle.registerTimer(timerValues.getCurrentWatermarkInMs() + HOUR)

        def over(self, time):
            return [name for name, state in self.waiting.items() if state.exists()]

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_streams_may_be_hours_apart", written="withWatermark")
def sets_a_watermark_on_the_rides_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Only the rides have a watermark. They are hours ahead, and move it on before their fares have
    come.

    Give the fares one of their own, before the union: then the stream that is behind holds the
    clock.
    """
    rides, fares = _tag(rides.filter("is_start"), fares)
    return _wait(rides.withWatermark("event_time", "10 minutes").union(fares), Partners())


@caught_by("test_the_stream_that_is_behind_holds_the_watermark", written="withWatermark")
def sets_a_watermark_on_the_fares_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Only the fares have a watermark. When it is the rides that are behind, nothing waits for
    them.

    Give the rides one of their own, before the union: then the stream that is behind holds the
    clock.
    """
    rides, fares = _tag(rides.filter("is_start"), fares)
    return _wait(fares.withWatermark("event_time", "10 minutes").union(rides), Partners())


@caught_by("test_a_ride_without_a_fare_is_reported", not_written="withWatermark")
def sets_no_watermark(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Nothing came out: neither stream has a watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: ten minutes behind the newest row.
    """
    rides, fares = _tag(rides.filter("is_start"), fares)
    return _wait(rides.union(fares), Partners())


@caught_by("test_no_timer_is_left_for_partners", seen=KEEPS_TIMERS)
def never_deletes_a_timer(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """When partners met, you forgot both, but not their timers: they go off and find nobody.

    Spark doesn't count timers as rows of state, but it keeps them all. Delete those you no longer
    need.
    """

    class Processor(Partners):
        def forget_partners(self):
            for state in self.waiting.values():
                state.clear()

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_nothing_is_left_in_state")
def keeps_a_ride_that_it_reported(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported rides, and kept them in state. Clear each: its hour is over."""

    class Processor(Partners):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            for name in self.over(expiredTimerInfo.getExpiryTimeInMs() - HOUR):
                yield Row(ride_id=key[0], missing=OTHER[name])
                if name == "fare":
                    self.waiting[name].clear()

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_nothing_is_left_in_state")
def remembers_which_rides_were_paid(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You remember for ever which rides have found their fares. When both have come, clear
    everything."""

    class Processor(Partners):
        def init(self, handle):
            super().init(handle)
            self.paid = handle.getValueState("paid", "yes boolean")

        def forget_partners(self):
            super().forget_partners()
            self.paid.update((True,))

    return _find(rides.filter("is_start"), fares, Processor())


@caught_by("test_streams_may_be_hours_apart", written="processingTime")
def runs_in_processing_time(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You reported each row as soon as it came: with `processingTime` its hour is long over.

    There a timer is compared with the clock on the wall, and all of 2020 is past. With `eventTime`
    it is compared with the watermark.
    """
    rides, fares = _tag(rides.filter("is_start"), fares)
    timed = [each.withWatermark("event_time", "10 minutes") for each in (rides, fares)]
    return _wait(timed[0].union(timed[1]), Partners(), "processingTime")


@caught_by("test_streams_may_be_hours_apart")
def sets_timers_in_seconds(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your timers went off as soon as there was a watermark at all: you set them in seconds.

    Watermark and timers count milliseconds since 1970, and `timestamp()` counts seconds. Read as
    milliseconds, they are a day in January 1970, which any watermark has passed.
    """

    class Processor(Partners):
        def set_timer(self, kind, time, timerValues):
            self.handle.registerTimer((time + HOUR) // 1000)

        def over(self, time):
            return [name for name, state in self.waiting.items() if state.exists()]

    return _find(rides.filter("is_start"), fares, Processor())


OTHER_DELAY = other_delay("10 minutes")


@caught_by("test_each_is_reported_in_its_own_time", written=OTHER_DELAY, seen=OTHER_DELAY)
def waits_for_another_time(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the ten minutes of the rules, so your timers go off at another
    time."""
    rides, fares = _tag(rides, fares)
    rides = rides.withWatermark("event_time", "1 minute")
    return _wait(rides.union(fares.withWatermark("event_time", "1 minute")), Partners())
