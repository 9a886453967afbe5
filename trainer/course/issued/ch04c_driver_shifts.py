"""Driver shifts: when did each driver work?

Nobody clocks in and out of a taxi. But a driver at work is seen again and again: somebody gets in,
somebody gets out. When nothing has been heard of a driver for more than an hour, the shift is over.
The next event, whenever it comes, opens a new one.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def driver_shifts(rides: DataFrame) -> DataFrame:
    """Find each driver's shifts, with no more than an hour between one event and the next.

    Input: the columns of the ride stream, among them `driver_id`, `event_time` and `is_start`.
    Events arrive less than ten minutes of `event_time` out of order, so ten minutes is the
    watermark's delay.

    Output, one row for each shift:
    - `driver_id` bigint: whose shift it was;
    - `shift_start` timestamp: the time of its first event;
    - `shift_end` timestamp: the time of its last event;
    - `rides` bigint: how many START events it has, possibly 0.

    The rules:
    - All events of a driver must be looked at, START and END alike, whichever taxi it was.
    - Two events at most one hour apart must be in one shift. One hour and a second is too far.
    - An event out of order may fill a gap, and so must join two shifts into one.
    - A shift must come out once, when it is over: in the first micro-batch whose watermark is at or
      past `shift_end` plus one hour. What comes later than that must not change it.
    - Every START counts as a ride, even one that comes twice.

    Example: driver 1 has a START at 08:00, an END at 08:20, a START at 09:00, an END at 09:30, and
    then nothing until noon. The first shift is (driver 1, 08:00, 09:30, 2 rides).
    """
    # TODO: put each driver's events into session windows, and look at what is in them.
    raise NotImplementedError
