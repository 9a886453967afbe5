"""What learners get wrong when they look for the longest rides."""

from collections.abc import Iterator

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from trainer.misconceptions import NO_STATE, caught_by

OUTPUT = "start_cell int, ride_id bigint, minutes double"


def _processed(
    durations: DataFrame, processor: StatefulProcessor, key: str = "start_cell"
) -> DataFrame:
    return durations.groupBy(key).transformWithState(processor, OUTPUT, "append", "none")


def _row(row: Row) -> Row:
    return Row(start_cell=row.start_cell, ride_id=row.ride_id, minutes=row.minutes)


class _Records(StatefulProcessor):
    """Finds records rightly; each misconception changes one thing about it."""

    shortest = -1.0

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.longest = handle.getValueState("longest", "minutes double")

    def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
        longest = self.longest.get()[0] if self.longest.exists() else self.shortest
        for row in self.ordered(rows):
            if self.is_longer(row.minutes, longest):
                longest = row.minutes
                yield _row(row)
        self.longest.update((longest,))

    def ordered(self, rows: Iterator[Row]) -> list[Row]:
        return sorted(rows, key=lambda row: (row.event_time, row.ride_id))

    def is_longer(self, minutes: float, longest: float) -> bool:
        return minutes > longest


@caught_by("test_every_record_of_a_micro_batch_is_given")
def gives_the_longest_of_each_micro_batch(durations: DataFrame) -> DataFrame:
    """You gave only the longest ride of each micro-batch. Every ride that broke the record has its
    row.
    """

    class Processor(_Records):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return [max(super().ordered(rows), key=lambda row: row.minutes)]

    return _processed(durations, Processor())


@caught_by("test_an_equal_ride_is_no_record")
def takes_equal_for_longer(durations: DataFrame) -> DataFrame:
    """You announced rides as long as the record. Only a longer one breaks it: `>`, not `>=`."""

    class Processor(_Records):
        def is_longer(self, minutes: float, longest: float) -> bool:
            return minutes >= longest

    return _processed(durations, Processor())


@caught_by("test_a_first_ride_counts_even_of_no_time")
def begins_at_zero(durations: DataFrame) -> DataFrame:
    """You began with a record of 0 minutes. Before its first ride a cell has no record, so the
    first ride counts, even one of 0 minutes.
    """

    class Processor(_Records):
        shortest = 0.0

    return _processed(durations, Processor())


@caught_by("test_every_record_of_a_micro_batch_is_given", "test_a_micro_batch_is_looked_at_by_time")
def sorts_by_ride(durations: DataFrame) -> DataFrame:
    """You took the rides of a micro-batch by ride_id. Time comes first; the ride_id decides only
    between rides of the same time.
    """

    class Processor(_Records):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return sorted(rows, key=lambda row: row.ride_id)

    return _processed(durations, Processor())


@caught_by(
    "test_every_record_of_a_micro_batch_is_given",
    "test_at_the_same_time_the_lower_ride_id_comes_first",
)
def takes_rows_as_they_come(durations: DataFrame) -> DataFrame:
    """You took the rows as the iterator gave them. They come in no order you can count on: sort
    them, by time and then by ride_id.
    """

    class Processor(_Records):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return list(rows)

    return _processed(durations, Processor())


@caught_by("test_at_the_same_time_the_lower_ride_id_comes_first")
def breaks_ties_by_length(durations: DataFrame) -> DataFrame:
    """You took rides of the same time by their length. The lower ride_id comes first."""

    class Processor(_Records):
        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            return sorted(rows, key=lambda row: (row.event_time, row.minutes))

    return _processed(durations, Processor())


@caught_by("test_each_cell_has_its_own_record", "test_a_first_ride_counts_even_of_no_time")
def keeps_a_record_for_each_driver(durations: DataFrame) -> DataFrame:
    """You kept a record for each driver. The screen wants one for each start_cell."""
    return _processed(durations, _Records(), key="driver_id")


@caught_by(
    "test_an_equal_ride_is_no_record", "test_records_outlast_their_micro_batch", seen=NO_STATE
)
def remembers_in_the_object(durations: DataFrame) -> DataFrame:
    """What you remember is lost with each micro-batch: Spark makes a new object for the next. Only
    what you put into a state of the handle stays.
    """

    class Processor(_Records):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.longest = {}

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            for row in self.ordered(rows):
                if row.minutes > self.longest.get(key, -1.0):
                    self.longest[key] = row.minutes
                    yield _row(row)

    return _processed(durations, Processor())


@caught_by("test_the_state_grows_with_cells_only", written="getMapState")
def keeps_every_ride(durations: DataFrame) -> DataFrame:
    """You keep every ride, to compare the next with them all. The minutes of the longest are
    enough.
    """

    class Processor(_Records):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.rides = handle.getMapState("rides", "ride_id bigint", "minutes double")

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            seen = [minutes for (minutes,) in self.rides.values()]
            for row in self.ordered(rows):
                if row.minutes > max(seen, default=-1.0):
                    yield _row(row)
                seen.append(row.minutes)
                self.rides.updateValue((row.ride_id,), (row.minutes,))

    return _processed(durations, Processor())


@caught_by("test_the_state_grows_with_cells_only", written="getListState")
def keeps_a_list_of_rides(durations: DataFrame) -> DataFrame:
    """You keep every ride, to compare the next with them all. The minutes of the longest are
    enough.
    """

    class Processor(_Records):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.rides = handle.getListState("rides", "minutes double")

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            seen = [minutes for (minutes,) in self.rides.get()]
            for row in self.ordered(rows):
                if row.minutes > max(seen, default=-1.0):
                    yield _row(row)
                seen.append(row.minutes)
                self.rides.appendValue((row.minutes,))

    return _processed(durations, Processor())


@caught_by("test_the_state_grows_with_cells_only", written="array<")
def keeps_an_array_of_rides(durations: DataFrame) -> DataFrame:
    """You keep every ride, to compare the next with them all. The minutes of the longest are
    enough.
    """

    class Processor(_Records):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self.rides = handle.getValueState("rides", "minutes array<double>")

        def handleInputRows(self, key: tuple, rows: Iterator[Row], timerValues: object) -> Iterator:
            seen = list(self.rides.get()[0]) if self.rides.exists() else []
            for row in self.ordered(rows):
                if row.minutes > max(seen, default=-1.0):
                    yield _row(row)
                seen.append(row.minutes)
            self.rides.update((seen,))

    return _processed(durations, Processor())


@caught_by("test_a_later_micro_batch_counts_as_later")
def ignores_what_comes_late(durations: DataFrame) -> DataFrame:
    """You passed over a ride that is older than those before. Whatever comes counts, however old it
    is.
    """

    class Processor(_Records):
        def init(self, handle: StatefulProcessorHandle) -> None:
            super().init(handle)
            self.newest = handle.getValueState("newest", "seconds double")

        def ordered(self, rows: Iterator[Row]) -> list[Row]:
            newest = self.newest.get()[0] if self.newest.exists() else 0.0
            new = [row for row in super().ordered(rows) if row.event_time.timestamp() >= newest]
            self.newest.update((max([newest, *(row.event_time.timestamp() for row in new)]),))
            return new

    return _processed(durations, Processor())
