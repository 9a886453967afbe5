"""Whose grade changed, and why."""

from dataclasses import replace

from tests.kit import grades as made
from trainer.grading.book.compare import Change, changes

PROVENANCE = {"submission": "1", "kit": "1", "graders": {made.STEM: "1"}, "versions": {"java": "1"}}
OLD = replace(made.WRONG, student="ann", provenance=PROVENANCE)


def change(**provenance) -> Change:
    """Compare a wrong answer with a correct one, graded with something changed."""
    new = replace(made.CORRECT, provenance=PROVENANCE | provenance)
    (found,) = changes({"ann": OLD}, {"ann": new})
    return found


def test_the_same_grades_are_no_change():
    """Whatever they rest on."""
    assert list(changes({"ann": OLD}, {"ann": replace(OLD, provenance={}, seed=1)})) == []


def test_a_change_is_told_with_its_cause():
    """What it was, what it is, what differs in what it rests on."""
    found = change(submission="2")
    assert (found.before, found.after) == ("wrong, 0 of 1", "correct, 1 of 1")
    assert found.why.startswith("the submission changed")
    assert change(graders={made.STEM: "2"}).why.startswith("the grader changed")
    assert change(versions={"java": "2"}).why.startswith("java changed")


def test_checks_that_come_out_otherwise_are_named():
    """Check by check."""
    right = replace(made.DROPPED, outcome="passed")
    new = made.of("ann", "correct", "", made.KEPT, right)
    (found,) = changes({"ann": OLD}, {"ann": replace(new, provenance=PROVENANCE)})
    assert found.why == ("nothing that it rests on changed; test_dropped: failed, now passed")


def test_another_seed_is_a_cause():
    """A submission that passes with one and fails with another is worth a look."""
    new = replace(made.CORRECT, provenance=PROVENANCE, seed=1)
    (found,) = changes({"ann": OLD}, {"ann": new})
    assert found.why.startswith("the seed changed")


def test_one_who_came_or_went_is_told():
    """In either direction."""
    (came,) = changes({}, {"ann": OLD})
    (went,) = changes({"ann": OLD}, {})
    assert (came.before, went.after) == ("no grade", "no grade")


def test_what_an_older_version_rested_on_may_look_otherwise():
    """All of it has changed, then."""
    old = replace(OLD, provenance={"graders": "1", "versions": ["java"]})
    (found,) = changes({"ann": old}, {"ann": replace(made.CORRECT, provenance=PROVENANCE)})
    assert found.why.startswith("the submission, the kit, the grader, java changed")
