"""Hourly tips by hand: a window built of map state and timers.

Spark's `window` gave you the hourly sums in chapter 4 with one line. What is in the box? A sum for
each hour that is still open, and an alarm clock at the end of it. Build it yourself once, and
you can build any window that Spark doesn't have.
"""

from pyspark.sql import DataFrame


def driver_tips(fares: DataFrame) -> DataFrame:
    """Add up the tips of each driver in each hour; report an hour once, when it is complete.

    Input: the columns of the fare stream. Fares come less than ten minutes of event time out of
    order: that is the watermark's delay, and you set it. `driver_id` and `start_time` are never
    null; each fare comes once.

    Output: `window_end` (timestamp), `driver_id` (bigint), `total_tips` (double).

    The rules:
    - An hour goes from a full hour to the next; its first instant is in it, its end is not.
    - Each hour in which a driver has a fare must give one row, in the first micro-batch whose
      watermark is at or past the hour's end. An hour without a fare must give none.
    - A null tip adds nothing: a driver whose only tips are null must have a total of 0.0.
    - A fare that comes after its hour was reported must change nothing.
    - An hour that was reported must be forgotten: state may hold the open hours only.

    Example: driver 1 gets 1.5 at 12:05, 2.0 at 12:59 and 4.0 at 13:00. When the watermark reaches
    13:00, out comes (13:00, 1, 3.5); the 4.0 belong to the hour that ends at 14:00.
    """
    # TODO: write a StatefulProcessor with map state and a timer for each open hour, and run it on
    # the fares of each driver. A `window` would pass the checks, but you would miss the point.
    raise NotImplementedError
