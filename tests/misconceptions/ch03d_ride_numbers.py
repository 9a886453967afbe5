"""What learners get wrong when they number rides."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from trainer.misconceptions import NO_STATE, caught_by

OUTPUT = "driver_id bigint, ride_id bigint, number bigint"


def _processed(rides: DataFrame, processor: StatefulProcessor, key: str = "driver_id") -> DataFrame:
    return rides.groupBy(key).transformWithState(processor, OUTPUT, "append", "none")


def _starts(rides: DataFrame) -> DataFrame:
    return rides.filter("is_start")


def _row(row: Row, number: int) -> Row:
    return Row(driver_id=row.driver_id, ride_id=row.ride_id, number=number)


class _Numbers(StatefulProcessor):
    """Numbers rides rightly; each misconception changes one thing about it."""

    none_yet = 0

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.count = handle.getValueState("count", "rides bigint")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        count = self.count.get()[0] if self.count.exists() else self.none_yet
        for row in self.ordered(rows):
            count += 1
            yield _row(row, count)
        self.count.update((count,))

    def ordered(self, rows: Iterator[Row]) -> list[Row]:
        return sorted(rows, key=lambda row: (row.event_time, row.ride_id))


@caught_by("test_the_next_micro_batch_goes_on", "test_a_number_that_was_given_stays", seen=NO_STATE)
def begins_anew_in_each_micro_batch(rides: DataFrame) -> DataFrame:
    """Your count begins anew in every micro-batch. Spark makes a new object each time, and what was
    in the old one is gone. What has to last goes into the state: that is what `handle` is for.
    """

    class Processor(_Numbers):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.counts = {}

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            for row in self.ordered(rows):
                self.counts[key] = self.counts.get(key, 0) + 1
                yield _row(row, self.counts[key])

    return _processed(_starts(rides), Processor())


@caught_by("test_a_first_ride_has_number_one")
def begins_at_zero(rides: DataFrame) -> DataFrame:
    """You gave the first ride number 0. Drivers count from 1: add first, then yield."""

    class Processor(_Numbers):
        none_yet = -1

    return _processed(_starts(rides), Processor())


@caught_by("test_an_end_is_not_counted", "test_every_start_has_its_row")
def counts_ends_too(rides: DataFrame) -> DataFrame:
    """You counted END events, too. A ride has two events; only its START gets a number."""
    return _processed(rides, _Numbers())


@caught_by("test_a_micro_batch_is_numbered_by_time")
def takes_rows_as_they_come(rides: DataFrame) -> DataFrame:
    """You took the rows as the iterator gave them. A shuffle keeps no order: sort them as
    the rules say.
    """

    class Processor(_Numbers):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return list(rows)

    return _processed(_starts(rides), Processor())


@caught_by("test_a_micro_batch_is_numbered_by_time")
def sorts_by_ride(rides: DataFrame) -> DataFrame:
    """You numbered a micro-batch's rides by ride_id. They go by event_time, and by the id only
    where two times are equal.
    """

    class Processor(_Numbers):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return sorted(rows, key=lambda row: row.ride_id)

    return _processed(_starts(rides), Processor())


@caught_by("test_every_start_has_its_row")
def gives_the_last_of_each_micro_batch(rides: DataFrame) -> DataFrame:
    """You gave one row for each driver and micro-batch. Every START has its row: yield inside the
    loop.
    """

    class Processor(_Numbers):
        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            yield list(super().handleInputRows(key, rows, timerValues))[-1]

    return _processed(_starts(rides), Processor())


@caught_by("test_a_micro_batch_is_numbered_by_time", "test_a_first_ride_has_number_one")
def gives_all_of_a_micro_batch_one_number(rides: DataFrame) -> DataFrame:
    """You added up a micro-batch's rides first, and gave all of them the sum. Each START has a
    number of its own: add 1 for each row, and yield it before the next.
    """

    class Processor(_Numbers):
        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            numbered = list(super().handleInputRows(key, rows, timerValues))
            for row in numbered:
                yield _row(row, numbered[-1].number)

    return _processed(_starts(rides), Processor())


@caught_by("test_a_driver_may_change_taxis")
def follows_the_taxi(rides: DataFrame) -> DataFrame:
    """You counted the rides of each taxi. Drivers change taxis; the key is `driver_id`."""
    return _processed(_starts(rides), _Numbers(), key="taxi_id")


@caught_by("test_the_state_grows_with_drivers_only")
def keeps_every_ride(rides: DataFrame) -> DataFrame:
    """You keep every ride, and count them. How many there have been is one number, and enough."""

    class Processor(_Numbers):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.rides = handle.getMapState("rides", "ride_id bigint", "number bigint")

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            count = len(list(self.rides.keys()))
            for number, row in enumerate(self.ordered(rows), count + 1):
                self.rides.updateValue((row.ride_id,), (number,))
                yield _row(row, number)

    return _processed(_starts(rides), Processor())


@caught_by("test_the_state_grows_with_drivers_only")
def keeps_a_list_of_rides(rides: DataFrame) -> DataFrame:
    """You keep a list of each driver's rides, and count it. The list grows with every ride, though
    Spark reports it as one row; how many there have been is one number, and enough.
    """

    class Processor(_Numbers):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.rides = handle.getListState("rides", "ride_id bigint")

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            known = list(self.rides.get())
            for row in self.ordered(rows):
                known.append((row.ride_id,))
                yield _row(row, len(known))
            self.rides.put(known)

    return _processed(_starts(rides), Processor())
