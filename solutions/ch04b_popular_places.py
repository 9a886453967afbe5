"""Popular places: where is the city busy right now?"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell, is_in_nyc

HINTS = (
    """
    Three steps: give every event the place that is its own, drop what is not in the city, count.
    Only the last one needs a window and a watermark.
    """,
    """
    This is the longitude of an event's own place:
    ```
    F.when(F.col("is_start"), F.col("start_lon")).otherwise(F.col("end_lon"))
    ```
    A window that slides is a window with a third argument.
    """,
    """
    Count by window, cell and kind of event:
    ```
    .groupBy(
        F.window("event_time", "15 minutes", "5 minutes"),
        grid_cell("lon", "lat").alias("cell"),
        "is_start",
    )
    ```
    The threshold is an ordinary filter on the count.
    """,
)


def popular_places(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Count the rides that start, and those that end, in each cell of the city's grid."""
    lon, lat = (
        F.when(F.col("is_start"), F.col(f"start_{axis}")).otherwise(F.col(f"end_{axis}"))
        for axis in ("lon", "lat")
    )
    counts = (
        rides.withWatermark("event_time", "10 minutes")
        .filter(is_in_nyc(lon, lat))
        .groupBy(
            F.window("event_time", "15 minutes", "5 minutes"),
            grid_cell(lon, lat).alias("cell"),
            "is_start",
        )
        .agg(F.count("*").alias("ride_count"))
        .filter(F.col("ride_count") >= threshold)
    )
    return counts.select(F.col("window.end").alias("window_end"), "cell", "is_start", "ride_count")
