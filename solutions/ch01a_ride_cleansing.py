"""Ride cleansing: keep the rides of New York City."""

from pyspark.sql import DataFrame

from datagen.geo import is_in_nyc

HINTS = (
    """
    You have a stream of events, and you want the same stream with fewer of them. That is what the
    method `filter` of a DataFrame does.
    """,
    """
    `is_in_nyc` takes the names of two columns and gives a column of true and false. A ride has
    two places, so you need it twice, joined by `&`.
    """,
    """
    The first half is here, now the same for the end:
    ```
    rides.filter(is_in_nyc("start_lon", "start_lat") & …)
    ```
    """,
)


def cleanse(rides: DataFrame) -> DataFrame:
    """Keep the ride events whose ride both starts and ends in New York City."""
    starts_here = is_in_nyc("start_lon", "start_lat")
    ends_here = is_in_nyc("end_lon", "end_lat")
    # Where a coordinate is null the condition is null too, and a filter keeps only what is true.
    return rides.filter(starts_here & ends_here)
