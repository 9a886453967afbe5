"""The last five: with every fare, what its driver's last five tips were on average.

The company wants a number on each driver's screen: "your last five passengers tipped 3.20 on
average". It is a window that counts fares, not minutes, and it moves on by one with every fare. And
since fares come out of order, the last five to *come* aren't the last five that were driven.
"""

from pyspark.sql import DataFrame


def average_tips(fares: DataFrame) -> DataFrame:
    """Give, for every fare, the average tip of its driver's last five fares, this one included.

    Input: the columns of the fare stream. Fares come less than ten minutes of event time out of
    order: that is the watermark's delay, and you set it. `ride_id`, `driver_id` and `start_time`
    are never null, times have whole milliseconds, and each fare comes once.

    Output: `ride_id` (bigint), `driver_id` (bigint), `start_time` (timestamp), `average_tip`
    (double).

    The rules:
    - Each fare must give one row, in the first micro-batch whose watermark is at or past its
      `start_time`.
    - The last five of a driver are this fare and the four before it in the order of `start_time`;
      of equal times, the smaller `ride_id` comes first. The order in which they arrive doesn't
      matter.
    - A driver's first fares have fewer before them: the average is then of those there are.
    - A fare whose tip is null is one of the five like any other, but the average is of the tips
      that are known; if none of them is, `average_tip` is null.
    - A fare at or before the watermark of the micro-batch before its own is late. Spark drops it,
      and it must change nothing.
    - State must be bounded: of each driver it may hold the fares that still wait, and no more than
      five others; timers only for fares that wait.

    Example: driver 1's fares of 12:00, 12:05 and 12:10 have the tips 1.0, null and 2.0. They give
    the averages 1.0, 1.0 and 1.5, also if the one of 12:05 arrives last.
    """
    # TODO: let the fares of a driver wait for the watermark in a StatefulProcessor, and keep as
    # many tips as the next fare will need.
    raise NotImplementedError
