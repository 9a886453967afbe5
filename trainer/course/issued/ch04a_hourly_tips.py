"""Hourly tips: who had the best hour?

The taxi company gives a bonus. For every full hour, the driver who was tipped the most in that
hour gets it. The board at the garage shows one line an hour: who, and how much. Once it is up, it
stays up: a bonus that is paid can't be taken back.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def hourly_tips(fares: DataFrame) -> DataFrame:
    """Find, for each hour, the driver with the most tips.

    Input: the columns of the fare stream, among them `driver_id`, `start_time` and `tip`; these
    three are never null. A fare belongs to the hour in which its ride started. Fares arrive less
    than ten minutes of `start_time` out of order, so ten minutes is the watermark's delay.

    Output, one row for each hour:
    - `window_end` timestamp: the end of the hour;
    - `driver_id` bigint: the driver with the most tips in that hour;
    - `total_tips` double: the sum of that driver's tips in that hour.

    The rules:
    - Hours are those of the clock. A fare at 13:00:00 belongs to the hour that ends at 14:00.
    - If several drivers have the same sum, the one with the smallest `driver_id` must win.
    - Each hour must come out once, when it is complete: in the first micro-batch whose watermark is
      at or past its end. A fare that comes later than that must change nothing.
    - An hour without a fare must give no row.
    - Every fare counts, even one that comes twice: repeats are for someone else to remove.

    Example: from 12:00 to 13:00 driver 1 is tipped 2.00 and 3.50, driver 2 is tipped 4.50. Once a
    fare of 13:10 has been seen, out comes (13:00, driver 1, 5.50).
    """
    # TODO: sum the tips by hour and driver, then keep the best driver of each hour.
    raise NotImplementedError
