"""Rides and fares: bring the two streams together."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

HINTS = (
    """
    A join of two streams has to remember both. What would allow it to forget a ride? It must know
    that no fare for it can come any more: how far has time got, and how far apart may two events
    be?
    """,
    """
    Both streams need a watermark, each on its own time column:
    ```
    .withWatermark("…", "10 minutes")
    ```
    The join has a condition of two parts: the same `ride_id`, and times at most 30 minutes apart.
    """,
    """
    Rides and fares, and how far apart their times may be:
    ```
    starts = rides.filter("is_start").withWatermark(…)
    apart = F.expr("INTERVAL 30 MINUTES")
    near = fares["start_time"].between(
        starts["event_time"] - apart, …
    )
    starts.join(fares, (starts["ride_id"] == fares["ride_id"]) & near)
    ```
    Then select the columns, `ride_id` once.
    """,
)


def join_fares(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Put a ride's fare on its START event."""
    starts = rides.filter("is_start").withWatermark("event_time", "10 minutes")
    fares = fares.withWatermark("start_time", "10 minutes")
    apart = F.expr("INTERVAL 30 MINUTES")
    # Without a bound on the times no watermark could say when a ride is too old to find its fare.
    near = fares["start_time"].between(starts["event_time"] - apart, starts["event_time"] + apart)
    both = starts.join(fares, (starts["ride_id"] == fares["ride_id"]) & near)
    return both.select(
        *(starts[name] for name in starts.columns), "payment_type", "tip", "tolls", "total_fare"
    )
