"""Leak: a query that gives the right rows, and that no machine can keep for long.

The planners have a query that tells how long each ride took. Nobody has ever found a wrong row in
it. But once a week somebody has to throw its checkpoint away and start it anew, because what it
keeps in state only ever grows. It grows in two places. Find both, and let it forget in time.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


class Durations(StatefulProcessor):
    """Waits until it has both events of a ride, and tells how long the ride took."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for the times of a ride's events, in milliseconds."""
        self.times = handle.getMapState("times", "is_start boolean", "time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Note when the ride started, or when it ended; tell how long it took if both are known."""
        for row in rows:
            self.times.updateValue((row.is_start,), (int(row.event_time.timestamp() * 1000),))
        if self.times.containsKey((True,)) and self.times.containsKey((False,)):
            took = self.times.getValue((False,))[0] - self.times.getValue((True,))[0]
            yield Row(ride_id=key[0], minutes=took / 60_000)


def fixed(rides: DataFrame) -> DataFrame:
    """Tell how long each ride took, and keep nothing for longer than it is needed.

    Input: the columns of the ride stream. Ids and times are never null, and times have whole
    seconds. Events come less than ten minutes of event time out of order, some of them twice: a
    repeat has the same values in all columns. No ride takes more than four hours. Some STARTs and
    some ENDs never come.

    Output: `ride_id` (bigint), `minutes` (double). It must stay as the code below gives it, row for
    row, each in the same micro-batch:
    - one row for each ride, as soon as its START and its END are both there, in whatever order;
    - none for rides without passengers, which are the driver's own ways, and none for a ride of
      which one event never comes;
    - events that come twice change nothing, and events that come so late that Spark drops them
      give nothing.

    What must become different is the state. Once the watermark is four hours past the time of an
    event, nothing may be left of that event: no row, no entry of a map or list, and no timer.

    Example: ride 1 starts at 12:00 and ends at 12:20: (1, 20.0). The watermark gets to 17:00. Now
    the state holds no trace of ride 1, nor of ride 2, which started at 12:05 and whose END is lost.
    """
    # TODO: look at what is left in state, operator by operator; change this, and the class above.
    return (
        rides.withWatermark("event_time", "10 minutes")
        .dropDuplicates(["ride_id", "is_start"])
        .filter("passenger_count > 0")
        .groupBy("ride_id")
        .transformWithState(
            Durations(), "ride_id bigint, minutes double", "append", timeMode="eventTime"
        )
    )
