"""Phantom rides, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

COLUMNS = (
    "driver_id bigint, first_ride bigint, second_ride bigint, third_ride bigint, "
    "event_time timestamp"
)
MINUTE, HALF_HOUR = 60_000, 1_800_000


class _History(StatefulProcessor):
    """Keeps the last half hour of a driver's events, and reads it anew each time."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.events = handle.getListState("events", "ms bigint, ride_id bigint, is_start boolean")
        # Up to which time all was told.
        self.told = handle.getValueState("told", "ms bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        self.events.appendList([(row.ms, row.ride_id, row.is_start) for row in rows])
        return self._read(key, timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        return self._read(key, timerValues)

    def _read(self, key, timerValues) -> Iterator[Row]:
        watermark = timerValues.getCurrentWatermarkInMs()
        events = sorted(map(tuple, self.events.get()))
        ends = {ride_id: ms for ms, ride_id, is_start in events if not is_start}
        told = self.told.get()[0] if self.told.exists() else 0
        row = []
        for start, ride_id, _ in filter(lambda event: event[2], events):
            stop = ends.get(ride_id, start + MINUTE)
            if start <= told:
                continue
            # If another comes behind one that is under way, the END of that one is lost.
            is_short = stop <= watermark and stop - start < MINUTE
            row = [*row, (ride_id, start)] if is_short else []
            row = [short for short in row if stop - short[1] <= HALF_HOUR]
            if len(row) == 3:
                columns = dict(zip(_NAMES, (key[0], *(short[0] for short in row)), strict=True))
                yield Row(**columns, event_time=datetime.fromtimestamp(stop / 1000, UTC))
                told, row = stop, []
        self._keep(events, told, watermark)

    def _keep(self, events, told, watermark) -> None:
        young = [event for event in events if event[0] > watermark - HALF_HOUR]
        self.told.update((told,)) if young else self.told.clear()
        self.events.put(young) if young else self.events.clear()
        for ms, _, _ in young:
            self.handle.registerTimer(ms if ms > watermark else ms + HALF_HOUR)


_NAMES = ("driver_id", "first_ride", "second_ride", "third_ride")


def with_a_history(rides: DataFrame) -> DataFrame:
    """Keep half an hour of events, and look for the pattern in it whenever time has moved."""
    timed = rides.withWatermark("event_time", "10 minutes")
    timed = timed.withColumn("ms", F.unix_millis("event_time")).groupBy("driver_id")
    return timed.transformWithState(_History(), COLUMNS, "append", "eventTime")


class _InPandas(StatefulProcessor):
    """A machine with one value: what it knows, as a tuple of ids and times."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.waiting = handle.getListState("waiting", "time timestamp, id bigint, start boolean")
        ride = "struct<id: bigint, start: timestamp>"
        self.machine = handle.getValueState("machine", f"rides array<{ride}>, open boolean")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for time, ride_id, is_start in zip(
                frame["event_time"], frame["ride_id"], frame["is_start"], strict=True
            ):
                self.waiting.appendValue((time.to_pydatetime(), int(ride_id), bool(is_start)))
                for more in (0, MINUTE, HALF_HOUR) if is_start else (0,):
                    self.handle.registerTimer(time.value // 1_000_000 + more)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        now = datetime(1970, 1, 1) + timedelta(milliseconds=expiredTimerInfo.getExpiryTimeInMs())
        there = sorted(tuple(event) for event in self.waiting.get())
        rides, open_ = self.machine.get() if self.machine.exists() else ([], False)
        rides = [tuple(ride) for ride in rides]
        for time, ride_id, is_start in [event for event in there if event[0] <= now]:
            if is_start:
                rides, open_ = [*([] if open_ else rides), (ride_id, time)], True
            elif open_ and rides[-1][0] == ride_id:
                open_ = False
                rides = rides if time - rides[-1][1] < timedelta(minutes=1) else []
                rides = [ride for ride in rides if time - ride[1] <= timedelta(minutes=30)]
                if len(rides) == 3:
                    ids = zip(_NAMES, (key[0], *(ride[0] for ride in rides)), strict=True)
                    yield pd.DataFrame([dict(ids) | {"event_time": time}])
                    rides = []
        if open_ and now - rides[-1][1] >= timedelta(minutes=1):
            rides, open_ = [], False
        rides = [ride for ride in rides if now - ride[1] < timedelta(minutes=30)]
        self.machine.update((rides, open_)) if rides else self.machine.clear()
        rest = [event for event in there if event[0] > now]
        self.waiting.put(rest) if rest else self.waiting.clear()


def in_pandas(rides: DataFrame) -> DataFrame:
    """Take frames of pandas, and keep the machine in one value."""
    drivers = rides.withWatermark("event_time", "10 minutes").groupBy("driver_id")
    return drivers.transformWithStateInPandas(_InPandas(), COLUMNS, "append", "eventTime")
