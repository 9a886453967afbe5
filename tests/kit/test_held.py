"""What state really holds in the end: elements, entries and timers, not the rows Spark counts."""

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from tests.kit.results import result
from trainer.checking.difference import compare
from trainer.checking.fingerprint import of_outcome
from trainer.display.tables import of_difference
from trainer.rows import end, ride
from trainer.running.held import Held
from trainer.scenario import run

MINUTE = 60_000
# Two rides, of two events and of one; the second micro-batch comes after a restart.
SCRIPT = [[ride(1), ride(2)], [end(1, at="12:05")]]


def processed(rides: DataFrame, open_state, keep, mode: str = "eventTime") -> DataFrame:
    """Keep something of each event: `open_state` gives the state, `keep` puts a time there."""

    class Keeper(StatefulProcessor):
        def init(self, handle):
            self.handle, self.state = handle, open_state(handle)

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                keep(self.state, self.handle, int(row.event_time.timestamp() * 1000))
            return iter(())

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            return iter(())

    timed = rides.withWatermark("event_time", "10 minutes").groupBy("ride_id")
    return timed.transformWithState(Keeper(), "ride_id bigint", "append", mode)


def in_a_list(rides: DataFrame) -> DataFrame:
    """Keep an element for each event."""
    return processed(
        rides,
        lambda handle: handle.getListState("times", "time bigint"),
        lambda times, handle, time: times.appendValue((time,)),
    )


def in_a_map(rides: DataFrame) -> DataFrame:
    """Keep an entry for each event."""
    return processed(
        rides,
        lambda handle: handle.getMapState("times", "time bigint", "yes boolean"),
        lambda times, handle, time: times.updateValue((time,), (True,)),
    )


def in_a_value(rides: DataFrame) -> DataFrame:
    """Keep the newest time of each ride, and a timer that takes the place of the one before."""

    def keep(newest, handle, time):
        for timer in list(handle.listTimers()):
            handle.deleteTimer(timer)
        newest.update((time,))
        handle.registerTimer(time + MINUTE)

    return processed(rides, lambda handle: handle.getValueState("newest", "time bigint"), keep)


def in_an_array(rides: DataFrame) -> DataFrame:
    """Keep an array in an array in a value, and a timer for each event; and an empty list."""

    def keep(times, handle, time):
        (inner,) = times.get()[1] if times.exists() else [[]]
        times.update((1, [[*inner, time]]))
        handle.registerTimer(time + MINUTE)

    def open_state(handle):
        handle.getListState("nobody", "time bigint")
        return handle.getValueState("times", "n int, times array<array<bigint>>")

    return processed(rides, open_state, keep)


def for_a_while(rides: DataFrame) -> DataFrame:
    """Keep a list with a time to live."""
    return processed(
        rides,
        lambda handle: handle.getListState("times", "time bigint", ttlDurationMs=60 * MINUTE),
        lambda times, handle, time: times.appendValue((time,)),
        "processingTime",
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (in_a_list, Held(3, 0)),
        (in_a_map, Held(3, 0)),
        (in_a_value, Held(2, 2)),
        (in_an_array, Held(3, 3)),
        (for_a_while, Held(3, 0)),
    ],
)
def test_state_holds_what_processors_put_there(spark, answer, expected):
    """Each element of a list or an array, each entry of a map, each single value; and timers."""
    given = run(answer, rides=SCRIPT, restart_after=1, state_held=True)
    assert given.state_held == expected


def test_of_other_operators_it_is_the_rows(spark):
    """An aggregation, a query without state, and a processor that nothing has come to."""

    def others(rides: DataFrame) -> dict[str, DataFrame]:
        timed = rides.withWatermark("event_time", "10 minutes")
        return {
            "aggregation": timed.groupBy(F.window("event_time", "1 minute")).count().drop("window"),
            "../none": rides,
            "nothing": in_an_array(rides.filter("ride_id > 9")),
        }

    given = run(others, rides=SCRIPT, state_held=True)
    held = {name: each.state_held for name, each in given.items()}
    assert held == {"aggregation": Held(2, 0), "../none": Held(0, 0), "nothing": Held(0, 0)}


def test_who_does_not_ask_is_not_told(spark):
    """To look takes a moment."""
    assert run(lambda rides: rides, rides=SCRIPT).state_held is None


def test_what_is_held_belongs_to_what_came():
    """Of two runs that differ in nothing else, it tells which is which, and is shown."""
    reference, yours = (result([], state=[1], held=Held(n, 1)) for n in (1, 13))
    assert of_outcome(reference) != of_outcome(yours)
    (difference,) = compare(yours, reference)
    assert difference.kind == "state"
    (grid,) = of_difference(difference)
    assert [line.cells for line in grid.lines] == [("1", "13"), ("1", "1")]
    assert compare(yours, yours) == []
