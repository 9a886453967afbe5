"""What came beside what was expected, row by row."""

import pytest

from tests.kit.results import result
from trainer.checking.difference import compare

A, B, C = ({"id": number, "tip": 1.0} for number in (1, 2, 3))
A_BUT = A | {"tip": 9.0}


def only(came, expected):
    """Give the one difference between two outcomes."""
    (difference,) = compare(came, expected)
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
    difference = only(result([B, A]), result([A, B]))
    assert difference.kind == "order"
    assert [(pair.expected, pair.came) for pair in difference.order] == [(A, B), (B, A)]
    assert only(result([B, A, C]), result([A, B])).kind == "rows"


def test_state_is_told_where_the_rows_are_right():
    """Rows first: state that differs is then no news."""
    assert only(result([A], state=[5]), result([A], state=[1])).states == ([5], [1])
    assert only(result([B], state=[5]), result([A], state=[1])).states is None


def test_each_output_has_its_own():
    """Of two outputs only the one that differs is told, by its name."""
    ours = {"rows": result([A]), "late": result([B])}
    theirs = {"rows": result([A]), "late": result([])}
    assert only(ours, theirs).output == "late"
