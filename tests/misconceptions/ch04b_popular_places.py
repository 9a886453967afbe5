"""What learners get wrong when they look for popular places."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell, is_in_nyc
from datagen.grid import CELL_HEIGHT, CELL_WIDTH, COLUMNS, NORTH, WEST
from trainer.misconceptions import LONGER_DELAY, SHORTER_DELAY, caught_by

WINDOW = ("15 minutes", "5 minutes")


def _own(axis: str) -> Column:
    """Give a coordinate of an event's own place."""
    return F.when(F.col("is_start"), F.col(f"start_{axis}")).otherwise(F.col(f"end_{axis}"))


def _count(
    rides: DataFrame,
    cell: Column | None = None,
    window: tuple[str, ...] = WINDOW,
    delay: str = "10 minutes",
) -> DataFrame:
    """Count events by window, cell and kind."""
    cell = grid_cell(_own("lon"), _own("lat")) if cell is None else cell
    keys = (F.window("event_time", *window), cell.alias("cell"), "is_start")
    counts = rides.withWatermark("event_time", delay).groupBy(*keys)
    return counts.agg(F.count("*").alias("ride_count"))


def _finish(counts: DataFrame, threshold: int, end: str = "window.end") -> DataFrame:
    """Apply the threshold, and give the columns."""
    counts = counts.filter(F.col("ride_count") >= threshold)
    return counts.select(F.col(end).alias("window_end"), "cell", "is_start", "ride_count")


def _in_city(rides: DataFrame) -> DataFrame:
    """Keep events whose own place is in the city."""
    return rides.filter(is_in_nyc(_own("lon"), _own("lat")))


@caught_by("test_the_end_of_a_ride_counts_where_it_ends")
def counts_ends_where_rides_start(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You counted every event where its ride starts. An END's own place is where the ride ends."""
    rides = rides.filter(is_in_nyc("start_lon", "start_lat"))
    return _finish(_count(rides, grid_cell("start_lon", "start_lat")), threshold)


@caught_by(
    "test_the_start_of_a_ride_counts_where_it_starts",
    "test_the_end_of_a_ride_counts_where_it_ends",
)
def wants_both_places_in_the_city(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You dropped rides that leave the city or come into it. Only an event's own place counts:
    whoever gets in at Times Square makes it busy, wherever they go.
    """
    rides = rides.filter(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat"))
    return _finish(_count(rides), threshold)


@caught_by("test_a_place_outside_the_city_does_not_count")
def counts_what_lies_nowhere(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You counted events outside the city. They have no cell, so all of them came out together,
    with null for a cell.
    """
    return _finish(_count(rides), threshold)


@caught_by("test_a_place_outside_the_city_does_not_count", "test_the_border_is_where_it_is")
def numbers_places_outside_the_city(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You gave places outside the city a cell number as well, which belongs to a cell somewhere
    else. Check that a place is in the city before you number it.
    """
    lon, lat = (_own(axis).cast("double") for axis in ("lon", "lat"))
    cell = F.floor((lon - WEST) / CELL_WIDTH) + COLUMNS * F.floor((NORTH - lat) / CELL_HEIGHT)
    known = rides.filter(lon.isNotNull() & lat.isNotNull())
    return _finish(_count(known, cell.cast("int")), threshold)


@caught_by("test_every_event_lies_in_three_windows", "test_a_window_counts_what_lies_in_it")
def does_not_slide(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Your windows stand side by side, a quarter of an hour each. A new one has to begin every five
    minutes: that is the third argument of `window`.
    """
    return _finish(_count(_in_city(rides), window=("15 minutes",)), threshold)


@caught_by("test_every_event_lies_in_three_windows", "test_a_window_counts_what_lies_in_it")
def counts_five_minutes_only(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Your windows are five minutes long. They *begin* every five minutes, and last fifteen."""
    return _finish(_count(_in_city(rides), window=("5 minutes",)), threshold)


@caught_by(
    "test_a_count_that_just_reaches_the_threshold_comes_out", "test_an_event_out_of_order_counts"
)
def wants_more_than_the_threshold(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You left out counts that just reach the threshold. That many are enough: `>=`, not `>`."""
    return _finish(_count(_in_city(rides)), threshold + 1)


@caught_by("test_the_end_of_a_ride_counts_where_it_ends")
def counts_starts_only(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You counted only the rides that start. Those that end are wanted too, `is_start` false."""
    return _finish(_count(_in_city(rides.filter("is_start"))), threshold)


@caught_by("test_starts_and_ends_are_counted_apart")
def counts_starts_and_ends_together(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You counted the starts and the ends of a cell together. `is_start` is part of what you group
    by.
    """
    cell = grid_cell(_own("lon"), _own("lat")).alias("cell")
    counts = _in_city(rides).withWatermark("event_time", "10 minutes")
    counts = counts.groupBy(F.window("event_time", *WINDOW), cell)
    counts = counts.agg(F.first("is_start").alias("is_start"), F.count("*").alias("ride_count"))
    return _finish(counts, threshold)


@caught_by(
    "test_every_event_lies_in_three_windows",
    "test_each_window_comes_once_when_it_is_complete",
    seen=r"window\.start'\)\.alias\('window_end'\)",
)
def names_windows_by_their_start(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You gave the *start* of each window. What is wanted is its end: `window.end`."""
    return _finish(_count(_in_city(rides)), threshold, end="window.start")


@caught_by("test_each_window_comes_once_when_it_is_complete", seen=LONGER_DELAY)
def waits_an_hour(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You waited longer than needed. Events are less than ten minutes out of order, so that is the
    watermark's delay. How long a window is has nothing to do with it.
    """
    return _finish(_count(_in_city(rides), delay="1 hour"), threshold)


@caught_by(
    "test_an_event_out_of_order_counts",
    "test_each_window_comes_once_when_it_is_complete",
    seen=SHORTER_DELAY,
)
def waits_for_nobody(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """You closed windows too soon. Events arrive up to ten minutes out of order: the watermark has
    to trail by that much.
    """
    return _finish(_count(_in_city(rides), delay="0 seconds"), threshold)


# As a number of its own: the default of the parameter is 20 as well.
@caught_by("test_the_threshold_is_a_parameter", written=r"(?<!=)\b20\b")
def writes_twenty(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Your threshold is always the same. The caller may ask for another one: use the parameter
    `threshold`.
    """
    return _finish(_count(_in_city(rides)), 20)
