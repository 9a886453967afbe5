"""Quarter hours, written in other ways that are right too."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def in_sql(rides: DataFrame) -> DataFrame:
    """Say it in SQL, with a filter on each count."""
    return rides.sparkSession.sql(
        """SELECT window.end AS window_end,
          count(*) FILTER (WHERE is_start) AS starts,
          count(*) FILTER (WHERE NOT is_start) AS ends
        FROM {rides} GROUP BY window(event_time, '15 minutes')""",
        rides=rides.withWatermark("event_time", "10 minutes"),
    )


def with_sums(rides: DataFrame) -> DataFrame:
    """Add up ones and zeros."""
    ones = {
        "starts": F.when(F.col("is_start"), 1).otherwise(0),
        "ends": F.when(F.col("is_start"), 0).otherwise(1),
    }
    quarters = rides.withColumns(ones).withWatermark("event_time", "10 minutes")
    quarters = quarters.groupBy(F.window("event_time", "15 minutes"))
    quarters = quarters.agg(F.sum("starts").alias("starts"), F.sum("ends").alias("ends"))
    return quarters.select(F.col("window.end").alias("window_end"), "starts", "ends")


def in_two_steps(rides: DataFrame) -> DataFrame:
    """Count by minute and kind, then add the minutes up."""
    minutes = rides.withWatermark("event_time", "10 minutes")
    minutes = minutes.groupBy(F.window("event_time", "1 minute"), "is_start").count()
    quarters = minutes.groupBy(F.window(F.window_time("window"), "15 minutes").alias("quarter"))

    def total(kind: bool) -> Column:
        return F.sum(F.when(F.col("is_start") == kind, F.col("count")).otherwise(0))

    quarters = quarters.agg(total(True).alias("starts"), total(False).alias("ends"))
    return quarters.select(F.col("quarter.end").alias("window_end"), "starts", "ends")
