"""Rows as people read them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.kit.results import result
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
    (difference,) = compare(result([two, one], state=[3]), result([one, two], state=[1]))
    order, state = tables.of_difference(difference)
    assert order.title == "Output, by micro-batch: the right rows, in another order"
    marked = frozenset({0})
    assert state.lines == (Line("reference", ("1",), marked), Line("yours", ("3",), marked))


@pytest.mark.parametrize(("came", "wanted"), [([1], [1, 0, 0]), ([1, 1, 0], [1]), ([], [4])])
def test_states_of_runs_of_unequal_length_stand_side_by_side(came, wanted):
    """Where one run has no such micro-batch any more, a dash says so."""
    runs = [replace(result(*[[]] * len(state)), state_rows=state) for state in (came, wanted)]
    (difference,) = compare(*runs)
    (grid,) = tables.of_difference(difference)
    longest = max(len(came), len(wanted))
    assert {len(line.cells) for line in grid.lines} == {len(grid.columns)} == {longest}
    assert [line.cells.count("–") for line in grid.lines] == [
        longest - len(wanted),
        longest - len(came),
    ]


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
    assert [line.label for line in grid.lines] == ["1 ×2", "1", "2"]


def test_many_rows_are_cut_and_counted():
    """Nobody reads forty lines."""
    (grid,) = tables.inputs(Scenario({"fares": [[fare(n) for n in range(40)]]}, {}))
    assert (len(grid.lines), grid.more) == (12, 28)


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


def test_the_line_that_counts_the_rest_needs_room_too():
    """No column's name is cut for it."""
    lines = (Line("1", ("x" * 60, "y")),)
    table = Grid("rides", ("much", "more"), lines, 39)
    assert fitting(table, 70).columns == ("much",)


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
    assert grid.title.endswith("(the first 40 of 300)")
    assert {len(line.cells) for line in grid.lines} == {len(grid.columns)} == {40}
