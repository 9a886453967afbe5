"""What learners get wrong when they look for the best driver of each hour."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import LONGER_DELAY, SHORTER_DELAY, caught_by


def _sums(fares: DataFrame, delay: str = "10 minutes") -> DataFrame:
    """Sum up tips by hour and driver."""
    return (
        fares.withWatermark("start_time", delay)
        .groupBy(F.window("start_time", "1 hour"), "driver_id")
        .agg(F.sum("tip").alias("total_tips"))
    )


def _best(sums: DataFrame, end: str = "window.end") -> DataFrame:
    """Find the best driver of each window."""
    best = F.max_by(
        F.struct("driver_id", "total_tips"), F.struct("total_tips", -F.col("driver_id"))
    )
    hours = sums.groupBy("window").agg(best.alias("b"))
    return hours.select(F.col(end).alias("window_end"), "b.driver_id", "b.total_tips")


@caught_by("test_the_driver_with_the_largest_sum_wins", "test_of_equal_drivers_the_smaller_id_wins")
def stops_after_the_sums(fares: DataFrame) -> DataFrame:
    """You gave every driver's sum. Only the best of each hour is wanted: aggregate once more."""
    sums = _sums(fares)
    return sums.select(F.col("window.end").alias("window_end"), "driver_id", "total_tips")


@caught_by(
    "test_the_tips_of_a_driver_are_summed",
    "test_the_driver_with_the_largest_sum_wins",
    "test_a_fare_that_comes_twice_counts_twice",
)
def takes_the_largest_single_tip(fares: DataFrame) -> DataFrame:
    """You looked for the largest single tip. First the tips that a driver got in the hour have to
    be added up.
    """
    tips = fares.withWatermark("start_time", "10 minutes").withColumn(
        "total_tips", F.col("tip").cast("double")
    )
    best = F.max_by(
        F.struct("driver_id", "total_tips"), F.struct("total_tips", -F.col("driver_id"))
    )
    hours = tips.groupBy(F.window("start_time", "1 hour")).agg(best.alias("b"))
    return hours.select(F.col("window.end").alias("window_end"), "b.driver_id", "b.total_tips")


@caught_by("test_the_driver_with_the_largest_sum_wins")
def adds_up_all_drivers(fares: DataFrame) -> DataFrame:
    """You gave the tips of *all* drivers of the hour. `total_tips` is the winner's sum alone."""
    sums = _sums(fares)
    winner = F.max_by("driver_id", F.struct("total_tips", -F.col("driver_id"))).alias("driver_id")
    hours = sums.groupBy("window").agg(winner, F.sum("total_tips").alias("total_tips"))
    return hours.select(F.col("window.end").alias("window_end"), "driver_id", "total_tips")


@caught_by("test_the_driver_with_the_largest_sum_wins", "test_of_equal_drivers_the_smaller_id_wins")
def takes_two_maxima(fares: DataFrame) -> DataFrame:
    """You took the largest sum and, apart from it, the largest `driver_id`: they may belong to
    different drivers. Keep both together, in a struct or with `max_by`.
    """
    hours = _sums(fares).groupBy("window")
    hours = hours.agg(
        F.max("driver_id").alias("driver_id"), F.max("total_tips").alias("total_tips")
    )
    return hours.select(F.col("window.end").alias("window_end"), "driver_id", "total_tips")


@caught_by("test_of_equal_drivers_the_smaller_id_wins")
def gives_ties_to_the_larger_id(fares: DataFrame) -> DataFrame:
    """You gave a tie to the larger `driver_id`, as the maximum of a struct does. Turn the second
    field round: `-driver_id`.
    """
    best = F.max(F.struct("total_tips", "driver_id")).alias("b")
    hours = _sums(fares).groupBy("window").agg(best)
    return hours.select(F.col("window.end").alias("window_end"), "b.driver_id", "b.total_tips")


@caught_by(
    "test_one_driver_with_one_tip",
    "test_each_hour_comes_once_when_it_is_complete",
    seen=r"window\.start'\)\.alias\('window_end'\)",
)
def names_the_hour_by_its_start(fares: DataFrame) -> DataFrame:
    """You gave the *start* of each hour. The board shows its end: `window.end`."""
    return _best(_sums(fares), "window.start")


@caught_by(
    "test_a_tip_that_arrives_out_of_order_counts",
    "test_each_hour_comes_once_when_it_is_complete",
    seen=SHORTER_DELAY,
)
def waits_for_nobody(fares: DataFrame) -> DataFrame:
    """You closed hours too soon. Fares arrive up to ten minutes out of order: the watermark has to
    trail by that much.
    """
    return _best(_sums(fares, "0 seconds"))


@caught_by("test_each_hour_comes_once_when_it_is_complete", seen=LONGER_DELAY)
def waits_an_hour(fares: DataFrame) -> DataFrame:
    """You waited longer than needed. Fares are less than ten minutes out of order, so that is the
    watermark's delay. How long a window is has nothing to do with it.
    """
    return _best(_sums(fares, "1 hour"))


@caught_by("test_the_tips_of_a_driver_are_summed")
def follows_the_taxi(fares: DataFrame) -> DataFrame:
    """You added up by taxi. Drivers change taxis, and the bonus is a driver's."""
    sums = (
        fares.withWatermark("start_time", "10 minutes")
        .groupBy(F.window("start_time", "1 hour"), "taxi_id")
        .agg(F.sum("tip").alias("total_tips"), F.max("driver_id").alias("driver_id"))
    )
    return _best(sums)


@caught_by("test_the_driver_with_the_largest_sum_wins")
def adds_the_tolls(fares: DataFrame) -> DataFrame:
    """You added the tolls to the tips. Tolls go to bridges and tunnels, not to the driver."""
    return _best(_sums(fares.withColumn("tip", F.col("tip") + F.col("tolls"))))


@caught_by("test_a_fare_that_comes_twice_counts_twice")
def removes_repeats_as_well(fares: DataFrame) -> DataFrame:
    """You dropped fares that came twice. Nobody asked for that here, and it costs state."""
    fares = fares.withWatermark("start_time", "10 minutes")
    fares = fares.dropDuplicatesWithinWatermark(["ride_id"])
    sums = fares.groupBy(F.window("start_time", "1 hour"), "driver_id")
    return _best(sums.agg(F.sum("tip").alias("total_tips")))
