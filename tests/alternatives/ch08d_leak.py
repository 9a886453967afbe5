"""The leak, stopped in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

OUTPUT = "ride_id bigint, minutes double"
FOUR_HOURS = 4 * 60 * 60 * 1000


class _ByTimersAlone(StatefulProcessor):
    """Keeps a ride until its timer goes off, whether it is through or not."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.start = handle.getValueState("start", "time bigint")
        self.end = handle.getValueState("end", "time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        was_through = self.start.exists() and self.end.exists()
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            (self.start if row.is_start else self.end).update((time,))
            self.handle.registerTimer(time + FOUR_HOURS)
        if self.start.exists() and self.end.exists() and not was_through:
            yield Row(ride_id=key[0], minutes=(self.end.get()[0] - self.start.get()[0]) / 60_000)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        time = expiredTimerInfo.getExpiryTimeInMs() - FOUR_HOURS
        for state in (self.start, self.end):
            if state.exists() and state.get()[0] == time:
                state.clear()
        return iter(())


def one_place_less(rides: DataFrame) -> DataFrame:
    """Let the processor know a repeat by itself, as long as repeats can come."""
    return (
        rides.withWatermark("event_time", "10 minutes")
        .filter("passenger_count > 0")
        .groupBy("ride_id")
        .transformWithState(_ByTimersAlone(), OUTPUT, "append", timeMode="eventTime")
    )


class _InPandas(StatefulProcessor):
    """Keeps the one event that came first, and looks for the other."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.first = handle.getListState("first", "is_start boolean, time bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        came = list(self.first.get())
        for frame in rows:
            pairs = zip(frame["is_start"], frame["event_time"], strict=True)
            came += [(bool(is_start), time.value // 1_000_000) for is_start, time in pairs]
        times = dict(came)
        if len(times) == 2:
            minutes = (times[False] - times[True]) / 60_000
            yield pd.DataFrame({"ride_id": [key[0]], "minutes": [minutes]})
            self.first.clear()
        elif times:
            self.first.put(came)
            self.handle.registerTimer(came[0][1] + FOUR_HOURS)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        self.first.clear()
        return iter(())


def within_the_watermark(rides: DataFrame) -> DataFrame:
    """Know a repeat for as long as the watermark's delay, and pair the events in pandas."""
    return (
        rides.withWatermark("event_time", "10 minutes")
        .dropDuplicatesWithinWatermark(["ride_id", "is_start"])
        .filter("passenger_count > 0")
        .groupBy("ride_id")
        .transformWithStateInPandas(_InPandas(), OUTPUT, "append", "eventTime")
    )
