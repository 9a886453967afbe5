"""Driver shifts: when did each driver work?"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

HINTS = (
    """
    No clock says where a shift begins or ends; only the events themselves do. There is a kind of
    window for that, which closes after a gap.
    """,
    """
    This makes the shifts:
    ```
    .groupBy(F.session_window("event_time", "1 hour"), "driver_id")
    ```
    The `end` of that window is an hour too late for you: it says when the gap is over.
    """,
    """
    The last event is the largest time, and a ride is a START:
    ```
    F.max("event_time").alias("shift_end")
    F.count_if("is_start").alias("rides")
    ```
    `F.count` would count every value that is not null, false as well.
    """,
)


def driver_shifts(rides: DataFrame) -> DataFrame:
    """Find each driver's shifts, with no more than an hour between one event and the next."""
    shifts = (
        rides.withWatermark("event_time", "10 minutes")
        .groupBy(F.session_window("event_time", "1 hour"), "driver_id")
        # A session window ends when its gap is over, an hour after its last event.
        .agg(F.max("event_time").alias("shift_end"), F.count_if("is_start").alias("rides"))
    )
    start = F.col("session_window.start").alias("shift_start")
    return shifts.select("driver_id", start, "shift_end", "rides")
