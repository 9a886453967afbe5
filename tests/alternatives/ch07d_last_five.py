"""The last five, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

COLUMNS = "ride_id bigint, driver_id bigint, start_time timestamp, average_tip double"


class _OneValue(StatefulProcessor):
    """Keeps all there is of a driver in one value, and goes by the watermark."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        fare = "struct<time: bigint, ride_id: bigint, tip: double>"
        self.handle = handle
        self.fares = handle.getValueState(
            "fares", f"waiting array<{fare}>, last array<struct<tip: double>>"
        )

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        waiting, last = self._there()
        waiting += [(row.ms, row.ride_id, row.tip) for row in rows]
        return self._release(key, waiting, last, timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        return self._release(key, *self._there(), timerValues)

    def _there(self) -> tuple[list, list]:
        waiting, last = self.fares.get() if self.fares.exists() else ([], [])
        return [*map(tuple, waiting)], [*map(tuple, last)]

    def _release(self, key, waiting, last, timerValues) -> Iterator[Row]:
        waiting.sort(key=lambda fare: fare[:2])
        while waiting and waiting[0][0] <= timerValues.getCurrentWatermarkInMs():
            ms, ride_id, tip = waiting.pop(0)
            last = [*last, (tip,)][-5:]
            known = [tip for (tip,) in last if tip is not None]
            yield Row(
                ride_id=ride_id,
                driver_id=key[0],
                start_time=datetime.fromtimestamp(ms / 1000, UTC),
                average_tip=sum(known) / len(known) if known else None,
            )
        self.fares.update((waiting, last))
        if waiting:
            self.handle.registerTimer(waiting[0][0])


def with_one_value(fares: DataFrame) -> DataFrame:
    """Keep what waits and what went out in one value, with a timer for the first that waits."""
    timed = fares.withWatermark("start_time", "10 minutes")
    timed = timed.withColumn("ms", F.unix_millis("start_time")).groupBy("driver_id")
    return timed.transformWithState(_OneValue(), COLUMNS, "append", "eventTime")


class _InPandas(StatefulProcessor):
    """Lets pandas sort, and roll over the last five."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        fare = "start_time timestamp, ride_id bigint, tip double"
        self.waiting = handle.getListState("waiting", fare)
        self.last = handle.getListState("last", fare)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for time, ride_id, tip in zip(
                frame["start_time"], frame["ride_id"], frame["tip"], strict=True
            ):
                tip = None if pd.isna(tip) else float(tip)
                self.waiting.appendValue((time.to_pydatetime(), int(ride_id), tip))
                self.handle.registerTimer(time.value // 1_000_000)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        until = datetime.fromtimestamp(expiredTimerInfo.getExpiryTimeInMs() / 1000, UTC)
        there = sorted(self.waiting.get(), key=lambda fare: (fare[0], fare[1]))
        due = [fare for fare in there if fare[0].replace(tzinfo=UTC) <= until]
        before = [*self.last.get()]
        names = ["start_time", "ride_id", "tip"]
        both = pd.DataFrame([*map(tuple, before + due)], columns=names)
        both["average_tip"] = both["tip"].astype(float).rolling(5, min_periods=1).mean()
        self.last.put([tuple(fare) for fare in (before + due)[-5:]])
        self.waiting.clear()
        if there[len(due) :]:
            self.waiting.put([tuple(fare) for fare in there[len(due) :]])
        out = both.iloc[len(before) :].assign(driver_id=key[0])
        yield out[["ride_id", "driver_id", "start_time", "average_tip"]]


def in_pandas(fares: DataFrame) -> DataFrame:
    """Take frames of pandas, and let `rolling` calculate."""
    drivers = fares.withWatermark("start_time", "10 minutes").groupBy("driver_id")
    return drivers.transformWithStateInPandas(_InPandas(), COLUMNS, "append", "eventTime")
