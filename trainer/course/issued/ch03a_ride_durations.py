"""Ride durations: remember a ride's first event until the second one comes.

Dispatch wants to know how long each ride took. No event says so. The START knows when the ride
began, the END when it was over, and between them lie minutes or hours in which thousands of other
events pass. To subtract one from the other, somebody has to remember one of them, for each ride
that is under way: that is keyed state.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import TimerValues

from datagen.geo import grid_cell


class Durations(StatefulProcessor):
    """What Spark calls for each ride; use it, or throw it away and write your own."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Declare what is remembered for one ride: here handle.getValueState(…)."""

    def handleInputRows(
        self, key: tuple[int], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        """Take one ride's new events, one or both; yield a Row when its second one is here."""
        raise NotImplementedError


def ride_durations(rides: DataFrame) -> DataFrame:
    """Give one row for each finished ride, with how long it took.

    Input: the columns of the ride stream. Each event of a ride comes once, START or END first.

    Output:
    - `ride_id` bigint and `driver_id` bigint, as they came;
    - `start_cell` int: the cell where the ride starts, by `grid_cell(lon, lat)`; null off the grid;
    - `minutes` double: from START to END, with the seconds as a fraction;
    - `event_time` timestamp: the END's.

    The rules:
    - The row must come out in the micro-batch in which the ride's second event comes, whichever of
      the two that is. Both may come in the same micro-batch.
    - A ride of which only one event has come must give nothing yet, however long that takes.
    - Once a ride is finished, nothing of it may be left in the state. An unfinished ride may stay.

    Example: the START of ride 1 has event_time 12:00:00, its END 12:20:30. The row is: ride 1, its
    driver, its cell, 20.5 minutes, 12:20:30. If the END comes in the third micro-batch and the
    START, delayed, in the fourth, it is the same row, and it comes out in the fourth.
    """
    # TODO: add the column start_cell, group by the ride, and hand each ride to a processor:
    # .transformWithState(Durations(), outputStructType="ride_id bigint, …",
    #                     outputMode="append", timeMode="none")
    raise NotImplementedError
