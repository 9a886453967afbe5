"""What lies in state after each micro-batch, as the stepper shows it."""

import re

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from tests.kit.results import result
from tests.kit.test_held import for_a_while
from trainer.display.in_state import in_state
from trainer.display.in_words import in_words
from trainer.lessons.stepper import Steps, step
from trainer.rows import TAXI, at, end, ride
from trainer.running.contents import Part
from trainer.running.state_columns import EXPIRY, NAMES
from trainer.running.stores import GROUPS, Store
from trainer.scenario import run

# Two rides start, one ends; an hour and a half later another one starts.
SCRIPT = [[ride(1), ride(2, at="12:20")], [end(1, at="12:20")], [ride(3, at="14:00")]]
HALF_AN_HOUR = 30 * 60_000
UNTIL = NAMES[EXPIRY]


def timed(rides: DataFrame) -> DataFrame:
    """Set a watermark."""
    return rides.withWatermark("event_time", "10 minutes")


def by_hour(rides: DataFrame) -> DataFrame:
    """Count the events of each hour."""
    return timed(rides).groupBy(F.window("event_time", "1 hour")).count()


def once(rides: DataFrame) -> DataFrame:
    """Let each ride and time through once."""
    return timed(rides).select("ride_id", "event_time").dropDuplicates()


def joined(rides: DataFrame) -> DataFrame:
    """Put each END to its START."""
    narrow = timed(rides.select("ride_id", "event_time", "is_start"))
    starts, ends = narrow.filter("is_start").alias("s"), narrow.filter("not is_start").alias("e")
    hour = "e.event_time between s.event_time and s.event_time + interval 1 hour"
    return starts.join(ends, F.expr(f"s.ride_id = e.ride_id and {hour}")).select("s.ride_id")


def busiest(rides: DataFrame) -> DataFrame:
    """Find the ride with the most events of each hour."""
    counts = timed(rides).groupBy(F.window("event_time", "1 hour"), "ride_id").count()
    return counts.groupBy("window").agg(F.max_by("ride_id", "count"))


def by_session(rides: DataFrame) -> DataFrame:
    """Count the events of each session of a ride."""
    gap = F.session_window("event_time", "30 minutes")
    return timed(rides).groupBy(gap, "ride_id").count()


def for_ten_minutes(rides: DataFrame) -> DataFrame:
    """Let each ride through once, and remember it for a while."""
    return timed(rides).dropDuplicatesWithinWatermark(["ride_id"])


def processed(rides: DataFrame) -> DataFrame:
    """Keep each kind of state, until a timer goes off half an hour later."""

    class Keeper(StatefulProcessor):
        def init(self, handle):
            self.handle = handle
            self.newest = handle.getValueState("newest", "time timestamp")
            self.seen = handle.getListState("seen", "time timestamp")
            self.kinds = handle.getMapState("kinds", "is_start boolean", "time timestamp")

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                self.newest.update((row.event_time,))
                self.seen.appendValue((row.event_time,))
                self.kinds.updateValue((row.is_start,), (row.event_time,))
                self.handle.registerTimer(int(row.event_time.timestamp() * 1000) + HALF_AN_HOUR)
            return iter(())

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            for state in (self.newest, self.seen, self.kinds):
                state.clear()
            return iter(())

    keyed = timed(rides).groupBy("ride_id")
    return keyed.transformWithState(Keeper(), "ride_id bigint", "append", "EventTime")


def reminded(rides: DataFrame) -> DataFrame:
    """Set a timer for each event, and keep nothing else."""

    class Clock(StatefulProcessor):
        def init(self, handle):
            self.handle = handle

        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                self.handle.registerTimer(int(row.event_time.timestamp() * 1000) + HALF_AN_HOUR)
            return iter(())

    keyed = timed(rides).groupBy("ride_id")
    return keyed.transformWithState(Clock(), "ride_id bigint", "append", "EventTime")


def shown(answer) -> list[dict[str, list[str]]]:
    """Walk through a run, and write what each step shows of state: titles, and lines as text."""
    return [
        {
            grid.title: [" ".join((line.label, *line.cells)).strip() for line in grid.lines]
            for grid in each.contents
        }
        for each in step(answer, rides=SCRIPT)
    ]


