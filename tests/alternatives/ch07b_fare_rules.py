"""Fare rules, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

EIGHT = F.sequence(F.lit(0), F.lit(7))


class _InOrder(StatefulProcessor):
    """Replays all that belongs to a key in order: timers fire in order of time."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        row = "rows array<struct<ride_id: bigint, total: float, rule_id: bigint, active: boolean>>"
        self.later = handle.getMapState("later", "time bigint", row)
        self.limits = handle.getMapState("limits", "rule_id bigint", "over float")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            there = (
                self.later.getValue((row.time,))[0] if self.later.containsKey((row.time,)) else []
            )
            new = (row.ride_id, row.amount, row.rule_id, row.active)
            self.later.updateValue((row.time,), ([*there, new],))
            self.handle.registerTimer(row.time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        rows = self.later.getValue(time)[0]
        for _, over, rule_id, active in (row for row in rows if row[2] is not None):
            if active:
                self.limits.updateValue((rule_id,), (over,))
            elif self.limits.containsKey((rule_id,)):
                self.limits.removeKey((rule_id,))
        limits = [(rule_id, over) for (rule_id,), (over,) in self.limits.iterator()]
        for ride_id, total, _, _ in (row for row in rows if row[2] is None):
            for rule_id, over in limits:
                if total is not None and total > over:
                    yield Row(ride_id=ride_id, rule_id=rule_id)
        self.later.removeKey(time)


def _both(fares: DataFrame, rules: DataFrame, of_fares: Column, of_rules: Column) -> DataFrame:
    time = F.unix_millis("event_time").alias("time")
    paid = fares.withColumnRenamed("start_time", "event_time")
    paid = paid.withWatermark("event_time", "10 minutes")
    said = rules.withWatermark("event_time", "10 minutes")
    amount = F.col("total_fare").alias("amount")
    return paid.select(of_fares.alias("key"), "event_time", time, "ride_id", amount).unionByName(
        said.select(
            of_rules.alias("key"),
            "event_time",
            time,
            "rule_id",
            F.col("over").alias("amount"),
            "active",
        ),
        allowMissingColumns=True,
    )


def in_one_place(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Give all rows one key: right, and the work of one task."""
    both = _both(fares, rules, F.lit(0), F.lit(0))
    return both.groupBy("key").transformWithState(
        _InOrder(), "ride_id bigint, rule_id bigint", "append", "eventTime"
    )


def replicating_the_fares(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Keep each rule in one place, and send every fare to all places."""
    of_rules = F.pmod("rule_id", F.lit(8)).cast("int")
    both = _both(fares, rules, F.explode(EIGHT), of_rules)
    return both.groupBy("key").transformWithState(
        _InOrder(), "ride_id bigint, rule_id bigint", "append", "eventTime"
    )


class _InPandas(StatefulProcessor):
    """Keeps lists, and looks the rules up with pandas."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.fares = handle.getListState("fares", "time bigint, ride_id bigint, total double")
        said = "time bigint, rule_id bigint, over double, active boolean"
        self.said = handle.getListState("said", said)

    def handleInputRows(self, key, rows, timerValues) -> Iterator[pd.DataFrame]:
        for frame in rows:
            for row in frame.itertuples():
                if pd.isna(row.rule_id):
                    self.fares.appendValue((row.time, int(row.ride_id), float(row.amount)))
                else:
                    active = bool(row.active)
                    self.said.appendValue((row.time, int(row.rule_id), float(row.amount), active))
                self.handle.registerTimer(row.time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[pd.DataFrame]:
        now = expiredTimerInfo.getExpiryTimeInMs()
        said = sorted(set(self.said.get()))
        last = {row[1]: row for row in said if row[0] <= now}
        in_force = [row for row in last.values() if row[3]]
        fares = list(self.fares.get())
        found = [
            (fare[1], rule[1])
            for fare in fares
            for rule in in_force
            if fare[0] <= now and fare[2] > rule[2]
        ]
        self._put(self.fares, [fare for fare in fares if fare[0] > now])
        self._put(self.said, [*in_force, *(row for row in said if row[0] > now)])
        if found:
            yield pd.DataFrame(found, columns=["ride_id", "rule_id"])

    def _put(self, state, rows: list) -> None:
        if rows:
            state.put(rows)
        else:
            state.clear()


def in_pandas(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Spread fares by their number, over eight places, and keep lists."""
    of_fares = F.pmod("ride_id", F.lit(8)).cast("int")
    both = _both(fares, rules, of_fares, F.explode(EIGHT))
    return both.groupBy("key").transformWithStateInPandas(
        _InPandas(), "ride_id bigint, rule_id bigint", "append", "eventTime"
    )
