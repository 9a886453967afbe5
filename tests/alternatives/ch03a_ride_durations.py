"""Ride durations, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.state import GroupState

from datagen.geo import grid_cell

OUTPUT = "ride_id bigint, driver_id bigint, start_cell int, minutes double, event_time timestamp"


class _InPandas(StatefulProcessor):
    """Remembers the first event as a number of microseconds."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.first = handle.getValueState("first", "micros bigint")

    def handleInputRows(
        self, key: tuple, rows: Iterator[pd.DataFrame], timerValues: object
    ) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for row in frame.itertuples(index=False):
                if not self.first.exists():
                    self.first.update((row.micros,))
                    continue
                ends = sorted((row.micros, *self.first.get()))
                self.first.clear()
                yield _one_ride(key, row, *ends)


def _one_ride(key: tuple, row: tuple, start: int, end: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "ride_id": [key[0]],
            "driver_id": pd.array([row.driver_id], dtype="Int64"),
            "start_cell": pd.array([row.start_cell], dtype="Int32"),
            "minutes": [(end - start) / 60e6],
            "event_time": [pd.Timestamp(end, unit="us")],
        }
    )


def _with_micros(rides: DataFrame) -> DataFrame:
    return rides.select(
        "ride_id",
        "driver_id",
        "is_start",
        F.unix_micros("event_time").alias("micros"),
        grid_cell("start_lon", "start_lat").alias("start_cell"),
    )


def in_pandas(rides: DataFrame) -> DataFrame:
    """Process frames of pandas; a START is never after its END."""
    grouped = _with_micros(rides).groupBy("ride_id")
    return grouped.transformWithStateInPandas(_InPandas(), OUTPUT, "append", "none")


def with_the_older_interface(rides: DataFrame) -> DataFrame:
    """Use applyInPandasWithState, which has one state for each key."""

    def pair(
        key: tuple, frames: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        for frame in frames:
            for row in frame.itertuples(index=False):
                if not state.exists:
                    state.update((int(row.micros),))
                    continue
                ends = sorted((row.micros, *state.get))
                state.remove()
                yield _one_ride(key, row, *ends)

    grouped = _with_micros(rides).groupBy("ride_id")
    return grouped.applyInPandasWithState(pair, OUTPUT, "micros bigint", "append", "NoTimeout")


class _InAMap(StatefulProcessor):
    """Remembers events by their kind, and leaves all arithmetic to Spark."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.seen = handle.getMapState("seen", "is_start boolean", "event_time timestamp")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        for row in rows:
            self.seen.updateValue((row.is_start,), (row.event_time,))
            times = {kind[0]: time[0] for kind, time in self.seen.iterator()}
            if len(times) == 2:
                self.seen.clear()
                yield Row(
                    ride_id=row.ride_id,
                    driver_id=row.driver_id,
                    start_cell=row.start_cell,
                    started=times[True],
                    event_time=times[False],
                )


def with_a_map_and_columns(rides: DataFrame) -> DataFrame:
    """Pair the times in a processor, and subtract them in a column."""
    events = rides.withColumn("start_cell", grid_cell("start_lon", "start_lat"))
    pairs = events.groupBy("ride_id").transformWithState(
        _InAMap(),
        "ride_id bigint, driver_id bigint, start_cell int, started timestamp, event_time timestamp",
        "append",
        "none",
    )
    micros = F.unix_micros("event_time") - F.unix_micros("started")
    return pairs.select(
        "ride_id", "driver_id", "start_cell", (micros / 60e6).alias("minutes"), "event_time"
    )
