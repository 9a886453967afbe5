"""What learners get wrong when they join rides and fares."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import LONGER_DELAY, SHORTER_DELAY, caught_by

STATE = "test_state_shrinks_once_the_watermark_has_passed"
# What stands in the code of who gave both streams a watermark, each on its own time.
ON_RIDES, ON_FARES = r"withWatermark\('event_time'", r"withWatermark\('start_time'"
ARITHMETIC = r"\babs\(|\bcast\b|unix_|diff|epoch"


@caught_by(STATE, written="withWatermark", not_written=("between|interval|<|[^-]>", ARITHMETIC))
def no_time_bound(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You joined without a bound on the times: no ride is ever too old for a fare, so Spark keeps
    them all.
    """
    return _join(_starts(rides), _paid(fares), F.lit(True))


@caught_by(STATE, not_written="withWatermark")
def no_watermark(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You gave no watermark, so Spark never knows how far time has got, and forgets nothing."""
    return _join(rides.filter("is_start"), fares, _near())


@caught_by(STATE, written=ON_RIDES, not_written=ON_FARES)
def watermark_on_the_rides_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You gave the fares no watermark: a fare of any age might still come, so every ride waits for
    ever.
    """
    return _join(_starts(rides), fares, _near())


@caught_by(STATE, written=ON_FARES, not_written=ON_RIDES)
def watermark_on_the_fares_only(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You gave the rides no watermark: a ride of any age might still come, so every fare waits for
    ever.
    """
    return _join(rides.filter("is_start"), _paid(fares), _near())


@caught_by(STATE, written=ARITHMETIC)
def bound_that_spark_cannot_read(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Spark can't see your bound, because you calculate with both times before you compare. Compare
    the columns themselves: one of them with the other plus, and minus, half an hour.
    """
    apart = F.col("event_time").cast("long") - F.col("start_time").cast("long")
    return _join(_starts(rides), _paid(fares), F.abs(apart) <= 30 * 60)


@caught_by(STATE, written=(ON_RIDES, ON_FARES))
def bound_on_fares_that_come_early(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You said how much earlier than its START a fare may be, but not how much later: so every ride
    waits for ever.
    """
    early_enough = F.col("start_time") >= F.col("event_time") - _half_an_hour()
    return _join(_starts(rides), _paid(fares), early_enough)


@caught_by(STATE, written=(ON_RIDES, ON_FARES))
def bound_on_fares_that_come_late(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You said how much later than its START a fare may be, but not how much earlier: so every fare
    waits for ever.
    """
    late_enough = F.col("start_time") <= F.col("event_time") + _half_an_hour()
    return _join(_starts(rides), _paid(fares), late_enough)


@caught_by(
    "test_a_fare_may_be_thirty_minutes_later_than_its_start",
    "test_a_fare_may_be_thirty_minutes_earlier_than_its_start",
)
def bound_without_its_ends(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You left out pairs that are exactly 30 minutes apart. They belong together, too: `<=`, or
    `between`, with half an hour.
    """
    paid_at, started_at = F.col("start_time"), F.col("event_time")
    near = (paid_at > started_at - _half_an_hour()) & (paid_at < started_at + _half_an_hour())
    return _join(_starts(rides), _paid(fares), near)


@caught_by("test_a_fare_may_be_thirty_minutes_earlier_than_its_start")
def fares_are_never_earlier(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your bound goes one way: a fare is joined only if it is not earlier than its START. It may
    be, by up to 30 minutes.
    """
    started_at = F.col("event_time")
    near = F.col("start_time").between(started_at, started_at + _half_an_hour())
    return _join(_starts(rides), _paid(fares), near)


@caught_by("test_a_fare_may_be_thirty_minutes_later_than_its_start")
def fares_are_never_later(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your bound goes one way: a fare is joined only if it is not later than its START. It may be,
    by up to 30 minutes.
    """
    started_at = F.col("event_time")
    near = F.col("start_time").between(started_at - _half_an_hour(), started_at)
    return _join(_starts(rides), _paid(fares), near)


@caught_by("test_a_start_may_come_before_its_fare", "test_a_fare_may_come_before_its_start")
def expects_the_same_time(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You joined only events that have exactly the same time. The car's clock and the meter's
    differ, by up to 30 minutes.
    """
    return _join(_starts(rides), _paid(fares), F.col("event_time") == F.col("start_time"))


@caught_by("test_a_pair_on_two_sides_of_the_half_hour_is_joined")
def joins_within_windows(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You joined only events in the same window. Two events a few minutes apart may lie in two
    windows: use a bound on how far apart they are.
    """
    window = F.floor(F.unix_timestamp("event_time") / 1800)
    same = window == F.floor(F.unix_timestamp("start_time") / 1800)
    return _join(_starts(rides), _paid(fares), same & _near())


@caught_by("test_end_events_are_not_joined", "test_a_start_gets_its_fare")
def joins_end_events_too(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You joined END events as well, and such a ride came out twice. Keep the STARTs before you
    join.
    """
    return _join(rides.withWatermark("event_time", "10 minutes"), _paid(fares), _near())


@caught_by("test_a_ride_without_a_fare_gives_no_row", seen=r"'left(_?outer)?'\)")
def keeps_rides_without_a_fare(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You kept rides whose fare never came, with nulls. Where there is no fare there must be no
    row: that is an inner join.
    """
    return _join(_starts(rides), _paid(fares), _near(), how="left")


@caught_by("test_a_fare_without_a_ride_gives_no_row")
def keeps_fares_without_a_ride(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You kept fares whose ride never came, with nulls. Where there is no ride there must be no
    row: that is an inner join.
    """
    return _join(_starts(rides), _paid(fares), _near(), how="right")


@caught_by("test_a_driver_has_many_rides", "test_each_ride_gives_one_row")
def joins_on_the_driver(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You joined on the driver, who may have two rides within half an hour. A fare has the ride_id
    of its ride.
    """
    starts, paid = _starts(rides), _paid(fares)
    same = starts["driver_id"] == paid["driver_id"]
    return starts.join(paid, same & _near()).select(
        *(starts[name] for name in starts.columns), "payment_type", "tip", "tolls", "total_fare"
    )


@caught_by("test_events_less_than_ten_minutes_late_are_joined", seen=SHORTER_DELAY)
def has_no_patience(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your watermark's delay is too short, and what came late was dropped. Events are up to ten
    minutes out of order: that is the delay.
    """
    return _join(_starts(rides, "1 minute"), _paid(fares, "1 minute"), _near())


@caught_by(
    "test_state_is_forgotten_once_it_can_be",
    written=LONGER_DELAY,
    not_written=ARITHMETIC,
    seen=LONGER_DELAY,
)
def waits_for_hours(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Your watermark's delay is longer than needed, and so Spark keeps more than it needs. Events
    are less than ten minutes out of order: that is the delay. The half hour is the join's bound.
    """
    starts = rides.filter("is_start").withWatermark("event_time", "2 hours")
    return _join(starts, fares.withWatermark("start_time", "2 hours"), _near())


@caught_by("test_a_fare_may_come_before_its_start")
def takes_the_time_of_the_meter(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """You put the meter's start_time into event_time. All ride columns are those of the START."""
    starts, paid = _starts(rides), _paid(fares)
    both = starts.join(paid, (starts["ride_id"] == paid["ride_id"]) & _near())
    ride = [starts[name] for name in starts.columns]
    ride[4] = paid["start_time"].alias("event_time")
    return both.select(*ride, "payment_type", "tip", "tolls", "total_fare")


def _starts(rides: DataFrame, delay: str = "10 minutes") -> DataFrame:
    return rides.filter("is_start").withWatermark("event_time", delay)


def _paid(fares: DataFrame, delay: str = "10 minutes") -> DataFrame:
    return fares.withWatermark("start_time", delay)


def _half_an_hour() -> Column:
    return F.expr("INTERVAL 30 MINUTES")


def _near() -> Column:
    started_at = F.col("event_time")
    return F.col("start_time").between(started_at - _half_an_hour(), started_at + _half_an_hour())


def _join(starts: DataFrame, paid: DataFrame, near: Column, how: str = "inner") -> DataFrame:
    both = starts.join(paid, (starts["ride_id"] == paid["ride_id"]) & near, how)
    return both.select(
        *(starts[name] for name in starts.columns), "payment_type", "tip", "tolls", "total_fare"
    )
