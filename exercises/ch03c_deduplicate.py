"""Deduplicate: let each event through once, though the source repeats some.

The cars send their events over a bad network. A car that gets no answer sends again, with a fresh
timestamp, until it gets one: every event arrives at least once, and some arrive three times.
Whoever counts rides downstream wants each of them once. To recognise a repeat you must remember
what you have seen. To remember all of it for ever is more than any machine can do.
"""

from pyspark.sql import DataFrame


def deduplicate(rides: DataFrame) -> DataFrame:
    """Let each event through once, and of its repeats only the first to arrive.

    Input: the columns of the ride stream. Two events with the same `ride_id` and the same
    `is_start` are the same event, sent again.

    Output: the same columns, in the same order, unchanged.

    The rules:
    - Each (ride_id, is_start) must come out once, in the micro-batch in which it first arrives.
    - A repeat may carry another `event_time`, up to 20 minutes from the first one's. What comes
      out must be the event that arrived first. Within one micro-batch repeats are identical.
    - Events, repeats among them, arrive less than ten minutes of event time out of order.
    - The state must not grow for ever: once the stream is a day further on, nothing may be left of
      an event.

    Example: the START of ride 1 comes with event_time 12:00, and comes out. It comes again with
    12:20: nothing. Its END comes with 12:25: another event, it comes out.
    """
    # TODO: a streaming DataFrame has a method that drops duplicates, and forgets them after a
    # while. How long must it remember?
    raise NotImplementedError
