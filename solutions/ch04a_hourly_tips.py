"""Hourly tips: who had the best hour?"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

HINTS = (
    """
    There are two questions here, one after the other. How much was each driver tipped in each
    hour? And which of these sums is the largest of its hour? Each is a `groupBy` of its own.
    """,
    """
    This answers the first:
    ```
    .groupBy(F.window("start_time", "1 hour"), "driver_id")
    ```
    Its column `window` still knows the watermark, so the second may be a `groupBy` of `window`.
    """,
    """
    A struct is compared field by field. The largest of these has the most tips and, of equals,
    the smaller driver:
    ```
    best = F.struct("total_tips", -F.col("driver_id"))
    ```
    `F.max_by` takes it as its second column; `F.max` of the struct itself does it too.
    """,
)


def hourly_tips(fares: DataFrame) -> DataFrame:
    """Find, for each hour, the driver with the most tips."""
    sums = (
        fares.withWatermark("start_time", "10 minutes")
        .groupBy(F.window("start_time", "1 hour"), "driver_id")
        .agg(F.sum("tip").alias("total_tips"))
    )
    # Structs compare field by field: the most tips first, then the smaller driver_id.
    rank = F.struct("total_tips", -F.col("driver_id"))
    best = sums.groupBy("window").agg(
        F.max_by(F.struct("driver_id", "total_tips"), rank).alias("b")
    )
    return best.select(F.col("window.end").alias("window_end"), "b.driver_id", "b.total_tips")
