"""Phantom rides: three very short rides of one driver in a row are an alert.

The company pays a bonus for every twenty rides. Since then some drivers start the meter, stop it
after half a minute, and start it again: rides without a passenger. One such ride is a customer who
changed his mind. Three in a row within half an hour are a pattern, and somebody wants to see them.
"""

from pyspark.sql import DataFrame


def alerts(rides: DataFrame) -> DataFrame:
    """Report three rides of one driver in a row, each under a minute, all within half an hour.

    Input: the columns of the ride stream. Events come less than ten minutes of event time out of
    order: that is the watermark's delay, and you set it. `ride_id`, `driver_id`, `is_start` and
    `event_time` are never null, and times have whole milliseconds. Each event comes once, if it
    comes at all. A driver has one ride at a time, and never two events at the same time.

    Output: `driver_id`, `first_ride`, `second_ride`, `third_ride` (bigint), the ids of the three in
    the order of time, and `event_time` (timestamp), the END of the third.

    The rules:
    - A ride is short if its END comes less than a minute after its START, in event time; a ride of
      exactly a minute isn't.
    - Three short rides of a driver in a row, in whichever taxi, are an alert, if there is no more
      than half an hour between the START of the first and the END of the third; exactly half an
      hour is not more.
    - In a row means that the driver has no longer ride between them. A START whose END never comes
      is a longer ride. An END whose START never comes is nothing at all: look past it.
    - Take the first three that will do, and begin anew behind them: no ride may be in two alerts.
    - An alert must come in the first micro-batch whose watermark is at or past the END of the third
      ride. The order in which events arrive doesn't matter.
    - An event at or before the watermark of the micro-batch before its own is late. Spark drops it,
      as if it had never come.
    - State must end: once the watermark is half an hour past the last event of a driver, nothing of
      them may be kept, and no timer.

    Example: driver 1 has short rides at 12:00 (ride 1), 12:05 (2), 12:08 (3), 12:10 (4), one of
    twenty minutes at 12:15 (5), and a short one at 12:40 (6). That is one alert, of rides 1, 2 and
    3. Ride 4 is alone: behind it comes a longer one.
    """
    # TODO: write a StatefulProcessor that lets the events of a driver wait for the watermark, takes
    # them in order, and remembers how much of the pattern it has seen.
    raise NotImplementedError
