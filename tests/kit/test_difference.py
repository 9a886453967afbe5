"""What came beside what was expected, row by row."""

import pytest

from tests.kit.results import result
from trainer.checking.difference import compare

A, B, C = ({"id": number, "tip": 1.0} for number in (1, 2, 3))
A_BUT = A | {"tip": 9.0}


def only(came, expected, *ordered_by):
    """Give the one difference between two outcomes."""
    (difference,) = compare(came, expected, *ordered_by)
    return difference


def test_the_same_rows_differ_in_nothing():
    """Where rows, order and state are the same, there is nothing to tell."""
    assert compare(result([A], [], state=[1, 1]), result([A], [], state=[1, 1])) == []


def test_a_row_stands_beside_the_one_it_is_most_like():
    """And the cells in which the two differ are known."""
    difference = only(result([A_BUT, C]), result([A, C]))
    (pair,) = difference.pairs
    assert (pair.expected, pair.came, pair.differing) == (A, A_BUT, {"tip"})
    assert difference.kind == "rows"


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        ({"ride_id": 1, "cell": 5, "minutes": 3}, {"ride_id": 1, "cell": 6, "minutes": 4}),
        (
            {"window_end": 1, "driver_id": 5, "tips": 3},
            {"window_end": 1, "driver_id": 6, "tips": 4},
        ),
        (
            {"window_end": 2, "driver_id": 5, "tips": 3},
            {"window_end": 1, "driver_id": 5, "tips": 3},
        ),
        ({"ride_id": None, "cell": 5}, {"ride_id": 1, "cell": 5}),
    ],
    ids=["a ride", "a window", "half of it", "a key that is lost"],
)
def test_a_changed_row_stands_beside_what_it_should_have_been(came, expected):
    """Rows of one ride or one window are about the same, and so are those that are half alike."""
    (pair,) = only(result([came]), result([expected])).pairs
    assert (pair.expected, pair.came) == (expected, came)


def test_rows_of_two_rides_are_two_rows():
    """However much else they have in common, one is missing and the other is too many."""
    ours, theirs = ({"ride_id": n, "is_start": True, "cell": 5, "tip": 1} for n in (1, 2))
    pairs = only(result([ours]), result([theirs])).pairs
    assert {(bool(pair.expected), bool(pair.came)) for pair in pairs} == {(0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("came", "expected", "missing", "surplus"),
    [([A], [A, B], B, None), ([A, B], [A], None, B), ([A, A], [A], None, A)],
    ids=["missing", "too many", "twice"],
)
def test_a_row_without_a_partner_stands_alone(came, expected, missing, surplus):
    """Missing, too many, or once too often."""
    (pair,) = only(result(came), result(expected)).pairs
    assert (pair.expected, pair.came) == (missing, surplus)


def test_a_right_row_in_another_micro_batch_has_moved():
    """It is neither missing nor too many."""
    difference = only(result([], [A]), result([A], []))
    assert difference.moved == ((A, 2, 1),)
    assert difference.pairs == ()


def test_the_order_within_a_micro_batch_is_told_last():
    """Only where all rows are there."""
    difference = only(result([B, A]), result([A, B]), "id")
    assert difference.kind == "order"
    assert [(pair.expected, pair.came) for pair in difference.order] == [(A, B), (B, A)]
    assert only(result([B, A, C]), result([A, B]), "id").kind == "rows"


def test_an_order_that_nobody_asked_for_is_not_told():
    """Neither where order is no part of the contract, nor between rows of equal rank."""
    assert compare(result([B, A]), result([A, B])) == []
    assert compare(result([B, A]), result([A, B]), "tip") == []


def test_state_is_told_where_the_rows_are_right():
    """Rows first: state that differs is then no news."""
    assert only(result([A], state=[5]), result([A], state=[1])).states == ([5], [1])
    assert only(result([B], state=[5]), result([A], state=[1])).states is None


def test_each_output_has_its_own():
    """Of two outputs only the one that differs is told, by its name."""
    ours = {"rows": result([A]), "late": result([B])}
    theirs = {"rows": result([A]), "late": result([])}
    assert only(ours, theirs).output == "late"
