"""What learners get wrong when they count by quarters of an hour."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import caught_by


def _quarters(
    rides: DataFrame,
    *,
    delay: str = "10 minutes",
    window: tuple[str, ...] = ("15 minutes",),
    starts: Column | None = None,
    ends: Column | None = None,
    name: str = "window.end",
) -> DataFrame:
    """Count rightly; each misconception changes one thing about it."""
    starts = F.count_if("is_start") if starts is None else starts
    ends = F.count_if(~F.col("is_start")) if ends is None else ends
    quarters = rides.withWatermark("event_time", delay)
    quarters = quarters.groupBy(F.window("event_time", *window))
    quarters = quarters.agg(starts.alias("starts"), ends.alias("ends"))
    return quarters.select(F.col(name).alias("window_end"), "starts", "ends")


@caught_by(
    "test_starts_and_ends_are_counted_apart",
    "test_a_quarter_may_have_ends_only",
    seen=r"count\((F\.col\()?'is_start'",
)
def counts_false(rides: DataFrame) -> DataFrame:
    """You counted every event as a START. `count("is_start")` counts what is not null, and false is
    not null: `count_if` counts what is true.
    """
    return _quarters(rides, starts=F.count("is_start"))


@caught_by("test_starts_and_ends_are_counted_apart", "test_an_event_that_comes_twice_counts_twice")
def counts_every_event_as_an_end(rides: DataFrame) -> DataFrame:
    """You counted every event as an END. Only those whose `is_start` is false are ENDs."""
    return _quarters(rides, ends=F.count("*"))


@caught_by("test_a_quarter_may_have_ends_only", "test_each_quarter_comes_once_when_it_is_complete")
def drops_quarters_without_a_start(rides: DataFrame) -> DataFrame:
    """You dropped the quarters in which no ride starts. The rides that end there count as well:
    such a quarter has a row with 0 starts.
    """
    return _quarters(rides).filter("starts > 0")


@caught_by("test_a_quarter_may_have_ends_only", "test_an_event_that_comes_twice_counts_twice")
def gives_null_for_none(rides: DataFrame) -> DataFrame:
    """You gave null where there is nothing to count. The sum of no numbers is null, not 0: give
    `when` an `otherwise(0)`, or count instead of adding up.
    """
    start, end = F.when(F.col("is_start"), 1), F.when(~F.col("is_start"), 1)
    return _quarters(rides, starts=F.sum(start), ends=F.sum(end))


@caught_by(
    "test_starts_and_ends_are_counted_apart",
    "test_each_quarter_comes_once_when_it_is_complete",
    seen=r"window\.start'\)\.alias\('window_end'\)",
)
def names_quarters_by_their_start(rides: DataFrame) -> DataFrame:
    """You gave the *start* of each quarter. What is wanted is its end: `window.end`."""
    return _quarters(rides, name="window.start")


@caught_by(
    "test_starts_and_ends_are_counted_apart", "test_each_quarter_comes_once_when_it_is_complete"
)
def takes_whole_hours(rides: DataFrame) -> DataFrame:
    """Your windows are an hour long. A quarter has fifteen minutes."""
    return _quarters(rides, window=("1 hour",))


@caught_by(
    "test_each_quarter_comes_once_when_it_is_complete",
    "test_a_generated_stream_agrees_with_plain_python",
)
def slides(rides: DataFrame) -> DataFrame:
    """Your windows overlap, so that an event is counted more than once. Quarters stand side by
    side: leave out `window`'s third argument.
    """
    return _quarters(rides, window=("15 minutes", "5 minutes"))


@caught_by("test_each_quarter_comes_once_when_it_is_complete")
def waits_for_nobody(rides: DataFrame) -> DataFrame:
    """You closed quarters too early. Events arrive up to ten minutes out of order: that is how far
    the watermark has to trail.
    """
    return _quarters(rides, delay="0 seconds")


@caught_by("test_each_quarter_comes_once_when_it_is_complete")
def waits_longer_than_needed(rides: DataFrame) -> DataFrame:
    """You waited longer than needed. The watermark's delay is how far events are out of order, ten
    minutes; the window's length has nothing to do with it.
    """
    return _quarters(rides, delay="25 minutes")


@caught_by("test_an_event_that_comes_twice_counts_twice")
def drops_repeats(rides: DataFrame) -> DataFrame:
    """You dropped what came twice. Every event counts here: repeats are for someone else to
    remove.
    """
    timed = rides.withWatermark("event_time", "10 minutes")
    once = timed.dropDuplicatesWithinWatermark(["ride_id", "is_start"])
    quarters = once.groupBy(F.window("event_time", "15 minutes"))
    quarters = quarters.agg(
        F.count_if("is_start").alias("starts"), F.count_if(~F.col("is_start")).alias("ends")
    )
    return quarters.select(F.col("window.end").alias("window_end"), "starts", "ends")
