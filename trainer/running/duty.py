"""The query whose state is read in exercise 8c: which drivers are on duty, and since when."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HOUR = 60 * 60 * 1000
CHANGES = "driver_id bigint, on_duty boolean, since timestamp"


class Duty(StatefulProcessor):
    """A driver is on duty from his first event until he has sent none for an hour."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for what a driver is, and one for his latest event."""
        self.handle = handle
        self.duty = handle.getValueState("duty", "on_duty boolean, since bigint")
        self.latest = handle.getValueState("latest", "ride_id bigint, time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put a driver on duty with his first event, and wait an hour from his latest one."""
        events = sorted((_milliseconds(row.event_time), row.ride_id) for row in rows)
        if not self.duty.exists() or not self.duty.get()[0]:
            yield self._change(key, True, events[0][0])
        time, ride_id = events[-1]
        if not self.latest.exists() or self.latest.get()[1] <= time:
            self.latest.update((ride_id, time))
            self._wait_until(time + HOUR)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Put a driver off duty, or forget him twelve hours after his latest event."""
        if self.duty.get()[0]:
            _, time = self.latest.get()
            yield self._change(key, False, time)
            self._wait_until(time + 12 * HOUR)
        else:
            self.duty.clear()
            self.latest.clear()

    def _change(self, key: tuple, on_duty: bool, since: int) -> Row:
        self.duty.update((on_duty, since))
        moment = datetime.fromtimestamp(since / 1000, UTC)
        return Row(driver_id=key[0], on_duty=on_duty, since=moment)

    def _wait_until(self, time: int) -> None:
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        self.handle.registerTimer(time)


def duty(rides: DataFrame) -> DataFrame:
    """Tell of each driver who comes on duty, and of each who goes off."""
    drivers = rides.withWatermark("event_time", "10 minutes").groupBy("driver_id")
    return drivers.transformWithState(Duty(), CHANGES, "update", timeMode="eventTime")


def _milliseconds(time: datetime) -> int:
    return int(time.timestamp() * 1000)
