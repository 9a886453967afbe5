"""Quarter hours: how many rides begin, and how many end, in each quarter of an hour?

A planner draws the city's day as a curve: four points an hour, one line for the rides that begin,
one for those that end. A point, once drawn, must be right: it goes to print.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def quarter_hours(rides: DataFrame) -> DataFrame:
    """Count the STARTs and the ENDs of each quarter of an hour.

    Input: the columns of the ride stream; `is_start` and `event_time` are never null here. Events
    arrive less than ten minutes of `event_time` out of order, so ten minutes is the watermark's
    delay.

    Output, one row for each quarter of an hour:
    - `window_end` timestamp: the end of the quarter;
    - `starts` bigint: how many START events lie in it, possibly 0;
    - `ends` bigint: how many END events lie in it, possibly 0.

    The rules:
    - Quarters are those of the clock: 12:00 to 12:15, 12:15 to 12:30, …. An event at 12:15:00
      belongs to the quarter that ends at 12:30.
    - Each quarter must come out once, when it is complete: in the first micro-batch whose watermark
      is at or past its end. An event that comes later than that must change nothing.
    - A quarter without any event must give no row.
    - Every event counts, even one that comes twice.

    Example: two rides start at 12:03 and 12:10, and one ends at 12:14:59. Once an event of 12:25
    has been seen, out comes (12:15, 2, 1).
    """
    # TODO: set the watermark, group by windows of a quarter, count starts and ends, name the end.
    raise NotImplementedError
