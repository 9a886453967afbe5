"""Ride numbers: greet each driver with "your 1st ride", "your 2nd", "your 100th".

When a driver starts a ride, the app shows its number. No event carries that number: somebody has to
count, for each driver, and must still know the count when the next ride starts, minutes or hours
later, in another micro-batch. It is the smallest state there is: one number for each driver.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import TimerValues


class Numbers(StatefulProcessor):
    """What Spark calls for each driver; use it, or throw it away and write your own."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Declare what is remembered for one driver: here handle.getValueState(…)."""

    def handleInputRows(
        self, key: tuple[int], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        """Take one driver's new STARTs; yield a Row for each, with its number."""
        raise NotImplementedError


def ride_numbers(rides: DataFrame) -> DataFrame:
    """Number the rides of each driver, from 1 on.

    Input: the columns of the ride stream. `ride_id`, `driver_id`, `taxi_id`, `is_start` and
    `event_time` are never null here, and each event comes once.

    Output, one row for each START:
    - `driver_id` bigint and `ride_id` bigint, as they came;
    - `number` bigint: which ride of this driver it is.

    The rules:
    - Each driver is counted apart, whichever taxi it is: the first START must get number 1, the
      next one 2, and so on.
    - END events must not be counted, and must give no row.
    - The STARTs of one micro-batch must be numbered in order of event_time, and those of the same
      time in order of ride_id. A later micro-batch goes on from there: a number that has been given
      stays, even if a START with an earlier event_time comes later.
    - The state must grow with the drivers, not with the rides.

    Example: driver 1 starts ride 7 at 12:10 and ride 8 at 12:05, both in one micro-batch. By time
    ride 8 comes first: the rows are (driver 1, ride 8, 1) and (driver 1, ride 7, 2). In the next
    micro-batch driver 1 starts ride 9: (driver 1, ride 9, 3).
    """
    # TODO: keep the STARTs, group them by the driver, and hand each driver to a processor:
    # .transformWithState(Numbers(), outputStructType="driver_id bigint, …",
    #                     outputMode="append", timeMode="none")
    raise NotImplementedError
