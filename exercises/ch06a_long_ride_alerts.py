"""Long ride alerts: report every ride that lasts more than two hours.

A driver who has been out with one passenger for more than two hours is lost, asleep, or on the way
to Boston. The dispatcher wants to call. But as long as a ride goes on, *nothing comes*:
its END is missing, and a missing event can't start any code of yours. A timer can.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


class LongRides(StatefulProcessor):
    """A place to start from; change it as you like."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make the state of a ride."""
        self.handle = handle

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Take new events of one ride; give the rows to report."""
        raise NotImplementedError

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Take a timer that went off; give the rows to report."""
        raise NotImplementedError


def long_ride_alerts(rides: DataFrame) -> DataFrame:
    """Report each ride that lasts more than two hours, once, as soon as that is sure.

    Input: the columns of the ride stream. Events come less than 60 seconds of event time out of
    order: that is the watermark's delay, and you set it. Each event comes once, if it comes at
    all. `ride_id`, `is_start` and `event_time` are never null.

    Output: `ride_id` (bigint) and `start_time` (timestamp, the event_time of the START).

    The rules:
    - If its END shows that a ride took more than two hours, report it in that micro-batch.
    - If no END is there, report it in the first micro-batch whose watermark is at or past START
      plus two hours.
    - Each long ride must be reported once, even if its END comes after the alert.
    - Exactly two hours is not long.
    - The END may come before the START, in an earlier micro-batch or in the same one.
    - A ride whose START never comes must give nothing.
    - No state may be left behind. When both events of a ride have come, nothing of it may be kept,
      no timer either; otherwise nothing may be kept once the watermark is past START plus two
      hours, and past the END.

    Example: ride 1 starts at 12:00 and ends at 14:30. When the watermark reaches 14:00 there is no
    END, and out comes (1, 12:00). At 14:30 its END comes: no second alert, and nothing remembered.
    """
    # TODO: set the watermark, group by ride, and run your processor in event time.
    raise NotImplementedError
