"""The ways to name an exercise, or a chapter of them."""

import pytest

from trainer.course import exercise
from trainer.course.clone import EXERCISES
from trainer.course.exercise import NoSuchExercise, exercises, find, find_all

STEM = "ch02b_rides_and_fares"


@pytest.mark.parametrize(
    "name",
    [
        STEM,
        "rides_and_fares",
        "2b",
        "2B",
        "02b",
        "ch02b",
        "ch2b",
        "ch02b_rides",
        "rides_and",
        "rides-and-fares",
        f"{STEM}.py",
        f"exercises/{STEM}.py",
        f"./exercises/{STEM}.py",
        str(EXERCISES / f"{STEM}.py"),
    ],
)
def test_an_exercise_has_many_names(name):
    """Its place, the beginning of a name, and its file from the folder one is in or the clone's."""
    assert find(name).stem == STEM


def test_the_course_goes_as_its_notebooks_do():
    """Chapter 3 has a small exercise halfway, called d, before a, b and c."""
    assert [each.letter for each in exercises() if each.chapter == 3] == ["d", "a", "b", "c"]


def test_where_there_is_no_notebook_names_are_the_order(monkeypatch, tmp_path):
    """Whoever has thrown a notebook away still has a course."""
    monkeypatch.setattr(exercise, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(exercise, "_turns", exercise._turns.__wrapped__)
    stems = [each.stem for each in exercises()]
    assert stems == sorted(stems)


def test_a_whole_name_is_no_beginning_of_another():
    """`hourly_tips` is chapter 4's, though chapter 6 has `hourly_tips_by_hand`."""
    assert find("hourly_tips").stem == "ch04a_hourly_tips"


def test_a_name_that_fits_several_is_told():
    """All that it may mean are named."""
    with pytest.raises(NoSuchExercise, match=r"'hourly' names 2 .*: ch04a_\w+, ch06b_\w+\.$"):
        find("hourly")
    with pytest.raises(NoSuchExercise, match="'hourly' names 2 exercises, say which"):
        find_all("hourly")


@pytest.mark.parametrize("name", ["6", "06", "ch06", "ch6", "chapter6", "chapter_06"])
def test_a_chapter_is_all_its_exercises(name):
    """In their order; where one is wanted, they are named."""
    members = [each for each in exercises() if each.chapter == 6]
    assert find_all(name) == members
    with pytest.raises(NoSuchExercise, match=f"'{name}' names {len(members)} exercises"):
        find(name)


@pytest.mark.parametrize("name", ["", " ", "99", "ch00", "zzz", ".", "..", "\0", "2b3", "ch02b_x"])
def test_what_names_nothing_is_one_line(name):
    """A chapter without exercises, an empty name, a sign that no name has."""
    with pytest.raises(NoSuchExercise, match=r"^No exercise .*`trainer list` shows them all\.$"):
        find(name)


@pytest.mark.parametrize("name", [f"elsewhere/{STEM}.py", f"/{STEM}.py", "exercises/", "/"])
def test_a_file_that_lies_elsewhere_is_not_taken_for_an_exercise(name):
    """What would be checked is the one in exercises/, and that isn't what was named."""
    with pytest.raises(NoSuchExercise, match="No exercise lies at"):
        find(name)