def test_windows_are_new_then_changed_then_removed(spark):
    """A window reads [12:00, 13:00); a changed cell says what it was."""
    one, two = (f"{GROUPS}: {rows}" for rows in ("1 row", "2 rows"))
    assert shown(by_hour) == [
        {one: ["+ new [12:00, 13:00) 2"]},
        {one: ["± changed [12:00, 13:00) 3 (was 2)"]},
        {two: ["[12:00, 13:00) 3", "+ new [14:00, 15:00) 1"]},
        {one: ["− removed [12:00, 13:00) 3", "[14:00, 15:00) 1"]},
    ]


def test_of_two_aggregations_the_first_comes_first(spark):
    """As rows go through them; what Spark keeps for the largest is told in words."""
    last = step(busiest, rides=SCRIPT).results[""].contents
    assert [part.columns for part in last] == [
        ("window", "ride_id", "count"),
        ("window", "best so far", "compared by"),
    ]


def test_sessions_grow(spark):
    """A session is found by when it began."""
    first, second, *_ = shown(by_session)
    assert list(first.values()) == [
        ["+ new 1 12:00 [12:00, 12:30) 1", "+ new 2 12:20 [12:20, 12:50) 1"]
    ]
    (lines,) = second.values()
    assert lines[0] == "± changed 1 12:00 [12:00, 12:50) (was [12:00, 12:30)) 2 (was 1)"


def test_what_was_seen_is_kept_by_its_columns(spark):
    """Spark keeps keys alone, and a dummy that nobody sees."""
    first, second, third, last = (next(iter(each.values())) for each in shown(once))
    assert first == ["+ new 1 12:00", "+ new 2 12:20"]
    assert second == ["− removed 1 12:00", "+ new 1 12:20", "2 12:20"]
    assert third == ["1 12:20", "2 12:20", "+ new 3 14:00"]
    assert last == ["− removed 1 12:20", "− removed 2 12:20", "3 14:00"]


def test_what_is_remembered_for_a_while_says_until_when(spark):
    """Spark keeps a number of microseconds."""
    (part,) = run(for_ten_minutes, rides=SCRIPT, contents=True).contents
    assert (part.columns, min(part.batches[0])) == (("ride_id", UNTIL), (1, at("12:10")))


def test_a_join_shows_both_of_its_sides(spark):
    """Each with its rows, and how many there are."""
    first, second, *_ = shown(joined)
    left, right = "left side of the join: 2 rows", "right side of the join: 1 row"
    assert first == {left: ["+ new 1 12:00", "+ new 2 12:20"]}
    assert second == {left: ["1 12:00", "2 12:20"], right: ["+ new 1 12:20"]}


def test_a_processor_shows_each_variable_and_its_timers(spark):
    """A value is changed, to a list and to the timers something is added."""
    first, second, third, last = shown(processed)
    assert first["variable newest: 2 rows"] == ["+ new 1 12:00", "+ new 2 12:20"]
    assert second == {
        "variable newest: 2 rows": ["± changed 1 12:20 (was 12:00)", "2 12:20"],
        "variable seen: 3 rows": ["1 12:00", "+ new 1 12:20", "2 12:20"],
        "variable kinds: 3 rows": ["+ new 1 false 12:20", "1 true 12:00", "2 true 12:20"],
        "timers: 3 rows": ["1 12:30", "+ new 1 12:50", "2 12:50"],
    }
    assert "+ new 3 14:30" in third["timers: 4 rows"]
    assert last["timers: 1 row"][-1] == "3 14:30"
    assert last["variable newest: 1 row"] == ["− removed 1 12:20", "− removed 2 12:20", "3 14:00"]


def test_timers_are_shown_where_there_is_nothing_else(spark):
    """Spark counts no row for them."""
    first, second, *_ = shown(reminded)
    assert first == {"timers: 2 rows": ["+ new 1 12:30", "+ new 2 12:50"]}
    assert "+ new 1 12:50" in second["timers: 3 rows"]


def test_a_time_to_live_is_no_column(spark):
    """It is of the wall clock, and Spark's own."""
    times, timers = run(for_a_while, rides=SCRIPT, contents=True).contents
    assert (times.title, times.columns) == ("variable times", ("ride_id", "time"))
    assert timers.batches == [[]] * len(times.batches)


