"""Blocked drivers: who was allowed to drive, when he drove.

A driver's licence has run out. From 12:10 on he may take no rides, says a message from the office;
at 12:40 another says that he may again. These messages are a stream of their own, and they don't
come when they hold: the office is slow, and sometimes hours behind the cars. Whether a ride was
allowed is a question about the time at which it began, not about the time at which we heard of it.
"""

from pyspark.sql import DataFrame


def pass_unblocked(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Let those START events through whose driver was not blocked at their event time.

    Input: the columns of the ride stream, and a control stream with `driver_id` (bigint), `blocked`
    (boolean) and `event_time` (timestamp). Ids, times and `blocked` are never null,
    times have whole seconds, and for each `ride_id` there is at most one START. Each stream on its
    own comes less than ten minutes of event time out of order: that is the watermark's delay, and
    you set it. But one stream may be hours behind the other.

    Output: `ride_id` (bigint), `driver_id` (bigint), `event_time` (timestamp): one row for each
    START that goes out. ENDs must not go out.

    The rules:
    - A control row holds for its driver from its `event_time` on, that instant included, until the
      next one in event time. Before the first one a driver is not blocked.
    - Where control rows of one driver have the same time and say different things, he is blocked
      from then on, whichever comes first. A control row that is repeated must change nothing.
    - What a START depends on is its own time: later control rows must not keep it back, and a START
      that was kept back must never go out, even when its driver is free again. Two STARTs of one
      driver may have the same time.
    - A START must go out in the first micro-batch whose watermark, that of the stream that is
      behind, is at or past its time, and not before. As long as one of the streams has not begun,
      nothing may go out. Whether ENDs move the watermark of the rides is left to you.
    - A row that comes so late that Spark drops it must count for nothing. One that is behind only
      the watermark of its own micro-batch must count, and a START must then go out at once.
    - Of a START nothing may stay in state once the watermark is at its time. Of a driver's control
      rows at or before the watermark, at most the last may stay.

    Example: driver 1 is blocked at 12:10 and free again at 12:40. His STARTs: ride 1 at 12:05, ride
    2 at 12:10, ride 3 at 12:45. Out come (1, driver 1, 12:05) and (3, driver 1, 12:45), each when
    the watermarks of both streams have reached its time, in whatever order all this arrived.
    """
    # TODO: bring both streams to the same columns, and let one processor answer for each driver.
    raise NotImplementedError
