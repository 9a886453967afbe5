"""Phantom rides: three very short rides of one driver in a row are an alert."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    Draw the machine first: what does it have to know when the next event comes? Whether a ride is
    under way, and which; and the short rides in a row so far: none, one or two. That is all that is
    in state, besides the events that wait for the watermark.
    """,
    """
    Let events wait as in chapter 5: in a map by their time, with a timer for each time. The timers
    of a key go off in their order, so the machine gets one event after the other:

    - a START while a ride is under way: that one has lost its END. Forget the row so far.
    - the END of the ride under way: short, or long? A long one clears the row, a short one joins
      it, and those that began more than half an hour before this END leave it.
    - any other END: nothing.

    With three in the row: an alert, and an empty row. What forgets a row that nobody goes on with?
    """,
    """
    A START sets three timers, an END only the first of them:
    ```
    self.handle.registerTimer(time)
    self.handle.registerTimer(time + MINUTE)
    self.handle.registerTimer(time + HALF_HOUR)
    ```
    The second finds a ride that is under way for a minute, which is a longer one; the third a short
    ride that is too old. With the short rides as pairs of `ride_id` and START, an END takes those
    that began half an hour ago or later:
    ```
    row = [short for short in self.row.get() if now - short[1] <= HALF_HOUR]
    ```
    When the event of this instant is through, nobody can need one that began *exactly* half an hour
    ago any more, and no later timer comes for it:
    ```
    young = [short for short in self.row.get() if now - short[1] < HALF_HOUR]
    ```
    """,
)

MINUTE, HALF_HOUR = 60 * 1000, 30 * 60 * 1000


class PhantomRides(StatefulProcessor):
    """Takes a driver's events in order, and knows how many short rides in a row there were."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for events that wait, for the ride under way, and for the short ones."""
        self.handle = handle
        events = "events array<struct<ride_id: bigint, is_start: boolean>>"
        self.waiting = handle.getMapState("waiting", "time bigint", events)
        self.under_way = handle.getValueState("under_way", "ride_id bigint, start bigint")
        self.row = handle.getListState("row", "ride_id bigint, start bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put each event under its time, and set the timers that it will ever need."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            there = self.waiting.getValue((time,))[0] if self.waiting.containsKey((time,)) else []
            self.waiting.updateValue((time,), ([*there, (row.ride_id, row.is_start)],))
            self.handle.registerTimer(time)
            if row.is_start:
                # By then a ride is a long one, and by then a short one is too old.
                self.handle.registerTimer(time + MINUTE)
                self.handle.registerTimer(time + HALF_HOUR)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Hand the events of this time to the machine, then forget what is too old."""
        now = expiredTimerInfo.getExpiryTimeInMs()
        if self.waiting.containsKey((now,)):
            for ride_id, is_start in self.waiting.getValue((now,))[0]:
                yield from self.begin(ride_id, now) if is_start else self.finish(key, ride_id, now)
            self.waiting.removeKey((now,))
        self.forget(now)

    def begin(self, ride_id: int, now: int) -> Iterator[Row]:
        """Take a START: of a ride that is still under way then, the END is lost."""
        if self.under_way.exists():
            self.row.clear()
        self.under_way.update((ride_id, now))
        return iter(())

    def finish(self, key: tuple, ride_id: int, now: int) -> Iterator[Row]:
        """Take an END: a long ride clears the row, a short one joins it, and three are an alert."""
        if not self.under_way.exists() or self.under_way.get()[0] != ride_id:
            return
        _, start = self.under_way.get()
        self.under_way.clear()
        if now - start >= MINUTE:
            self.row.clear()
            return
        row = [short for short in self.row.get() if now - short[1] <= HALF_HOUR]
        row.append((ride_id, start))
        if len(row) < 3:
            self.row.put(row)
            return
        # No ride may be in two alerts, so the next row begins behind this one.
        self.row.clear()
        first, second, third = (short[0] for short in row)
        end = datetime.fromtimestamp(now / 1000, UTC)
        yield Row(
            driver_id=key[0], first_ride=first, second_ride=second, third_ride=third, event_time=end
        )

    def forget(self, now: int) -> None:
        """Take a ride of a minute for a long one, and let go of short ones too old for an alert."""
        if self.under_way.exists() and now - self.under_way.get()[1] >= MINUTE:
            self.under_way.clear()
            self.row.clear()
        young = [short for short in self.row.get() if now - short[1] < HALF_HOUR]
        self.row.put(young) if young else self.row.clear()


def alerts(rides: DataFrame) -> DataFrame:
    """Report three rides of one driver in a row, each under a minute, all within half an hour."""
    return (
        rides.withWatermark("event_time", "10 minutes")
        .groupBy("driver_id")
        .transformWithState(
            statefulProcessor=PhantomRides(),
            outputStructType="driver_id bigint, first_ride bigint, second_ride bigint, "
            "third_ride bigint, event_time timestamp",
            outputMode="append",
            timeMode="eventTime",
        )
    )
