"""Deduplication, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout

HOUR_MS = 60 * 60 * 1000


class _Once(StatefulProcessor):
    """Remembers an event until a timer an hour past its time fires."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.seen = handle.getValueState("seen", "seen boolean")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        if not self.seen.exists():
            row = next(rows)
            self.seen.update((True,))
            self.handle.registerTimer(int(row.event_time.timestamp() * 1000) + HOUR_MS)
            yield row

    def handleExpiredTimer(
        self, key: tuple, timerValues: object, expiredTimerInfo: object
    ) -> Iterator:
        self.seen.clear()
        return iter(())


def with_a_timer(rides: DataFrame) -> DataFrame:
    """Remember and forget in a processor."""
    events = rides.withWatermark("event_time", "10 minutes").groupBy("ride_id", "is_start")
    return events.transformWithState(_Once(), rides.schema, "append", "eventTime")


def with_the_older_interface(rides: DataFrame) -> DataFrame:
    """Use applyInPandasWithState and its time-out."""

    def once(
        key: tuple, frames: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        if state.hasTimedOut:
            state.remove()
        elif not state.exists:
            first = next(frames).head(1)
            state.update((True,))
            state.setTimeoutTimestamp(int(first["event_time"].iloc[0].timestamp() * 1000) + HOUR_MS)
            yield first

    events = rides.withWatermark("event_time", "10 minutes").groupBy("ride_id", "is_start")
    forgets = GroupStateTimeout.EventTimeTimeout
    return events.applyInPandasWithState(once, rides.schema, "seen boolean", "append", forgets)


def with_a_longer_memory(rides: DataFrame) -> DataFrame:
    """Remember for longer than it takes."""
    on_time = rides.withWatermark("event_time", "2 hours")
    return on_time.dropDuplicatesWithinWatermark(["is_start", "ride_id"])
