"""Rides and fares, joined in other ways that are right too."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import StructType

HALF_AN_HOUR = 30 * 60 * 1000
OF_THE_FARE = "payment_type", "tip", "tolls", "total_fare"


def in_sql(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Say it in SQL, with the time bound the other way round."""
    return rides.sparkSession.sql(
        """SELECT rides.*, payment_type, tip, tolls, total_fare
        FROM {fares} AS fares JOIN {rides} AS rides
          ON fares.ride_id = rides.ride_id
         AND event_time BETWEEN start_time - INTERVAL 30 MINUTES
                            AND start_time + INTERVAL 30 MINUTES
        WHERE is_start""",
        rides=rides.withWatermark("event_time", "10 minutes"),
        fares=fares.withWatermark("start_time", "10 minutes"),
    )


def with_a_processor(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Keep what waits in state of one's own, and forget it by a timer."""
    started = rides.filter("is_start").withWatermark("event_time", "10 minutes")
    paid = fares.withWatermark("start_time", "10 minutes")
    paid = paid.select("ride_id", F.col("start_time").alias("event_time"), *OF_THE_FARE)
    events = started.unionByName(paid, allowMissingColumns=True)
    of_the_fare = StructType([fares.schema[name] for name in OF_THE_FARE])
    return (
        events.filter("ride_id IS NOT NULL")
        .groupBy("ride_id")
        .transformWithState(
            _Pair(rides.schema, of_the_fare),
            StructType([*rides.schema, *of_the_fare]),
            "append",
            "eventTime",
        )
    )


class _Pair(StatefulProcessor):
    """Waits for the two halves of a ride."""

    def __init__(self, ride: StructType, paid: StructType) -> None:
        self._schemas, self._names = (ride, paid), ride.names + paid.names

    def init(self, handle: StatefulProcessorHandle) -> None:
        ride, paid = self._schemas
        self._handle = handle
        self._ride = handle.getValueState("ride", ride)
        self._paid = handle.getValueState("paid", paid)
        self._halves = {True: (self._ride, ride), False: (self._paid, paid)}

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        for row in rows:
            half, schema = self._halves[bool(row.is_start)]
            half.update(tuple(row[name] for name in schema.names))
            self._handle.registerTimer(int(row.event_time.timestamp() * 1000) + HALF_AN_HOUR)
        if self._ride.exists() and self._paid.exists():
            values = zip(self._names, (*self._ride.get(), *self._paid.get()), strict=True)
            yield Row(**dict(values))
            self._forget()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        self._forget()
        return iter(())

    def _forget(self) -> None:
        self._ride.clear()
        self._paid.clear()
        for timer in list(self._handle.listTimers()):
            self._handle.deleteTimer(timer)
