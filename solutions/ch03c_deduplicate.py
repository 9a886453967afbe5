"""Deduplicate: let each event through once, though the source repeats some."""

from pyspark.sql import DataFrame

HINTS = (
    """
    Which columns say that two events are the same one? Not all of them: a repeat may carry
    another time. And when is it safe to forget an event? That takes a watermark.
    """,
    """
    `dropDuplicates` on a stream forgets only if the event time is among its columns, and here it
    can't be. `dropDuplicatesWithinWatermark` forgets an event once the watermark is as far past
    it as its delay.
    """,
    """
    The delay has to cover two things: that events come out of order, by up to ten minutes, and
    that a repeat's time is up to twenty minutes from the first's.
    ```
    rides.withWatermark("event_time", …).dropDuplicatesWithinWatermark([…])
    ```
    """,
)


def deduplicate(rides: DataFrame) -> DataFrame:
    """Keep of each event the first that arrives."""
    # Ten minutes for what comes out of order, and twenty for the other time a repeat may carry.
    on_time = rides.withWatermark("event_time", "30 minutes")
    return on_time.dropDuplicatesWithinWatermark(["ride_id", "is_start"])
