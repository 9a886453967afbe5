"""What learners get wrong when they look back on a driver's last five fares."""

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import NO_STATE, caught_by, other_delay

FARE = "struct<start_time: timestamp, ride_id: bigint, tip: double>"
FIVE = 5


class Last(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make a place for what waits, and one for what went out."""
        self.handle = handle
        self.waiting = handle.getMapState("waiting", "time bigint", f"fares array<{FARE}>")
        self.last = handle.getListState("last", "tip double")

    def handleInputRows(self, key, rows, timerValues):
        """Let each fare wait for its time."""
        for row in rows:
            time = (int(row.start_time.timestamp() * 1000),)
            there = self.waiting.getValue(time)[0] if self.waiting.containsKey(time) else []
            fare = (row.start_time, row.ride_id, row.tip)
            self.waiting.updateValue(time, ([*there, fare],))
            self.set_timer(*time)
        return iter(())

    def set_timer(self, time):
        """Set the timer of a fare."""
        self.handle.registerTimer(time)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Give the fares of a time."""
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        yield from self.give(key, self.arrange(self.waiting.getValue(time)[0]))
        self.forget(time)

    def arrange(self, due):
        """Bring the fares of a time in order."""
        return sorted(due, key=lambda fare: (fare[0], fare[1]))

    def forget(self, time):
        """Take out what is through."""
        self.waiting.removeKey(time)

    def give(self, key, due):
        """Give each fare with its average."""
        for start_time, ride_id, tip in due:
            tips = [kept for (kept,) in self.last.get()]
            tips, average = self.look_back(tips, tip)
            self.last.put([(kept,) for kept in tips]) if tips else self.last.clear()
            yield from self.row(
                ride_id=ride_id, driver_id=key[0], start_time=start_time, average_tip=average
            )

    def row(self, **columns):
        """Make what comes out of a fare."""
        return [Row(**columns)]

    def look_back(self, tips, tip):
        """Give the tips to keep, and the average."""
        five = [*tips, tip][-FIVE:]
        return five, self.average(five)

    def average(self, five):
        """Leave out what isn't known."""
        known = [tip for tip in five if tip is not None]
        return sum(known) / len(known) if known else None


def _look_back(fares: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return _processed(fares.withWatermark("start_time", "10 minutes"), processor, by)


def _processed(
    fares: DataFrame,
    processor: StatefulProcessor,
    by: str = "driver_id",
    mode: str = "eventTime",
) -> DataFrame:
    columns = "ride_id bigint, driver_id bigint, start_time timestamp, average_tip double"
    return fares.groupBy(by).transformWithState(processor, columns, "append", mode)


@caught_by(
    "test_the_last_five_are_the_last_in_event_time",
    "test_a_fare_comes_out_when_the_watermark_has_reached_it",
)
def takes_them_as_they_come(fares: DataFrame) -> DataFrame:
    """You took the last five to arrive. They come out of order, and an average that was told can't
    be taken back: a fare has to wait until the watermark says that nothing older will come.
    """

    class Processor(Last):
        def handleInputRows(self, key, rows, timerValues):
            return self.give(key, [(row.start_time, row.ride_id, row.tip) for row in rows])

    return _look_back(fares, Processor())


@caught_by(
    "test_the_last_five_are_the_last_in_event_time",
    "test_a_fare_comes_out_when_the_watermark_has_reached_it",
    seen=r"(?s)\A(?!.*registerTimer).*sorted\(rows",
)
def sorts_within_the_micro_batch(fares: DataFrame) -> DataFrame:
    """You sorted the fares of a micro-batch. The one that belongs before them may come in the next:
    only the watermark says that nothing older will.
    """

    class Processor(Last):
        def handleInputRows(self, key, rows, timerValues):
            due = [(row.start_time, row.ride_id, row.tip) for row in rows]
            return self.give(key, self.arrange(due))

    return _look_back(fares, Processor())


@caught_by(
    "test_the_average_is_of_the_last_five",
    "test_the_first_fares_have_the_average_of_those_there_are",
)
def looks_only_at_those_before(fares: DataFrame) -> DataFrame:
    """You averaged the fares before this one. It is one of the five itself: this one and the four
    before it.
    """

    class Processor(Last):
        def look_back(self, tips, tip):
            return [*tips, tip][-FIVE:], self.average(tips)

    return _look_back(fares, Processor())


@caught_by("test_the_average_is_of_the_last_five")
def counts_six(fares: DataFrame) -> DataFrame:
    """You averaged six fares: this one and five before it. It is itself one of the five."""

    class Processor(Last):
        def look_back(self, tips, tip):
            six = [*tips, tip]
            return six[-FIVE:], self.average(six)

    return _look_back(fares, Processor())


@caught_by(
    "test_the_first_fares_have_the_average_of_those_there_are",
    "test_drivers_are_kept_apart",
)
def always_divides_by_five(fares: DataFrame) -> DataFrame:
    """You divided by five, always. A driver's first fare has nobody before it: divide by as many
    as there are."""

    class Processor(Last):
        def average(self, five):
            known = [tip for tip in five if tip is not None]
            return sum(known) / FIVE if known else None

    return _look_back(fares, Processor())


@caught_by("test_the_average_is_of_the_last_five", "test_every_fare_comes_out_once")
def gives_one_row_for_five_fares(fares: DataFrame) -> DataFrame:
    """You filled up five, gave their average, and began anew. That window tumbles, five by five;
    this one moves on by one: every fare gives a row, and the next one looks back on four of the
    same.
    """

    class Processor(Last):
        def look_back(self, tips, tip):
            five = [*tips, tip]
            self.full = len(five) == FIVE
            return [] if self.full else five, self.average(five)

        def row(self, **columns):
            return super().row(**columns) if self.full else []

    return _look_back(fares, Processor())


@caught_by("test_the_average_is_of_the_last_five", "test_a_null_tip_is_one_of_the_five")
def averages_all_there_ever_were(fares: DataFrame) -> DataFrame:
    """You averaged everything that a driver ever got. Only the last five count."""

    class Processor(Last):
        def look_back(self, tips, tip):
            return [*tips, tip], self.average([*tips, tip])

    return _look_back(fares, Processor())


@caught_by("test_state_holds_no_more_than_five_fares_of_a_driver")
def keeps_every_tip(fares: DataFrame) -> DataFrame:
    """Your averages are right, but you keep every tip there ever was. The next fare needs four of
    them: let go of the others.

    Spark counts a list as a single row of state, however long it is; but all of it lies there.
    """

    class Processor(Last):
        def look_back(self, tips, tip):
            return [*tips, tip], self.average([*tips, tip][-FIVE:])

    return _look_back(fares, Processor())


@caught_by("test_state_holds_no_more_than_five_fares_of_a_driver")
def keeps_what_went_out(fares: DataFrame) -> DataFrame:
    """You left the fares that went out among those that wait. Nobody will ask for them again, and
    they pile up: `removeKey` takes them out.
    """

    class Processor(Last):
        def forget(self, time):
            pass

    return _look_back(fares, Processor())


@caught_by("test_a_null_tip_is_one_of_the_five")
def takes_null_for_zero(fares: DataFrame) -> DataFrame:
    """You took a null tip for a tip of nothing. Null says that nobody knows: leave it out of the
    average, in the sum and in the number you divide by.
    """

    class Processor(Last):
        def average(self, five):
            known = [tip for tip in five if tip is not None]
            return sum(known) / len(five) if known else None

    return _look_back(fares, Processor())


@caught_by("test_a_null_tip_alone_gives_null", "test_a_null_tip_is_one_of_the_five")
def counts_null_as_nothing(fares: DataFrame) -> DataFrame:
    """You gave 0.0 where no tip is known. That reads as "his passengers give nothing": null says
    that nobody knows.
    """

    class Processor(Last):
        def average(self, five):
            return sum(tip or 0.0 for tip in five) / len(five)

    return _look_back(fares, Processor())


@caught_by("test_a_null_tip_is_one_of_the_five")
def looks_for_five_known_tips(fares: DataFrame) -> DataFrame:
    """You looked back until you had five tips that are known. A fare whose tip is null is one of
    the five all the same, so the average may be of fewer.
    """

    class Processor(Last):
        def look_back(self, tips, tip):
            five = ([*tips] if tip is None else [*tips, tip])[-FIVE:]
            return five, self.average(five)

    return _look_back(fares, Processor())


@caught_by("test_every_fare_comes_out_once", "test_a_null_tip_alone_gives_null")
def drops_fares_without_a_tip(fares: DataFrame) -> DataFrame:
    """You left out the fares whose tip is null. They give a row as well, and are among the five."""
    return _look_back(fares.filter("tip IS NOT NULL"), Last())


@caught_by("test_of_equal_times_the_smaller_ride_comes_first")
def leaves_equal_times_to_chance(fares: DataFrame) -> DataFrame:
    """You left fares of equal time in the order in which they came. In a replay that may be
    another one: the smaller `ride_id` comes first.
    """

    class Processor(Last):
        def arrange(self, due):
            return due

    return _look_back(fares, Processor())


@caught_by("test_the_average_is_of_the_last_five", "test_drivers_are_kept_apart")
def looks_back_on_a_taxi(fares: DataFrame) -> DataFrame:
    """You looked back on the fares of a taxi. A driver may have two in one day, and two drivers may
    share one: group by driver.
    """

    return _look_back(fares, Last(), "taxi_id")


@caught_by(
    "test_a_fare_comes_out_when_the_watermark_has_reached_it",
    seen=other_delay("10 minutes", "600 seconds"),
)
def waits_an_hour(fares: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the ten minutes of the rules. It says how long a fare waits."""
    return _processed(fares.withWatermark("start_time", "1 hour"), Last())


@caught_by(
    "test_the_first_fares_have_the_average_of_those_there_are",
    "test_every_fare_comes_out_once",
    not_written="withWatermark",
)
def sets_no_watermark(fares: DataFrame) -> DataFrame:
    """Nothing came out: the stream has no watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: ten minutes behind the newest fare.
    """
    return _processed(fares, Last())


@caught_by(
    "test_the_average_is_of_the_last_five",
    "test_a_fare_behind_its_own_watermark_alone_takes_its_place",
    seen=NO_STATE,
)
def keeps_the_tips_in_the_object(fares: DataFrame) -> DataFrame:
    """You kept the tips in the object itself, and in the next micro-batch they were gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class Processor(Last):
        def init(self, handle):
            super().init(handle)
            self.tips = {}

        def give(self, key, due):
            for start_time, ride_id, tip in due:
                five, average = self.look_back(self.tips.get(key, []), tip)
                self.tips[key] = five
                yield Row(
                    ride_id=ride_id, driver_id=key[0], start_time=start_time, average_tip=average
                )

    return _look_back(fares, Processor())


@caught_by("test_the_average_is_of_the_last_five", written=r"window\(|RANGE|INTERVAL")
def takes_the_last_hour(fares: DataFrame) -> DataFrame:
    """You took the fares of a stretch of time. On a quiet night that is one, on New Year's Eve it
    is ten: this window counts fares, and doesn't look at the clock.
    """
    timed = fares.withWatermark("start_time", "10 minutes")
    hours = timed.groupBy("driver_id", F.window("start_time", "1 hour")).agg(
        F.collect_list(F.struct("ride_id", "start_time")).alias("fares"),
        F.avg("tip").alias("average_tip"),
    )
    rows = hours.select("driver_id", "average_tip", F.explode("fares").alias("fare"))
    return rows.select("fare.ride_id", "driver_id", "fare.start_time", "average_tip")
