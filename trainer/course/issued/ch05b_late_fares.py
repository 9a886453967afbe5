"""Late fares: the totals of each hour, and the fares that came too late for them.

The office wants the tips of each hour as soon as the hour is complete. Some taxis were out of reach
for hours; their fares come long after the total of their hour. The total stays as it is, but the
money is real: each fare that was not counted goes to the clerk who settles it by hand. Not one may
be missing from the clerk's list, and none may be paid twice.
"""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor


class LateFares(StatefulProcessor):
    """The first half: a processor that can remember one watermark, and doesn't yet use it."""

    def init(self, handle) -> None:
        """Make a place for the watermark that is remembered."""
        self.handle = handle
        self.memory = handle.getValueState("memory", "watermark bigint")

    def remembered(self) -> int:
        """Give the watermark that was remembered last, in milliseconds; 0 if none was."""
        return self.memory.get()[0] if self.memory.exists() else 0

    def remember(self, watermark: int) -> None:
        """Remember this watermark in place of the one before."""
        self.memory.update((watermark,))

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Give those fares of this micro-batch that came too late."""
        # TODO: compare each row with the watermark that is remembered; then remember this one,
        # timerValues.getCurrentWatermarkInMs(). Who calls you if the next micro-batch is empty?
        raise NotImplementedError

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Do what has to be done when the watermark has moved."""
        # TODO: this runs in a micro-batch without fares, too, if you set a timer for it.
        raise NotImplementedError


def totals_and_late(fares: DataFrame) -> dict[str, DataFrame]:
    """Add up the tips of each hour, and give every fare that came too late to be counted.

    Input: the columns of the fare stream. `start_time` and `tip` are never null.

    Output: a dict of two DataFrames.
    - "totals": window_end, total_tips (double): for each full hour of start_time that has fares,
      its end and the sum of its tips; each hour once, when it is complete.
    - "late": all columns of the fare stream, in the same order, unchanged.

    The rules:
    - The watermark's delay is ten minutes, for both.
    - An hour is complete in the first micro-batch whose watermark is at or past its end.
    - A fare is late if the end of its hour is at or before the watermark of the micro-batch before
      its own. That is how Spark's windows decide which fares to drop. The first micro-batch has
      no watermark before it, so nothing in it is late.
    - Every fare must be either in the total of its hour or in "late": none lost, none in both. A
      late fare that comes twice must be in "late" twice.

    Example: the first micro-batch brings a fare of 13:10, the next, whose watermark is 13:00, one
    of 12:50: it is counted, and the hour that ends at 13:00 comes out. In the micro-batch after
    that a fare of 12:55 is late.
    """
    # TODO: make the totals with a window of one hour. For the late ones cut start_time loose from
    # its watermark, group by a column that is the same for all, and use the processor above.
    raise NotImplementedError
