"""Upgrade: a query that runs day and night learns something new, and forgets nothing.

Drivers see on their screens what each hour brought them. The query behind that is below: version
one. It never stops, so there are always hours in its state that are still open. Now the drivers
want to see more, and you write version two. It starts from version one's checkpoint, in the middle
of everybody's hour.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


class HourTotals(StatefulProcessor):
    """Adds up the fares of one driver in one hour, and tells the sums when the hour is over."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for the sums, and for the rides that they are made of."""
        self.handle = handle
        self.sums = handle.getValueState(
            "sums", "fares bigint, total double, ride_ids array<bigint>"
        )

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Add the fares, note their rides, and set a timer for the end of the hour."""
        fares, total, ride_ids = self.sums.get() if self.sums.exists() else (0, 0.0, [])
        for row in rows:
            fares += 1
            total += row.total_fare
            ride_ids = [*ride_ids, row.ride_id]
        self.sums.update((fares, total, ride_ids))
        self.handle.registerTimer(int(key[1].timestamp() * 1000))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Tell the sums of the hour, and forget it."""
        fares, total, _ = self.sums.get()
        yield Row(window_end=key[1], driver_id=key[0], fares=fares, total=total)
        self.sums.clear()


def totals(fares: DataFrame) -> DataFrame:
    """Tell what each hour brought each driver, going on from where version one was stopped.

    Version one, the code below and above, has run for a while when it is stopped. Your version two
    is started from its checkpoint, and gets the fares that come from then on.

    Input: the columns of the fare stream. Fares come less than ten minutes of event time out of
    order, which is the watermark's delay. Only `tip` may be null; each fare comes once. A fare may
    be 0.0, and is never less.

    Output: `window_end` (timestamp), `driver_id` (bigint), `fares` (bigint), `total` (double),
    `tips` (double), `best_ride` (bigint).

    As it is now:
    - An hour goes from a full hour to the next; its first instant is in it, its end is not.
    - Each hour in which a driver has a fare must give one row, in the first micro-batch whose
      watermark is at or past the hour's end, and must then be forgotten.
    - `fares` is the number of its fares, `total` the sum of their `total_fare`. What version one
      has counted must be in both, whether more fares come after the upgrade or none.

    What must become different:
    - `tips` must be the sum of the hour's tips. A null tip adds nothing: a driver whose only tips
      are null has 0.0.
    - `best_ride` must be the `ride_id` of the hour's largest `total_fare`; of equal ones the
      smallest `ride_id`.
    - Version one has noted neither. For an hour of which it has counted a fare, `tips` and
      `best_ride` must be null, whatever comes after the upgrade: half a sum looks like a whole one.
    - Version one keeps the ids of all rides of an hour. Nobody has ever asked for them. Version two
      must not: what it keeps of an hour, whoever began it, may not grow with its fares; and once it
      has taken in a fare of an hour that version one began, the ids that are in there must be gone
      too.

    It must give the same rows where version two is stopped and goes on from its own checkpoint, and
    where there was no version one and it begins anew.

    The checkpoint was begun with `spark.sql.streaming.stateStore.encodingFormat` set to `avro`, and
    what is in it stays so. Your settings come too late to change that.

    Example: version one counts two fares of driver 1, at 12:05 (20.0) and at 12:10 (10.0), and one
    of driver 2. After the upgrade come, for driver 1, one at 12:30 (5.0, tip 1.0) and one at 13:20
    (8.0, tip 2.0, ride 9). Out come (13:00, 1, 3, 35.0, null, null) and driver 2's hour as version
    one left it, with two nulls as well; and later (14:00, 1, 1, 8.0, 2.0, 9).
    """
    # TODO: make version two of this, and of the class above. Before you change a name or a type,
    # ask yourself what in the checkpoint is found by it.
    window_end = F.date_trunc("hour", "start_time") + F.expr("INTERVAL 1 HOUR")
    timed = fares.withWatermark("start_time", "10 minutes").withColumn("window_end", window_end)
    return timed.groupBy("driver_id", "window_end").transformWithState(
        HourTotals(),
        "window_end timestamp, driver_id bigint, fares bigint, total double",
        "append",
        timeMode="eventTime",
    )
