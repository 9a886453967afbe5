"""The last five: with every fare, what its driver's last five tips were on average."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

HINTS = (
    """
    It is two jobs in one processor, by driver. The first is the sorter of chapter 5: fares wait
    until the watermark has reached them. The second takes them in that order and looks back. For
    the next fare it needs four tips, and never more.
    """,
    """
    Keep a map from a time to the fares of that time, and set a timer for each time. The timers of
    a key go off in their order. When one does, sort the fares of its time by `ride_id`, take them
    out of the map, and go through them one by one: each gives a row, and each becomes one of the
    last four.
    """,
    """
    In `init`, the fares that wait and the tips to look back on:
    ```
    fares = "fares array<struct<start_time: timestamp, …>>"
    self.waiting = handle.getMapState("waiting", "time bigint", fares)
    self.last = handle.getListState("last", "tip double")
    ```
    In `handleExpiredTimer`, for each fare that is due:
    ```
    five = [*(kept for (kept,) in self.last.get()), tip]
    self.last.put([(kept,) for kept in five[-4:]])
    ```
    A tip that is null keeps its place in `five`; leave it out when you calculate the average.
    """,
)

FARE = "struct<start_time: timestamp, ride_id: bigint, tip: double>"


class LastFive(StatefulProcessor):
    """Lets a driver's fares wait for the watermark, and remembers the last four that went out."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make a place for what waits, by time, and one for the tips to look back on."""
        self.handle = handle
        self.waiting = handle.getMapState("waiting", "time bigint", f"fares array<{FARE}>")
        self.last = handle.getListState("last", "tip double")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Put each fare under its time, and ask to be called at that time."""
        for row in rows:
            time = (int(row.start_time.timestamp() * 1000),)
            there = self.waiting.getValue(time)[0] if self.waiting.containsKey(time) else []
            fare = (row.start_time, row.ride_id, row.tip)
            self.waiting.updateValue(time, ([*there, fare],))
            self.handle.registerTimer(*time)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo) -> Iterator[Row]:
        """Give the fares of a time that the watermark has reached, each with its average."""
        time = (expiredTimerInfo.getExpiryTimeInMs(),)
        due = sorted(self.waiting.getValue(time)[0], key=lambda fare: (fare[0], fare[1]))
        self.waiting.removeKey(time)
        last = [tip for (tip,) in self.last.get()]
        for start_time, ride_id, tip in due:
            five = [*last, tip]
            yield Row(
                ride_id=ride_id,
                driver_id=key[0],
                start_time=start_time,
                average_tip=average(five),
            )
            # The fifth of these will not be looked at again: the next fare is a fifth itself.
            last = five[-4:]
        self.last.put([(tip,) for tip in last])


def average(tips: list[float | None]) -> float | None:
    """Give the average of the tips that are known, if there are any."""
    known = [tip for tip in tips if tip is not None]
    return sum(known) / len(known) if known else None


def average_tips(fares: DataFrame) -> DataFrame:
    """Give, for every fare, the average tip of its driver's last five fares, this one included."""
    return (
        fares.withWatermark("start_time", "10 minutes")
        .groupBy("driver_id")
        .transformWithState(
            statefulProcessor=LastFive(),
            outputStructType="ride_id bigint, driver_id bigint, start_time timestamp, "
            "average_tip double",
            outputMode="append",
            timeMode="eventTime",
        )
    )
