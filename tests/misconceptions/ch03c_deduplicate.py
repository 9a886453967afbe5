"""What learners get wrong when they drop repeated events."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from trainer.misconceptions import SHORTER_DELAY, caught_by


@caught_by(
    "test_the_state_shrinks_again",
    not_written=r"WithinWatermark|processingTime|ttl|\.clear\(",
    seen=r"drop_?duplicates\(|transformWithState",
)
def never_forgets(rides: DataFrame) -> DataFrame:
    """You remember every event for ever. With `dropDuplicates` a watermark alone doesn't change
    that: Spark forgets only where a time is among what is compared. `dropDuplicatesWithinWatermark`
    forgets what the watermark has left behind."""
    return rides.withWatermark("event_time", "30 minutes").dropDuplicates(["ride_id", "is_start"])


@caught_by(
    "test_a_repeat_with_another_time_is_dropped",
    "test_a_repeat_of_twenty_minutes_later_is_dropped",
)
def compares_the_time_as_well(rides: DataFrame) -> DataFrame:
    """You compared the event_time as well. A repeat may carry another one."""
    on_time = rides.withWatermark("event_time", "30 minutes")
    return on_time.dropDuplicates(["ride_id", "is_start", "event_time"])


@caught_by("test_a_repeat_with_another_time_is_dropped")
def compares_all_columns(rides: DataFrame) -> DataFrame:
    """You compared all columns. Two events are the same if their ride_id and is_start are; a repeat
    may differ in the rest.
    """
    return rides.withWatermark("event_time", "30 minutes").dropDuplicatesWithinWatermark()


@caught_by("test_start_and_end_are_two_events", "test_each_event_comes_out_at_once")
def takes_the_end_for_a_repeat(rides: DataFrame) -> DataFrame:
    """You compared the ride_id alone, and so dropped each ride's END. is_start belongs to the key,
    too.
    """
    on_time = rides.withWatermark("event_time", "30 minutes")
    return on_time.dropDuplicatesWithinWatermark(["ride_id"])


@caught_by(
    "test_a_repeat_of_twenty_minutes_later_is_dropped",
    written="WithinWatermark",
    seen=r"withWatermark\('\w+', '1[0-4] minutes'",
)
def covers_the_disorder_only(rides: DataFrame) -> DataFrame:
    """You forget too soon. A repeat may carry a time of twenty minutes later, and come ten minutes
    out of order on top of that: the delay has to cover both.
    """
    on_time = rides.withWatermark("event_time", "10 minutes")
    return on_time.dropDuplicatesWithinWatermark(["ride_id", "is_start"])


@caught_by("test_an_event_out_of_order_is_kept", seen=SHORTER_DELAY)
def waits_for_nobody(rides: DataFrame) -> DataFrame:
    """Your delay is too short: events that came out of order were dropped as late, though nobody
    had seen them before.
    """
    on_time = rides.withWatermark("event_time", "0 seconds")
    return on_time.dropDuplicatesWithinWatermark(["ride_id", "is_start"])


class _Once(StatefulProcessor):
    def __init__(self, live_ms: int | None = None) -> None:
        self.live_ms = live_ms

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.seen = handle.getValueState("seen", "seen boolean", self.live_ms)

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        if not self.seen.exists():
            self.seen.update((True,))
            yield next(rows)


@caught_by("test_the_state_shrinks_again", written="processingTime")
def lets_state_live_by_the_clock(rides: DataFrame) -> DataFrame:
    """You forget by the clock on the wall. A replay goes through two days in a second, so it has to
    be event time that decides.
    """
    events = rides.groupBy("ride_id", "is_start")
    half_an_hour = _Once(live_ms=30 * 60 * 1000)
    return events.transformWithState(half_an_hour, rides.schema, "append", "processingTime")


@caught_by("test_a_repeat_in_a_later_micro_batch_is_dropped")
def looks_within_one_micro_batch(rides: DataFrame) -> DataFrame:
    """You looked for repeats within one micro-batch only. It takes state to remember from one to
    the next.
    """

    class Processor(_Once):
        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            yield next(rows)

    events = rides.groupBy("ride_id", "is_start")
    return events.transformWithState(Processor(), rides.schema, "append", "none")


@caught_by("test_a_repeat_in_the_same_micro_batch_is_dropped")
def lets_a_micro_batch_through(rides: DataFrame) -> DataFrame:
    """You asked the state once, then let every row through. Two of them may be the same event."""

    class Processor(_Once):
        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            if not self.seen.exists():
                self.seen.update((True,))
                yield from rows

    events = rides.groupBy("ride_id", "is_start")
    return events.transformWithState(Processor(), rides.schema, "append", "none")
