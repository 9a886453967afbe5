"""Rows as people read them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.difference import compare
from trainer.display import tables
from trainer.display.fitting import fitting
from trainer.display.tables import Grid, Line
from trainer.rows import at, fare, ride
from trainer.running.scenario import Scenario


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (at("12:05"), "12:05:00"),
        (at("12:05") + timedelta(microseconds=5), "12:05:00.000005"),
        (3.5, "3.5"),
        (2.0, "2"),
        (True, "true"),
        ("CARD", "CARD"),
    ],
)
def test_a_value_is_written_short(value, text):
    """Times without their day, numbers without their noise."""
    assert tables.cell(value) == text


def test_what_differs_is_marked():
    """Expected above came, and the one cell that differs."""
    (difference,) = compare(result([{"id": 1, "n": 2}]), result([{"id": 1, "n": 3}]))
    (grid,) = tables.of_difference(difference)
    assert grid.lines == (
        Line("expected in 1", ("1", "3"), frozenset({1})),
        Line("came in 1", ("1", "2"), frozenset({1})),
    )


def test_order_and_state_are_both_shown():
    """Which of the two is the fault, the rule says."""
    one, two = {"id": 1}, {"id": 2}
    (difference,) = compare(result([two, one], state=[3]), result([one, two], state=[1]), "id")
    order, state = tables.of_difference(difference)
    assert order.title == "Output, by micro-batch: the right rows, in another order"
    assert state.columns == ("reference", "yours")
    assert state.lines == (Line("after 1", ("1", "3"), frozenset({0, 1})),)


@pytest.mark.parametrize(("came", "wanted"), [([1], [1, 0, 0]), ([1, 1, 0], [1]), ([], [4])])
def test_states_of_runs_of_unequal_length_stand_side_by_side(came, wanted):
    """Where one run has no such micro-batch any more, a dash says so."""
    runs = [replace(result(*[[]] * len(state)), state_rows=state) for state in (came, wanted)]
    (difference,) = compare(*runs)
    (grid,) = tables.of_difference(difference)
    there = [[line.cells[at] for line in grid.lines if line.cells[at] != "–"] for at in (0, 1)]
    assert there == [list(map(str, wanted)), list(map(str, came))]
    assert len(grid.lines) == max(len(came), len(wanted))


def test_inputs_are_told_with_their_micro_batches():
    """Streams by micro-batch, tables as tables, numbers as numbers."""
    zones = [{"cell": 1, "place": "JFK"}]
    given = {"rides": [[ride(1)], [], [ride(2)]], "zones": zones, "top": 3}
    rides, table, number = tables.inputs(Scenario(given, {}))
    assert [line.label for line in rides.lines] == ["1", "3"]
    assert table.title == "zones, a static table"
    assert number == Grid("top = 3", (), ())


def test_equal_rows_are_shown_once_and_counted():
    """Twenty rides that start together are one line, in the micro-batch where they are."""
    rows = [fare(1), fare(1), fare(2)]
    (grid,) = tables.inputs(Scenario({"fares": [rows, rows[:1]]}, {}))
    assert [line.label for line in grid.lines] == ["1, twice", "1", "2"]


def test_many_rows_are_cut_and_counted():
    """Nobody reads forty lines; what the fault is about is among those shown."""
    given = Scenario({"fares": [[fare(n) for n in range(40)]]}, {})
    (grid,) = tables.inputs(given, about=lambda row: row["ride_id"] == 33)
    assert (len(grid.lines), grid.more) == (12, 28)
    assert [line.cells[0] for line in grid.lines][-2:] == ["10", "33"]


def test_of_many_differences_each_kind_is_shown():
    """Of twenty rows that are missing and one that has moved, the one is not left out."""
    lost = [{"ride_id": n} for n in range(20)]
    moved, late = {"ride_id": 77}, {"ride_id": 88, "tip": 1}
    came, expected = result([], [moved, late]), result([*lost, moved], [late | {"tip": 2}])
    (grid,) = tables.of_difference(compare(came, expected)[0])
    labels = {line.label for line in grid.lines}
    assert labels == {"missing in 1", "expected in 2", "came in 2", "came in 2, not 1"}
    assert grid.more == 11


@pytest.mark.parametrize("width", range(10, 60, 7))
def test_keys_and_what_differs_stay_in_the_narrowest_table(width):
    """Who is meant, and what is wrong with it."""
    columns = ("ride_id", "taxi_id", "start_lon", "tip")
    lines = (Line("came in 1", ("1", "2013000001", "-73.9", "7"), frozenset({3})),)
    shown = fitting(Grid("Output", columns, lines, keys=frozenset({"ride_id"})), width)
    assert {"ride_id", "tip"} <= set(shown.columns)


def test_columns_that_an_answer_is_about_are_shown():
    """Which driver, where an answer is by driver; what was paid, where that is to be found."""
    given = Scenario({"fares": [[fare(1)]]}, {})
    by_driver = result([{"window_end": at("13:00"), "driver_id": 1, "total_tips": 2.0}])
    paid = result([ride(1) | {"payment_type": "CARD", "total_fare": 20.0}])
    shown = [tables.of_case(Case(given, result([]), came))[0].columns for came in (by_driver, paid)]
    assert "driver_id" in shown[0] and "total_fare" not in shown[0]
    assert "driver_id" not in shown[1] and {"payment_type", "total_fare"} < set(shown[1])


def test_what_differs_looks_different():
    """Also by less than is written otherwise: a day, or a hundred-millionth."""
    one = {"ride_id": 1, "minutes": 1.5, "event_time": at("12:00")}
    two = one | {"minutes": 1.50000001, "event_time": at("12:00") + timedelta(days=1)}
    (grid,) = tables.of_difference(compare(result([two]), result([one]))[0])
    first, second = grid.lines
    assert all(first.cells[at] != second.cells[at] for at in first.differing)
    assert second.cells[2] == "2020-01-02 12:00:00"


def test_a_wide_table_gives_up_what_says_least():
    """What differs stays, what is the same everywhere goes first; the title says how many went."""
    lines = (
        Line("came in 1", ("1", "same", "2013000001", "7"), frozenset({3})),
        Line("expected in 1", ("2", "same", "2013000002", "8"), frozenset({3})),
    )
    shown = fitting(Grid("Output", ("ride_id", "where", "driver_id", "n"), lines), 30)
    assert shown.columns == ("ride_id", "n")
    assert shown.title == "Output (2 columns not shown)"
    assert shown.lines[0] == Line("came in 1", ("1", "7"), frozenset({1}))


def test_columns_that_say_nothing_are_counted_too():
    """The title says how many are not shown, whatever they were left out for."""
    rides = tables.inputs(Scenario({"rides": [[ride(1), ride(2)]]}, {}))[0]
    gone = len(ride(1)) - len(rides.columns)
    assert gone and fitting(rides, 200).title.endswith(f"({gone} columns not shown)")


def test_a_table_that_fits_stays_as_it_is():
    """Nothing goes without need."""
    grid = Grid("Output", ("a", "b"), (Line("", ("1", "2")),))
    assert fitting(grid, 80) == grid


def test_what_is_very_long_is_cut_and_how_long_it_is_is_told():
    """A cell, and the list of states."""
    assert tables.cell("x" * 9000) == "x" * 500 + "… (9,000 letters)"
    many = [[]] * 300
    (difference,) = compare(result(*many, state=[1] * 300), result(*many, state=[2] * 300))
    (grid,) = tables.of_difference(difference)
    assert (len(grid.lines), grid.more) == (12, 288)
