"""Quarter hours: how many rides begin, and how many end, in each quarter of an hour?"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

HINTS = (
    """
    It is the hourly sum of tips with other numbers: a watermark, a tumbling window to group by,
    something to add up, and at last a `select` that gives the columns their names.
    """,
    """
    The end of the window is taken in the `select`, after `agg`, and not before:
    ```
    .groupBy(F.window("event_time", "15 minutes"))
    .agg(…)
    .select(F.col("window.end").alias("window_end"), …)
    ```
    """,
    """
    `F.count` would count ENDs as well, since false is a value. These count what is true:
    ```
    F.count_if("is_start").alias("starts")
    F.count_if(~F.col("is_start")).alias("ends")
    ```
    """,
)


def quarter_hours(rides: DataFrame) -> DataFrame:
    """Count the STARTs and the ENDs of each quarter of an hour."""
    quarters = (
        rides.withWatermark("event_time", "10 minutes")
        .groupBy(F.window("event_time", "15 minutes"))
        .agg(
            F.count_if("is_start").alias("starts"),
            F.count_if(~F.col("is_start")).alias("ends"),
        )
    )
    return quarters.select(F.col("window.end").alias("window_end"), "starts", "ends")
