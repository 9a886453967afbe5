"""What learners get wrong when they look for shifts."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import LONGER_DELAY, SHORTER_DELAY, caught_by


def _shifts(
    rides: DataFrame,
    window: Column | None = None,
    *,
    by: str = "driver_id",
    delay: str = "10 minutes",
    starts: Column | None = None,
) -> DataFrame:
    """Aggregate the events of each window and driver."""
    window = F.session_window("event_time", "1 hour") if window is None else window
    starts = F.count_if("is_start") if starts is None else starts
    shifts = rides.withWatermark("event_time", delay).groupBy(window.alias("shift"), by)
    return shifts.agg(
        F.max("driver_id").alias("driver"),
        F.min("event_time").alias("shift_start"),
        F.max("event_time").alias("shift_end"),
        starts.alias("rides"),
    ).select(F.col("driver").alias("driver_id"), "shift_start", "shift_end", "rides")


@caught_by(
    "test_a_shift_of_two_rides",
    "test_an_hour_apart_is_one_shift",
    "test_an_event_out_of_order_joins_two_shifts",
    written=r"[^_]window\(|date_trunc",
)
def cuts_at_full_hours(rides: DataFrame) -> DataFrame:
    """You cut the shifts at full hours. A shift follows its driver, not the clock: it ends when
    nothing has been heard for an hour. That is a session window.
    """
    return _shifts(rides, F.window("event_time", "1 hour"))


@caught_by(
    "test_a_shift_of_two_rides",
    "test_a_shift_without_a_start_has_no_rides",
    seen=r"session_window\.end'\)\.alias\('shift_end'\)",
)
def ends_when_the_gap_is_over(rides: DataFrame) -> DataFrame:
    """Your shifts end an hour too late. A session window ends when its gap is over; `shift_end` is
    the time of the last event.
    """
    shifts = rides.withWatermark("event_time", "10 minutes")
    shifts = shifts.groupBy(F.session_window("event_time", "1 hour"), "driver_id")
    shifts = shifts.agg(F.count_if("is_start").alias("rides"))
    shifts = shifts.select("driver_id", "session_window.*", "rides")
    return shifts.withColumnsRenamed({"start": "shift_start", "end": "shift_end"})


@caught_by(
    "test_a_shift_of_two_rides",
    "test_a_shift_without_a_start_has_no_rides",
    seen=r"count\((F\.col\()?'is_start'",
)
def counts_every_event(rides: DataFrame) -> DataFrame:
    """You counted every event as a ride. A ride has two of them, so count its START alone. Mind
    that `F.count` counts what is not null, and false is not null.
    """
    return _shifts(rides, starts=F.count("is_start"))


@caught_by("test_a_shift_of_two_rides", "test_a_shift_without_a_start_has_no_rides")
def looks_at_starts_only(rides: DataFrame) -> DataFrame:
    """You dropped the END events before you looked for shifts. They, too, show that the driver is
    at work; only the *count* is of STARTs.
    """
    return _shifts(rides.filter("is_start"))


@caught_by("test_a_shift_of_two_rides")
def follows_the_taxi(rides: DataFrame) -> DataFrame:
    """You followed the taxi. Drivers change taxis, taxis change drivers: a shift is a driver's."""
    return _shifts(rides, by="taxi_id")


@caught_by(
    "test_an_event_out_of_order_joins_two_shifts",
    "test_each_shift_comes_once_when_it_is_over",
    seen=SHORTER_DELAY,
)
def waits_for_nobody(rides: DataFrame) -> DataFrame:
    """You closed shifts too soon. Events arrive up to ten minutes out of order: the watermark has
    to trail by that much.
    """
    return _shifts(rides, delay="0 seconds")


@caught_by(
    "test_a_shift_of_two_rides",
    "test_an_hour_apart_is_one_shift",
    "test_each_shift_comes_once_when_it_is_over",
    seen=r"session_window\('event_time', '(\d|[1-5]\d) minutes?'",
)
def has_too_short_a_gap(rides: DataFrame) -> DataFrame:
    """Your gap is shorter than an hour. It is how long a driver may be silent; the ten minutes that
    events may be out of order are the watermark's.
    """
    return _shifts(rides, F.session_window("event_time", "10 minutes"))


@caught_by("test_each_shift_comes_once_when_it_is_over", seen=LONGER_DELAY)
def waits_an_hour(rides: DataFrame) -> DataFrame:
    """You waited longer than needed. Events are less than ten minutes out of order, so that is the
    watermark's delay. The hour is the window's gap, and comes on top of it anyway.
    """
    return _shifts(rides, delay="1 hour")
