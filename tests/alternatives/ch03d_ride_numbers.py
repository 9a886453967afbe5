"""Ride numbers, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.state import GroupState

OUTPUT = "driver_id bigint, ride_id bigint, number bigint"


class _Map(StatefulProcessor):
    """Sees ENDs as well, and leaves them out by itself; keeps the count in a map of one entry."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.counts = handle.getMapState("counts", "what string", "rides bigint")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        starts = sorted((row.event_time, row.ride_id) for row in rows if row.is_start)
        if starts:
            before = self.counts.getValue(("rides",))
            first = before[0] + 1 if before else 1
            self.counts.updateValue(("rides",), (first + len(starts) - 1,))
            for number, (_, ride_id) in enumerate(starts, first):
                yield Row(driver_id=key[0], ride_id=ride_id, number=number)


def with_a_map(rides: DataFrame) -> DataFrame:
    """Leave the ENDs out in the processor."""
    return rides.groupBy("driver_id").transformWithState(_Map(), OUTPUT, "append", "none")


def with_the_older_interface(rides: DataFrame) -> DataFrame:
    """Use applyInPandasWithState, which has one state for each key."""

    def number(
        key: tuple, frames: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        frame = pd.concat(frames).sort_values(["event_time", "ride_id"])
        before = state.get[0] if state.exists else 0
        frame["number"] = range(before + 1, before + len(frame) + 1)
        state.update((before + len(frame),))
        yield frame[["driver_id", "ride_id", "number"]]

    starts = rides.filter(F.col("is_start")).groupBy("driver_id")
    return starts.applyInPandasWithState(number, OUTPUT, "rides bigint", "append", "NoTimeout")
