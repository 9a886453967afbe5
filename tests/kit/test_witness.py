"""Of all that came out wrong, what breaks a rule is shown under that rule."""

from types import SimpleNamespace

import pytest

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.fault import faults
from trainer.checking.runs import Run
from trainer.checking.verdict import Check
from trainer.checking.witness import but_for, witness
from trainer.course.exercise import find
from trainer.rows import ride
from trainer.running.scenario import Scenario

RIDES = [ride(number) for number in range(1, 5)]
NONE = Scenario({}, {})


@pytest.fixture
def blamed(monkeypatch):
    """Give what breaks a rule, where a grader has this test."""

    def find_it(test, *cases, seed=None):
        name = test.__name__
        grader = SimpleNamespace(**{name: test})
        monkeypatch.setattr("trainer.checking.witness.load_module", lambda path: grader)
        by_run = {f"run_{number}": each for number, each in enumerate(cases)}
        runs = tuple(Run(run, NONE, each.came, seed) for run, each in by_run.items())
        check = Check(name, "A fact.", passed=False, runs=runs)
        return witness(find("ride_cleansing"), check, by_run, "run_0")

    return find_it


def case(came, expected):
    """Make a case of batches."""
    return Case(NONE, result(*came), result(*expected))


def test_the_row_that_the_rule_speaks_of_is_found(blamed):
    """Rides 1 and 3 are missing; a test that looks at ride 3 is broken by ride 3 alone."""

    def looks_at_three(run_0):
        assert 3 in run_0.column("ride_id")

    found = blamed(looks_at_three, case([RIDES[1:2]], [RIDES[:3]]))
    assert (found.kind, found.rows[0]["ride_id"]) == ("missing", 3)


def test_a_row_that_came_late_is_found(blamed):
    """What is right but for its micro-batch breaks the rule that says when."""

    def each_at_once(run_0):
        assert [len(batch) for batch in run_0.batches] == [1, 0, 0]

    found = blamed(each_at_once, case([[], [], RIDES[:1]], [RIDES[:1], [], []]))
    assert (found.kind, found.numbers) == ("moved", [1, 3])


def test_other_runs_of_the_same_check_are_taken_as_right(blamed):
    """Two runs are compared, and only one of them is looked at."""

    def are_equal(run_0, run_1):
        assert run_0.rows == run_1.rows

    both = case([[]], [RIDES[:1]])
    assert blamed(are_equal, both, both).kind == "missing"


def test_a_check_that_fails_what_is_right_blames_nothing(blamed):
    """Where even the reference's outcome fails, the test says nothing about this answer."""

    def wants_the_impossible(run_0):
        raise AssertionError

    assert blamed(wants_the_impossible, case([[]], [RIDES[:1]])) is None


def test_a_test_that_needs_more_than_runs_blames_nothing(blamed):
    """A fixture of pytest's own can't be had afterwards."""

    def writes_files(run_0, tmp_path):
        raise AssertionError

    assert blamed(writes_files, case([[]], [RIDES[:1]])) is None


def test_a_test_may_need_the_seed(blamed):
    """What is expected of a generated stream is made from it."""

    def is_of_the_seed(run_0, seed):
        assert len(run_0.rows) == seed

    assert blamed(is_of_the_seed, case([[]], [RIDES[:1]]), seed=1).kind == "missing"


def test_all_else_is_as_it_must_be():
    """The one thing wrong stands in the place of what was expected; the others are mended."""
    wrong = RIDES[1] | {"passenger_count": 9}
    shown = case([[RIDES[0], wrong], [RIDES[3]]], [RIDES[:2], RIDES[2:3]])
    first = next(faults(shown.differences))
    assert but_for(first, shown).batches == [[RIDES[0], wrong], RIDES[2:3]]


def test_the_same_fault_is_known_again_when_other_rows_are_gone():
    """It is about the same ride, and wrong in the same way."""
    large, small = case([RIDES[:1]], [RIDES[:3]]), case([[]], [RIDES[2:3]])
    two, three = faults(large.differences)
    (alone,) = faults(small.differences)
    assert three.is_like(alone)
    assert not two.is_like(alone)
