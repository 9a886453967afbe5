"""The upgrade, made in other ways that are right too."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

OUTPUT = (
    "window_end timestamp, driver_id bigint, fares bigint, total double, tips double, "
    "best_ride bigint"
)


class _BesideIt(StatefulProcessor):
    """Leaves version one's value as it was, with all its fields, and keeps what is new beside it.

    That is what every encoding allows.
    """

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        kept = "fares bigint, total double, ride_ids array<bigint>"
        self.sums = handle.getValueState("sums", kept)
        self.news = handle.getValueState("news", "tips double, ride_id bigint, total double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        rows = list(rows)
        best = max(rows, key=lambda row: (row.total_fare, -row.ride_id))
        tips, best = sum(row.tip or 0.0 for row in rows), (best.total_fare, best.ride_id)
        fares, total = 0, 0.0
        if self.sums.exists():
            fares, total, _ = self.sums.get()
        if self.news.exists():
            before, ride_id, largest = self.news.get()
            tips += before
            best = max(best, (largest, ride_id), key=lambda each: (each[0], -each[1]))
        # Sums without news are version one's.
        if fares == 0 or self.news.exists():
            self.news.update((tips, best[1], best[0]))
        total += sum(row.total_fare for row in rows)
        self.sums.update((fares + len(rows), total, []))
        self.handle.registerTimer(int(key[1].timestamp() * 1000))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        fares, total, _ = self.sums.get()
        tips, best_ride, _ = self.news.get() if self.news.exists() else (None, None, None)
        yield Row(
            window_end=key[1],
            driver_id=key[0],
            fares=fares,
            total=total,
            tips=tips,
            best_ride=best_ride,
        )
        self.sums.clear()
        self.news.clear()


class _InOneValue(StatefulProcessor):
    """Keeps everything in the one value, whose fields stand in another order than before."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.sums = handle.getValueState(
            "sums", "tips double, best_ride bigint, largest double, total double, fares bigint"
        )

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        known = self.sums.get() if self.sums.exists() else (0.0, None, -1.0, 0.0, 0)
        tips, best_ride, largest, total, fares = known
        for row in sorted(rows, key=lambda row: row.ride_id):
            fares, total = fares + 1, total + row.total_fare
            if tips is None:
                continue
            tips += row.tip or 0.0
            is_first = row.total_fare == largest and row.ride_id < best_ride
            if row.total_fare > largest or is_first:
                best_ride, largest = row.ride_id, row.total_fare
        self.sums.update((tips, best_ride, largest, total, fares))
        self.handle.registerTimer(int(key[1].timestamp() * 1000))
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        tips, best_ride, _, total, fares = self.sums.get()
        yield Row(
            window_end=key[1],
            driver_id=key[0],
            fares=fares,
            total=total,
            tips=tips,
            best_ride=best_ride,
        )
        self.sums.clear()


def _by_hour(fares: DataFrame, processor: StatefulProcessor) -> DataFrame:
    window_end = F.date_trunc("hour", "start_time") + F.expr("INTERVAL 1 HOUR")
    timed = fares.withWatermark("start_time", "10 minutes").withColumn("window_end", window_end)
    by_hour = timed.groupBy("driver_id", "window_end")
    return by_hour.transformWithState(processor, OUTPUT, "append", timeMode="eventTime")


def news_beside_the_sums(fares: DataFrame) -> DataFrame:
    """Change nothing of what version one keeps, and keep what is new in a variable of its own."""
    return _by_hour(fares, _BesideIt())


def all_in_one_value(fares: DataFrame) -> DataFrame:
    """Let the fields come and go, and add no variable."""
    return _by_hour(fares, _InOneValue())
