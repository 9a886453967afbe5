"""Longest rides, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.state import GroupState

OUTPUT = "start_cell int, ride_id bigint, minutes double"


def _records(rows: Iterator[pd.DataFrame], longest: float) -> pd.DataFrame:
    """Give the rides longer than all before them, among the frames' and this one."""
    frame = pd.concat(rows).sort_values(["event_time", "ride_id"])
    before = frame["minutes"].cummax().shift(fill_value=longest).clip(lower=longest)
    return frame.loc[frame["minutes"] > before, ["start_cell", "ride_id", "minutes"]]


class _InPandas(StatefulProcessor):
    def init(self, handle: StatefulProcessorHandle) -> None:
        self.longest = handle.getValueState("longest", "minutes double")

    def handleInputRows(
        self, key: tuple, rows: Iterator[pd.DataFrame], timerValues: object
    ) -> Iterator[pd.DataFrame]:
        records = _records(rows, self.longest.get()[0] if self.longest.exists() else -1.0)
        if len(records):
            self.longest.update((float(records["minutes"].iloc[-1]),))
            yield records


def in_pandas(durations: DataFrame) -> DataFrame:
    """Find the records of a frame with a running maximum."""
    grouped = durations.groupBy("start_cell")
    return grouped.transformWithStateInPandas(_InPandas(), OUTPUT, "append", "none")


def with_the_older_interface(durations: DataFrame) -> DataFrame:
    """Use applyInPandasWithState, which has one state for each key."""

    def compare(
        key: tuple, frames: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        records = _records(frames, state.get[0] if state.exists else -1.0)
        if len(records):
            state.update((float(records["minutes"].iloc[-1]),))
            yield records

    grouped = durations.groupBy("start_cell")
    return grouped.applyInPandasWithState(compare, OUTPUT, "minutes double", "append", "NoTimeout")


class _Holder(StatefulProcessor):
    """Remembers which ride holds the record, too."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.holder = handle.getMapState("holder", "what string", "ride_id bigint, minutes double")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        for row in sorted(rows, key=lambda row: (row.event_time, row.ride_id)):
            holder = self.holder.getValue(("longest",))
            if holder is None or row.minutes > holder[1]:
                self.holder.updateValue(("longest",), (row.ride_id, row.minutes))
                yield Row(start_cell=key[0], ride_id=row.ride_id, minutes=row.minutes)


def with_a_map(durations: DataFrame) -> DataFrame:
    """Keep the record and who holds it in a map."""
    grouped = durations.groupBy("start_cell")
    return grouped.transformWithState(_Holder(), OUTPUT, "append", "none")
