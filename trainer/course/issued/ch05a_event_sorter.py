"""The event sorter: all ride events in one order.

The control room shows the city on one screen, event by event. Its feed is a jumble: a START from
12:00:10 comes after one from 12:00:40, because one car drove through a tunnel. The people at the
screen want to see the day in the order in which it happened. They can wait a minute for that.
"""

from pyspark.sql import DataFrame


def sort_events(rides: DataFrame) -> DataFrame:
    """Give the ride events in order of event time, in one order over all rides.

    Input: the columns of the ride stream. `event_time` is never null and has whole milliseconds.

    Output: the same columns, in the same order, unchanged.

    The rules:
    - The watermark's delay is 60 seconds.
    - An event must be released in the first micro-batch whose watermark is at or past its event
      time, and not before, even if that micro-batch brings no new events.
    - Within a micro-batch, events must come out in order of event time; those of equal time in any
      order. An event that comes twice must come out twice.
    - An event at or before the watermark of the micro-batch before its own must be dropped. (That
      is what Spark does with late rows; leave it to Spark.) One that is behind only the watermark
      of its own micro-batch must not: it must be released at once.
    - Nothing may stay in state for an event that was released.

    Example: ride 1 of 12:00:40 comes first, then ride 2 of 12:00:10, both in the first micro-batch;
    ride 3 of 12:01:30 comes in the second. The third brings nothing, but its watermark is 12:00:30
    (the newest event's 12:01:30, less 60 seconds): ride 2 comes out, ride 1 goes on waiting.
    """
    # TODO: group by a column that is the same for all events, and let a StatefulProcessor keep
    # each event until a timer tells you that the watermark has reached it.
    raise NotImplementedError
