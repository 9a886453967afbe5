"""Early totals, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import datetime

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

COLUMNS = "window_end timestamp, driver_id bigint, total_tips double, told string, version bigint"
HOUR, QUARTER, LATENESS = 3_600_000, 900_000, 1_800_000


class _OneHour(StatefulProcessor):
    """Its key is a driver and an hour, so its state is three values; all stops have timers."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.total = handle.getValueState("total", "total double")
        self.told = handle.getValueState("told", "total double, version bigint")
        self.closed = handle.getValueState("closed", "yes boolean")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        now, end = timerValues.getCurrentWatermarkInMs(), key[1]
        if now >= end + LATENESS:
            return
        if now >= end:
            yield from self._close(key)
        if not self.total.exists():
            for stop in (end - 3 * QUARTER, end - 2 * QUARTER, end - QUARTER, end, end + LATENESS):
                if stop > now:
                    self.handle.registerTimer(stop)
        for row in sorted(rows, key=lambda row: (row.ms, row.ride_id)):
            before = self.total.get()[0] if self.total.exists() else 0.0
            self.total.update((before + (row.tip or 0.0),))
            if now >= end:
                self.closed.update((True,))
                yield from self._tell(key, "late")

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        now = timerValues.getCurrentWatermarkInMs()
        if not self.total.exists():
            return
        yield from self._close(key) if now >= key[1] else self._tell(key, "early")
        if now >= key[1] + LATENESS:
            for state in (self.total, self.told, self.closed):
                state.clear()

    def _close(self, key) -> Iterator[Row]:
        if self.total.exists() and not self.closed.exists():
            self.closed.update((True,))
            yield from self._tell(key, "on time")

    def _tell(self, key, how) -> Iterator[Row]:
        total = self.total.get()[0]
        last, version = self.told.get() if self.told.exists() else (None, 0)
        if how == "on time" or last != total:
            self.told.update((total, version + 1))
            end = datetime.fromtimestamp(key[1] / 1000)
            yield Row(
                window_end=end, driver_id=key[0], total_tips=total, told=how, version=version + 1
            )


def by_hour(fares: DataFrame) -> DataFrame:
    """Group by driver and hour, so that no map is needed."""
    timed = fares.withWatermark("start_time", "60 seconds").select(
        "driver_id", "ride_id", "tip", F.unix_millis("start_time").alias("ms")
    )
    hours = timed.withColumn("end", F.expr("ms - ms % 3600000 + 3600000"))
    return hours.groupBy("driver_id", "end").transformWithState(
        _OneHour(), COLUMNS, "append", "eventTime"
    )


class _InPandas(StatefulProcessor):
    """Keeps every fare of an hour, and adds them up whenever there is something to tell."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        hour = "tips array<double>, told double, version bigint, next bigint"
        self.hours = handle.getMapState("hours", "end bigint", hour)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        now = timerValues.getCurrentWatermarkInMs()
        frame = pd.concat(list(rows)).sort_values(["ms", "ride_id"])
        for ms, tip in zip(frame["ms"], frame["tip"].fillna(0.0), strict=True):
            end = int(ms) // HOUR * HOUR + HOUR
            if now >= end + LATENESS:
                continue
            if now >= end:
                yield from self._on_time(key, end)
            hour = self.hours.getValue((end,)) if self.hours.containsKey((end,)) else None
            tips, told, version, after = hour or ([], None, 0, self._next(end, now))
            self.hours.updateValue((end,), ([*tips, float(tip)], told, version, after))
            self.handle.registerTimer(after)
            self.handle.registerTimer(end + LATENESS)
            if now >= end:
                yield from self._tell(key, end, "late")

    def _next(self, end: int, now: int) -> int:
        stops = [end - 3 * QUARTER, end - 2 * QUARTER, end - QUARTER, end, end + LATENESS]
        return next(stop for stop in stops if stop > now)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        now = timerValues.getCurrentWatermarkInMs()
        for (end,) in [tuple(end) for end in self.hours.keys()]:  # noqa: SIM118
            tips, told, version, after = self.hours.getValue((end,))
            if now >= end:
                yield from self._on_time(key, end)
            elif now >= after:
                self.hours.updateValue((end,), (tips, told, version, self._next(end, now)))
                self.handle.registerTimer(self._next(end, now))
                yield from self._tell(key, end, "early")
            if now >= end + LATENESS:
                self.hours.removeKey((end,))

    def _on_time(self, key, end: int) -> Iterator[pd.DataFrame]:
        if self.hours.containsKey((end,)):
            tips, told, version, after = self.hours.getValue((end,))
            if after <= end:
                self.hours.updateValue((end,), (tips, told, version, end + LATENESS))
                yield from self._tell(key, end, "on time")

    def _tell(self, key, end: int, how: str) -> Iterator[pd.DataFrame]:
        tips, told, version, after = self.hours.getValue((end,))
        if how == "on time" or sum(tips) != told:
            self.hours.updateValue((end,), (tips, float(sum(tips)), version + 1, after))
            row = (pd.Timestamp(end, unit="ms"), key[0], float(sum(tips)), how, version + 1)
            names = ["window_end", "driver_id", "total_tips", "told", "version"]
            yield pd.DataFrame([row], columns=names)


def in_pandas(fares: DataFrame) -> DataFrame:
    """Take frames of pandas; the processor never sees the column that the watermark is on."""
    timed = fares.withWatermark("start_time", "1 minute").select(
        "driver_id", "ride_id", "tip", F.unix_millis("start_time").alias("ms")
    )
    return timed.groupBy("driver_id").transformWithStateInPandas(
        _InPandas(), COLUMNS, "append", "eventTime"
    )