def test_a_page_shows_it_and_plain_text_does_not(spark):
    """Plain text is what notebooks are compared by; who does not ask for more keeps nothing."""
    page = step(by_hour, rides=SCRIPT)
    plain = Steps(run(by_hour, rides=SCRIPT))
    assert re.search("± changed</td>.*3 \\(was 2\\)", page._repr_html_(), re.DOTALL)
    assert repr(page) == repr(plain)
    assert "± changed" not in plain._repr_html_()


@pytest.mark.parametrize("answer", [lambda rides: rides.select("ride_id"), by_hour])
def test_where_it_is_not_read_the_count_stands(spark, answer, monkeypatch):
    """A query without state has none to show; and of too much nobody reads every row."""
    monkeypatch.setattr("trainer.running.output.MOST_CONTENTS", 1)
    steps = list(step(answer, rides=SCRIPT))
    assert [each.contents for each in steps] == [[]] * len(steps)
    assert steps[0].held in ("0 rows", "1 row")


def test_a_step_whose_state_cannot_be_read_stands_with_its_count(spark, monkeypatch):
    """Spark keeps old state for a while only; where nothing is known of before, nothing is new."""

    def read(store, spark, checkpoint, batch):
        if batch == 1:
            raise AnalysisException("The state of batch 1 is gone.", messageParameters={})
        return there(store, spark, checkpoint, batch)

    there = Store.read
    monkeypatch.setattr(Store, "read", read)
    first, second, third, _ = step(by_hour, rides=SCRIPT)
    assert [len(each.contents) for each in (first, second, third)] == [1, 0, 1]
    assert (second.held, {line.label for line in third.contents[0].lines}) == ("1 row", {""})


def test_whatever_goes_wrong_in_reading_the_run_stands(spark, monkeypatch):
    """It is an extra."""
    monkeypatch.setattr("trainer.running.contents.columns", lambda schema, keys: 1 / 0)
    assert [each.contents for each in step(by_hour, rides=SCRIPT)] == [[]] * 4


def test_state_is_read_once_for_each_micro_batch_that_changed_it(spark, monkeypatch):
    """And never where nobody asked, for a check say."""
    asked = []
    read = Store.read
    monkeypatch.setattr(Store, "read", lambda *them: asked.append(them[-1]) or read(*them))
    run(by_hour, rides=SCRIPT)
    assert asked == []
    idle = [SCRIPT[0], [], [], *SCRIPT[1:]]
    assert len(run(by_hour, rides=idle, contents=True).batches) == 6
    assert asked == [0, 3, 4, 5]


def test_a_time_that_is_kept_as_a_number_is_told_by_the_clock():
    """Whoever keeps milliseconds thinks of a time all the same; a taxi's number is no time."""
    told = [in_words(value) for value in (1577881200000, 1577881200, TAXI + 1, True, None)]
    assert told == ["12:20 (in ms)", "12:20 (in s)", str(TAXI + 1), "true", "null"]


def test_a_whole_ride_is_told_by_what_tells_most():
    """Wherever it lies, in a list say; of a short struct nothing is left out."""
    assert in_words([ride(1)]) == "[ride_id 1, is_start true, event_time 12:00, …]"
    assert in_words({"driver_id": 1, "tip": 2.0}) == "driver_id 1, tip 2"


def test_of_many_rows_those_that_changed_are_shown():
    """Twelve at most, and how many more there are."""
    batches = [[(n, 1) for n in range(40)], [(n, 1 + (n == 39)) for n in range(40)]]
    part = Part("", ("ride_id", "count"), 1, True, batches)
    (grid,) = in_state([part], 1)
    assert (len(grid.lines), grid.rest) == (12, "… 28 more")
    assert ("± changed", ("39", "2 (was 1)")) in [(line.label, line.cells) for line in grid.lines]


def test_an_element_that_is_there_twice_counts_twice():
    """Of two equal ones that were there once, one is new."""
    noon = (1, at("12:00"))
    part = Part("variable seen", ("ride_id", "time"), 1, False, [[noon], [noon, noon], []])
    labels = [[line.label for line in in_state([part], number)[0].lines] for number in (1, 2)]
    assert labels == [["", "+ new"], ["− removed", "− removed"]]


def test_a_walk_without_what_is_in_state_shows_none():
    """As of a run that was only counted."""
    (only,) = Steps(result([], state=[3], given={"rides": [[]]}))
    assert (only.held, only.contents) == ("3 rows", [])
