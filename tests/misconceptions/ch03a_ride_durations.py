"""What learners get wrong when they pair the two events of a ride."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from datagen.geo import grid_cell
from trainer.misconceptions import NO_STATE, caught_by

OUTPUT = "ride_id bigint, driver_id bigint, start_cell int, minutes double, event_time timestamp"


def _events(rides: DataFrame) -> DataFrame:
    return rides.withColumn("start_cell", grid_cell("start_lon", "start_lat"))


def _processed(events: DataFrame, processor: StatefulProcessor) -> DataFrame:
    return events.groupBy("ride_id").transformWithState(processor, OUTPUT, "append", "none")


def _row(row: Row, minutes: float | None, event_time: datetime | None) -> Row:
    return Row(
        ride_id=row.ride_id,
        driver_id=row.driver_id,
        start_cell=row.start_cell,
        minutes=minutes,
        event_time=event_time,
    )


class _Pairs(StatefulProcessor):
    """Pairs events rightly; each misconception changes one thing about it."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.first = handle.getValueState("first", "event_time timestamp")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        for row in rows:
            yield from self.take(row)

    def take(self, row: Row) -> Iterator[Row]:
        if not self.first.exists():
            self.first.update((row.event_time,))
            return
        first = self.first.get()[0].replace(tzinfo=UTC)
        self.first.clear()
        yield self.paired(row, first)

    def paired(self, row: Row, first: datetime) -> Row:
        start, end = (row.event_time, first) if row.is_start else (first, row.event_time)
        return _row(row, self.minutes(end - start), end)

    def minutes(self, length: timedelta) -> float:
        return length / timedelta(minutes=1)


@caught_by("test_an_end_may_come_before_its_start")
def expects_the_start_first(rides: DataFrame) -> DataFrame:
    """You passed over an END whose START wasn't there yet. It may come first: keep it until the
    START comes.
    """

    class Processor(_Pairs):
        def take(self, row: Row) -> Iterator[Row]:
            if row.is_start or self.first.exists():
                yield from super().take(row)

    return _processed(_events(rides), Processor())


@caught_by("test_an_end_may_come_before_its_start", "test_the_time_is_that_of_the_end")
def takes_the_second_event_for_the_end(rides: DataFrame) -> DataFrame:
    """You took the event that *came* second for the END. `is_start` says which one it is."""

    class Processor(_Pairs):
        def paired(self, row: Row, first: datetime) -> Row:
            return _row(row, self.minutes(row.event_time - first), row.event_time)

    return _processed(_events(rides), Processor())


@caught_by("test_the_time_is_that_of_the_end")
def gives_the_time_of_the_event_that_came_last(rides: DataFrame) -> DataFrame:
    """You gave the time of whichever event came last. It has to be the END's."""

    class Processor(_Pairs):
        def paired(self, row: Row, first: datetime) -> Row:
            length = abs(row.event_time - first)
            return _row(row, self.minutes(length), row.event_time)

    return _processed(_events(rides), Processor())


KEPT = "test_nothing_is_kept_of_a_finished_ride"


@caught_by(KEPT, written="transformWithState|applyInPandasWithState")
def never_forgets(rides: DataFrame) -> DataFrame:
    """You keep the state of rides that are finished. There will always be new rides: once a ride
    has its row, clear its state.
    """

    class Processor(_Pairs):
        def take(self, row: Row) -> Iterator[Row]:
            if not self.first.exists():
                self.first.update((row.event_time,))
            else:
                yield self.paired(row, self.first.get()[0].replace(tzinfo=UTC))

    return _processed(_events(rides), Processor())


@caught_by(KEPT, written=r"join\(")
def joins_starts_with_ends(rides: DataFrame) -> DataFrame:
    """You joined STARTs with ENDs. A join can't know that a ride has no third event, so it keeps
    both; a processor of your own forgets a ride as soon as its second event is here.
    """
    starts = _events(rides.filter("is_start")).withColumnRenamed("event_time", "started")
    ends = rides.filter("NOT is_start").select("ride_id", "event_time")
    minutes = (F.unix_micros("event_time") - F.unix_micros("started")) / 60e6
    both = starts.join(ends, "ride_id").withColumn("minutes", minutes)
    return both.select("ride_id", "driver_id", "start_cell", "minutes", "event_time")


@caught_by(
    "test_a_ride_is_given_once_both_events_are_here",
    "test_a_generated_stream_agrees_with_plain_python",
    seen=NO_STATE,
)
def remembers_in_the_object(rides: DataFrame) -> DataFrame:
    """What you remember is lost with each micro-batch: Spark makes a new object for the next. Only
    what you put into a state of the handle stays.
    """

    class Processor(StatefulProcessor):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.waiting = {}

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            for row in rows:
                first = self.waiting.pop(key, None)
                if first is None:
                    self.waiting[key] = row
                    continue
                start, end = (row, first) if row.is_start else (first, row)
                length = end.event_time - start.event_time
                yield _row(row, length / timedelta(minutes=1), end.event_time)

    return _processed(_events(rides), Processor())


@caught_by("test_both_events_may_come_in_one_micro_batch")
def looks_at_one_row_a_call(rides: DataFrame) -> DataFrame:
    """You looked at the first of the rows only. Both events of a ride may come in one micro-batch,
    and then `rows` has two.
    """

    class Processor(_Pairs):
        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            yield from self.take(next(rows))

    return _processed(_events(rides), Processor())


@caught_by("test_a_row_comes_in_the_micro_batch_of_the_second_event")
def gives_a_row_for_a_ride_under_way(rides: DataFrame) -> DataFrame:
    """You gave a row when the first event came. Until the second one has come there is nothing to
    give.
    """

    class Processor(_Pairs):
        def take(self, row: Row) -> Iterator[Row]:
            known = self.first.exists()
            yield from super().take(row)
            if not known:
                yield _row(row, None, None)

    return _processed(_events(rides), Processor())


@caught_by("test_the_seconds_count")
def rounds_to_whole_minutes(rides: DataFrame) -> DataFrame:
    """You gave whole minutes. The seconds count too: 8:30 is 8.5 minutes."""

    class Processor(_Pairs):
        def minutes(self, length: timedelta) -> float:
            return float(length // timedelta(minutes=1))

    return _processed(_events(rides), Processor())


@caught_by("test_the_cell_is_that_of_the_start")
def gives_the_cell_of_the_end(rides: DataFrame) -> DataFrame:
    """You gave the cell where the ride ends. It has to be the one where it starts."""
    events = rides.withColumn("start_cell", grid_cell("end_lon", "end_lat"))
    return _processed(events, _Pairs())


@caught_by("test_a_start_off_the_grid_has_no_cell")
def drops_rides_from_elsewhere(rides: DataFrame) -> DataFrame:
    """You dropped rides without a cell. They have a row, too, with null in start_cell."""
    return _processed(_events(rides).filter(F.col("start_cell").isNotNull()), _Pairs())
