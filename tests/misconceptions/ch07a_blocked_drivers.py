"""What learners get wrong when one stream says what holds for the other."""

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import caught_by, other_delay

OUTPUT = "ride_id bigint, driver_id bigint, event_time bigint"


class Gate(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Open two maps by time."""
        self.handle = handle
        self.waiting = handle.getMapState("waiting", "time bigint", "rides array<bigint>")
        self.changes = handle.getMapState("changes", "time bigint", "blocked boolean")

    def handleInputRows(self, key, rows, timerValues):
        """Put each row under its time, and set a timer."""
        for row in rows:
            time = int(row.event_time.timestamp()) * 1000
            if row.blocked is None:
                self.wait(time, row.ride_id)
            else:
                self.note(time, row.blocked)
            self.handle.registerTimer(time)
        return iter(())

    def wait(self, time, ride_id):
        """Put a ride among those of its time."""
        there = self.waiting.getValue((time,))[0] if self.waiting.containsKey((time,)) else []
        self.waiting.updateValue((time,), ([*there, ride_id],))

    def note(self, time, blocked):
        """Note what holds from a time on; of two, the one that blocks."""
        there = self.changes.containsKey((time,)) and self.changes.getValue((time,))[0]
        self.changes.updateValue((time,), (there or blocked,))

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Judge the rides of this time, and forget what is no longer asked for."""
        time = expiredTimerInfo.getExpiryTimeInMs()
        blocked = self.is_blocked(time)
        if self.waiting.containsKey((time,)):
            for ride_id in self.waiting.getValue((time,))[0] if not blocked else ():
                yield Row(ride_id=ride_id, driver_id=key[0], event_time=time)
            self.leave(time, blocked)
        self.forget(time)

    def is_blocked(self, time):
        """Look for the last word at or before a time."""
        said = sorted(t for (t,), _ in self.changes.iterator() if t <= time)
        return bool(said) and self.changes.getValue((said[-1],))[0]

    def leave(self, time, blocked):
        """Let rides that were judged leave the state."""
        self.waiting.removeKey((time,))

    def forget(self, time):
        """Keep the last word."""
        for old in sorted(t for (t,), _ in self.changes.iterator() if t <= time)[:-1]:
            self.changes.removeKey((old,))


def _tag(rides: DataFrame, blocks: DataFrame) -> tuple[DataFrame, DataFrame]:
    nothing = F.lit(None).cast("boolean").alias("blocked")
    rides = rides.select("driver_id", "event_time", "ride_id", nothing)
    number = F.lit(None).cast("bigint").alias("ride_id")
    return rides, blocks.select("driver_id", "event_time", number, "blocked")


def _process(both: DataFrame, processor: StatefulProcessor, mode: str = "eventTime") -> DataFrame:
    passed = both.groupBy("driver_id").transformWithState(processor, OUTPUT, "append", mode)
    return passed.withColumn("event_time", F.timestamp_millis("event_time"))


def _pass(rides: DataFrame, blocks: DataFrame, processor: StatefulProcessor) -> DataFrame:
    timed = [each.withWatermark("event_time", "10 minutes") for each in _tag(rides, blocks)]
    return _process(timed[0].union(timed[1]), processor)


@caught_by(
    "test_a_start_of_a_blocked_driver_is_kept_back",
    "test_nothing_goes_out_before_both_streams_have_begun",
    not_written="registerTimer",
)
def judges_in_the_order_of_arrival(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You judged each START when it came, by what the office had said until then.

    The office is slow. A block of 12:10 may come hours after the START of 12:15 that it forbids, so
    let the START wait until the watermark says that all about its time has come.
    """

    class Processor(StatefulProcessor):
        def init(self, handle):
            self.blocked = handle.getValueState("blocked", "yes boolean")

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                if row.blocked is not None:
                    self.blocked.update((row.blocked,))
                elif not (self.blocked.exists() and self.blocked.get()[0]):
                    time = int(row.event_time.timestamp()) * 1000
                    yield Row(ride_id=row.ride_id, driver_id=key[0], event_time=time)

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by(
    "test_a_start_of_a_blocked_driver_is_kept_back",
    "test_nothing_goes_out_before_both_streams_have_begun",
    written=r"sorted\(rows",
    not_written="registerTimer",
)
def sorts_each_micro_batch(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You sorted the rows of each micro-batch, and judged each START by the rows before it.

    That helps where both come in one micro-batch. The block may come in a later one: the START has
    to wait until the watermark says that nothing about its time can come any more.
    """

    class Processor(StatefulProcessor):
        def init(self, handle):
            self.blocked = handle.getValueState("blocked", "yes boolean")

        def handleInputRows(self, key, rows, timerValues):
            for row in sorted(rows, key=lambda row: (row.event_time, not row.blocked)):
                if row.blocked is not None:
                    self.blocked.update((row.blocked,))
                elif not (self.blocked.exists() and self.blocked.get()[0]):
                    time = int(row.event_time.timestamp()) * 1000
                    yield Row(ride_id=row.ride_id, driver_id=key[0], event_time=time)

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_all_goes_by_the_time_of_the_start")
def asks_what_holds_now(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """When a START's time had come, you asked what the office said last. Ask what it said last *at
    or before that time*: a later block doesn't forbid an earlier ride."""

    class Processor(Gate):
        def is_blocked(self, time):
            said = sorted(self.changes.iterator())
            return bool(said) and said[-1][1][0]

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_nothing_goes_out_before_both_streams_have_begun")
def sets_one_watermark_after_the_union(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You set one watermark after the union, and the cars, hours ahead, move it for both streams.

    Then the office's rows are late, and dropped without a word. Give each stream its own watermark
    before the union.
    """
    both = _tag(rides.filter("is_start"), blocks)
    return _process(both[0].union(both[1]).withWatermark("event_time", "10 minutes"), Gate())


@caught_by("test_nothing_goes_out_before_both_streams_have_begun", written="withWatermark")
def sets_a_watermark_on_the_rides_only(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Only the rides have a watermark. They are hours ahead, and nothing waits for the office.

    Give the control rows one of their own, before the union: the stream that is behind must hold
    the clock.
    """
    rides, blocks = _tag(rides.filter("is_start"), blocks)
    return _process(rides.withWatermark("event_time", "10 minutes").union(blocks), Gate())


@caught_by("test_the_stream_that_is_behind_holds_the_watermark", written="withWatermark")
def sets_a_watermark_on_the_blocks_only(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Only the control rows have a watermark. When it is the cars that are behind, nothing waits
    for them.

    Give the rides one of their own, before the union: the stream that is behind must hold the
    clock.
    """
    rides, blocks = _tag(rides.filter("is_start"), blocks)
    return _process(blocks.withWatermark("event_time", "10 minutes").unionByName(rides), Gate())


@caught_by("test_a_driver_is_free_at_the_very_instant", "test_a_block_holds_until_it_is_lifted")
def never_lifts_a_block(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You kept back every START after a driver's first block. An unblock sets him free again."""
    return _pass(rides.filter("is_start"), blocks.filter("blocked"), Gate())


@caught_by("test_a_block_holds_at_its_very_instant")
def leaves_the_instant_out(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You let a START through at the very time of its driver's block. A control row holds from its
    time on, that instant included: `<=`, not `<`."""

    class Processor(Gate):
        def is_blocked(self, time):
            return super().is_blocked(time - 1)

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_of_two_at_one_time_the_block_counts")
def takes_what_comes_last(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Of two control rows of one time you took the one that came last. Spark doesn't say in which
    order rows come; the rule does: the one that blocks counts."""

    class Processor(Gate):
        def note(self, time, blocked):
            self.changes.updateValue((time,), (blocked,))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_a_block_holds_until_it_is_lifted")
def forgets_the_last_word(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You forgot every control row once the watermark had passed it. The last one holds until the
    next comes: keep it."""

    class Processor(Gate):
        def forget(self, time):
            for old in [t for (t,), _ in self.changes.iterator() if t <= time]:
                self.changes.removeKey((old,))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_all_goes_by_the_time_of_the_start")
def keeps_one_word_for_a_driver(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You kept only a driver's newest control row. A START that still waits may be older than that,
    and then the one before it counts. Forget a control row when the watermark has passed the next.
    """

    class Processor(Gate):
        def note(self, time, blocked):
            super().note(time, blocked)
            for old in sorted(t for (t,), _ in self.changes.iterator())[:-1]:
                self.changes.removeKey((old,))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_no_start_stays_in_state")
def keeps_all_that_was_said(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You keep all control rows for ever. Once the watermark has passed one, nobody asks what held
    before it: of those, keep the last."""

    class Processor(Gate):
        def forget(self, time):
            return

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_no_start_stays_in_state")
def keeps_rides_that_went_out(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You keep in state the STARTs that have gone out. They won't go again: remove them."""

    class Processor(Gate):
        def leave(self, time, blocked):
            if blocked:
                self.waiting.removeKey((time,))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_no_start_stays_in_state")
def keeps_rides_that_were_kept_back(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You keep in state the STARTs of blocked drivers. They never go out: remove them as well."""

    class Processor(Gate):
        def leave(self, time, blocked):
            if not blocked:
                self.waiting.removeKey((time,))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_a_start_of_a_blocked_driver_is_kept_back")
def lets_them_go_when_the_driver_is_free(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You let a blocked driver's STARTs wait, and sent them out when he was free again. A ride that
    was forbidden when it began stays forbidden."""

    class Processor(Gate):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            time = expiredTimerInfo.getExpiryTimeInMs()
            if not self.is_blocked(time):
                for (since,), (rides,) in sorted(self.waiting.iterator()):
                    if since <= time:
                        for ride_id in rides:
                            yield Row(ride_id=ride_id, driver_id=key[0], event_time=since)
                        self.waiting.removeKey((since,))
            self.forget(time)

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_a_driver_of_whom_nothing_was_said_is_free")
def keeps_one_ride_for_each_time(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Of two STARTs of one driver that have the same time you kept only one: the second took its
    place in the map. Keep a list of them under each time."""

    class Processor(Gate):
        def wait(self, time, ride_id):
            self.waiting.updateValue((time,), ([ride_id],))

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_a_driver_of_whom_nothing_was_said_is_free")
def knows_only_drivers_who_were_named(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You let nobody through of whom the office has never said anything. Before the first control
    row a driver is not blocked."""

    class Processor(Gate):
        def is_blocked(self, time):
            said = any(t <= time for (t,), _ in self.changes.iterator())
            return super().is_blocked(time) if said else True

    return _pass(rides.filter("is_start"), blocks, Processor())


@caught_by("test_an_end_does_not_go_out")
def lets_ends_through(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You let ENDs through. It is STARTs that are asked for."""
    return _pass(rides, blocks, Gate())


@caught_by("test_nothing_goes_out_before_both_streams_have_begun", written="processingTime")
def runs_in_processing_time(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You judged each START as soon as it came: with `processingTime` its time is long past.

    There a timer is compared with the clock on the wall, and all of 2020 is past. With `eventTime`
    it is compared with the watermark.
    """
    rides, blocks = _tag(rides.filter("is_start"), blocks)
    timed = [each.withWatermark("event_time", "10 minutes") for each in (rides, blocks)]
    return _process(timed[0].union(timed[1]), Gate(), "processingTime")


@caught_by("test_a_driver_is_free_at_the_very_instant")
def joins_and_keeps_the_lonely(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """You looked for a START that has no block before it. That a block was lifted again, a join
    can't say: what counts is the *last* row before the START, and it takes state to know it."""
    starts = rides.filter("is_start").withWatermark("event_time", "10 minutes").alias("r")
    said = blocks.filter("blocked").withWatermark("event_time", "10 minutes").alias("b")
    before = """r.driver_id = b.driver_id AND b.event_time <= r.event_time
        AND b.event_time > r.event_time - INTERVAL 1 HOUR"""
    joined = starts.join(said, F.expr(before), "left_outer")
    alone = joined.filter(F.col("b.driver_id").isNull())
    return alone.select("r.ride_id", "r.driver_id", "r.event_time")


OTHER_DELAY = other_delay("10 minutes")


@caught_by("test_each_goes_out_in_its_own_time", written=OTHER_DELAY, seen=OTHER_DELAY)
def waits_for_another_time(rides: DataFrame, blocks: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the ten minutes of the rules, so STARTs go out at another
    time."""
    timed = [
        each.withWatermark("event_time", "1 minute")
        for each in _tag(rides.filter("is_start"), blocks)
    ]
    return _process(timed[0].union(timed[1]), Gate())
