"""Driver shifts, written in other ways that are right too."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


def in_sql(rides: DataFrame) -> DataFrame:
    """Say it in SQL."""
    rides = rides.withWatermark("event_time", "10 minutes")
    return rides.sparkSession.sql(
        """SELECT driver_id, min(event_time) AS shift_start, max(event_time) AS shift_end,
                  count(*) FILTER (WHERE is_start) AS rides
        FROM {rides} GROUP BY session_window(event_time, '1 hour'), driver_id""",
        rides=rides,
    )


def with_arithmetic(rides: DataFrame) -> DataFrame:
    """Take the gap off the window's end, and add up ones and zeros."""
    shifts = rides.withWatermark("event_time", "10 minutes")
    shifts = shifts.groupBy("driver_id", F.session_window("event_time", "60 minutes").alias("w"))
    shifts = shifts.agg(F.sum(F.col("is_start").cast("bigint")).alias("rides"))
    end = F.col("w.end") - F.expr("INTERVAL 1 HOUR")
    return shifts.select(
        "driver_id", F.col("w.start").alias("shift_start"), end.alias("shift_end"), "rides"
    )


_HOUR_MS = 3_600_000


class _Shifts(StatefulProcessor):
    """Session windows by hand: a list of shifts a driver, each with a timer for its end."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._shifts = handle.getListState("shifts", "start bigint, end bigint, rides bigint")

    def handleInputRows(self, key: tuple, rows: Iterator, timerValues: object) -> Iterator[Row]:
        merged: list[tuple[int, int, int]] = []
        events = [(row["ms"], row["ms"], int(row["is_start"])) for row in rows]
        for start, end, rides in sorted([*map(tuple, self._shifts.get()), *events]):
            if merged and start - merged[-1][1] <= _HOUR_MS:
                before = merged.pop()
                start, end, rides = before[0], max(before[1], end), before[2] + rides
            merged.append((start, end, rides))
        self._shifts.put(merged)
        for _, end, _ in merged:
            self._handle.registerTimer(end + _HOUR_MS)
        yield from ()

    def handleExpiredTimer(
        self, key: tuple, timerValues: object, expiredTimerInfo: object
    ) -> Iterator[Row]:
        now = expiredTimerInfo.getExpiryTimeInMs()
        shifts = [tuple(shift) for shift in self._shifts.get()]
        still_open = [shift for shift in shifts if shift[1] + _HOUR_MS > now]
        if still_open:
            self._shifts.put(still_open)
        else:
            self._shifts.clear()
        for start, end, rides in shifts:
            if end + _HOUR_MS <= now:
                start, end = (datetime.fromtimestamp(ms / 1000, UTC) for ms in (start, end))
                yield Row(driver_id=key[0], shift_start=start, shift_end=end, rides=rides)


def by_hand(rides: DataFrame) -> DataFrame:
    """Merge shifts in list state, and give each out when its timer fires."""
    events = rides.withWatermark("event_time", "10 minutes")
    events = events.withColumn("ms", F.unix_millis("event_time"))
    return events.groupBy("driver_id").transformWithState(
        _Shifts(),
        "driver_id bigint, shift_start timestamp, shift_end timestamp, rides bigint",
        "append",
        "eventTime",
    )
