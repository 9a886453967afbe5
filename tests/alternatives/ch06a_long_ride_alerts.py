"""Long ride alerts, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import timedelta

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

TWO_HOURS = timedelta(hours=2)
COLUMNS = "ride_id bigint, start_time timestamp"


class _InPandas(StatefulProcessor):
    """Takes the events as frames of pandas."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.times = handle.getMapState("times", "is_start boolean", "time timestamp")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        # A key's rows may come in several frames; each of them is added to what is known.
        for frame in rows:
            for is_start, time in zip(frame["is_start"], frame["event_time"], strict=True):
                self.times.updateValue((bool(is_start),), (time.to_pydatetime(),))
                due = time + TWO_HOURS if is_start else time
                self.handle.registerTimer(due.value // 1_000_000)
        times = {found[0]: time[0].replace(tzinfo=None) for found, time in self.times.iterator()}
        if len(times) == 2:
            self.times.clear()
            for timer in list(self.handle.listTimers()):
                self.handle.deleteTimer(timer)
            if times[False] - times[True] > TWO_HOURS:
                yield pd.DataFrame({"ride_id": [key[0]], "start_time": [times[True]]})

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        if self.times.containsKey((True,)):
            start = self.times.getValue((True,))[0]
            yield pd.DataFrame({"ride_id": [key[0]], "start_time": [start]})
        self.times.clear()


def in_pandas(rides: DataFrame) -> DataFrame:
    """Take frames of pandas, and keep both events in a map."""
    by_ride = rides.withWatermark("event_time", "60 seconds").groupBy("ride_id")
    return by_ride.transformWithStateInPandas(_InPandas(), COLUMNS, "append", "eventTime")


class _OneValue(StatefulProcessor):
    """Keeps one event, the one that came first."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.first = handle.getValueState("first", "is_start boolean, time timestamp")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            time = row.event_time.replace(tzinfo=None)
            if not self.first.exists():
                self.first.update((row.is_start, time))
                due = row.event_time + TWO_HOURS * row.is_start
                self.handle.registerTimer(int(due.timestamp() * 1000))
                continue
            other = self.first.get()[1]
            self.first.clear()
            # It may have fired already, in which case there is none.
            self.handle.deleteTimer(
                int((other + TWO_HOURS * (not row.is_start)).timestamp() * 1000)
            )
            start, end = (time, other) if row.is_start else (other, time)
            if end - start > TWO_HOURS:
                yield Row(ride_id=key[0], start_time=start)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        if self.first.exists():
            is_start, time = self.first.get()
            if is_start:
                yield Row(ride_id=key[0], start_time=time)
            self.first.clear()


def with_one_value(rides: DataFrame) -> DataFrame:
    """Keep the event that came first, whichever it is, with its time as a timestamp."""
    by_ride = rides.withWatermark("event_time", "60 seconds").groupBy("ride_id")
    return by_ride.transformWithState(_OneValue(), COLUMNS, "append", "eventTime")
