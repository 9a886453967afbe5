"""Fare rules: flag fares by rules that hold for all, and change while the query runs."""

from collections import defaultdict
from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    State has a key, always. A rule that holds for all drivers has none, so whatever key you give
    it, it lies there and nowhere else. So use keys that you know by name: decide on a few *shards*,
    give each fare one of them (the driver's number modulo how many there are, say), and send every
    rule to *all*.
    """,
    """
    A column with a number for each shard, exploded, makes a row for each:
    ```
    F.explode(F.sequence(F.lit(0), F.lit(SHARDS - 1))).alias("shard")
    ```
    On the fares' side it is the rest of a division:
    ```
    F.pmod("driver_id", F.lit(SHARDS)).cast("int").alias("shard")
    ```
    The numbers on both sides have to be the same ones. Replicate one stream only: with fares and
    rules in every shard, each flag comes once a shard. Each stream has its watermark before the
    union.
    """,
    """
    Within a shard every row, fare or rule, waits under its time and has a timer. Timers that are
    due go off in order of time, so the day is replayed in order, whatever came first. Then one map
    of the limits in force is all that you need:
    ```
    self.limits = handle.getMapState("limits", "rule_id bigint", "over float")
    ```
    At each time first let its rules change the limits, a withdrawal by removing one; then judge its
    fares by them, and remove the time.
    """,
)

# So many tasks can share the fares. Each rule is kept as often.
SHARDS = 4
WAITING = "ride_id bigint, total_fare float, rule_id bigint, over float, active boolean"


class Replay(StatefulProcessor):
    """Lets all rows of a shard wait for the watermark, and goes through them in order of time."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open two maps: what waits, by time, and the limits in force, by rule."""
        self.handle = handle
        self.waiting = handle.getMapState(
            "waiting", "time bigint", f"rows array<struct<{WAITING}>>"
        )
        self.limits = handle.getMapState("limits", "rule_id bigint", "over float")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put each row under its time, and ask to be called at that time."""
        by_time = defaultdict(list)
        for row in rows:
            columns = row.ride_id, row.total_fare, row.rule_id, row.over, row.active
            by_time[int(row.event_time.timestamp()) * 1000].append(columns)
        for time, new in by_time.items():
            known = self.waiting.containsKey((time,))
            there = self.waiting.getValue((time,))[0] if known else []
            self.waiting.updateValue((time,), ([*there, *new],))
            self.handle.registerTimer(time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Let the rules of this time change the limits, then judge its fares by them."""
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        rows = self.waiting.getValue(time)[0]
        self.waiting.removeKey(time)
        for _, _, rule_id, over, active in rows:
            if active:
                self.limits.updateValue((rule_id,), (over,))
            elif rule_id is not None:
                self.limits.removeKey((rule_id,))
        paid = [(ride_id, total) for ride_id, total, *_ in rows if total is not None]
        limits = [(rule_id, over) for (rule_id,), (over,) in self.limits.iterator()] if paid else []
        for ride_id, total in paid:
            for rule_id, over in limits:
                if total > over:
                    yield Row(ride_id=ride_id, rule_id=rule_id)


def flag(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Flag each fare once for each rule that it breaks, by the rules in force when it began."""
    paid = fares.withColumnRenamed("start_time", "event_time").select(
        F.pmod("driver_id", F.lit(SHARDS)).cast("int").alias("shard"),
        "event_time",
        "ride_id",
        "total_fare",
    )
    every_shard = F.explode(F.sequence(F.lit(0), F.lit(SHARDS - 1))).alias("shard")
    said = rules.select(every_shard, "event_time", "rule_id", "over", "active")
    # A watermark each, and only then the union: the one that is behind rules.
    both = paid.withWatermark("event_time", "10 minutes").unionByName(
        said.withWatermark("event_time", "10 minutes"), allowMissingColumns=True
    )
    return both.groupBy("shard").transformWithState(
        statefulProcessor=Replay(),
        outputStructType="ride_id bigint, rule_id bigint",
        outputMode="append",
        timeMode="eventTime",
    )
