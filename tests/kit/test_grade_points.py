"""What grades are worth."""

from dataclasses import replace

import pytest

from tests.kit import grades as made
from trainer.course.problem import Problem
from trainer.grading.book.points import Points, read

CHECKS = {made.STEM: ["test_kept", "test_dropped"], "ch01b_quarantine": ["test_x"]}
(WRONG,) = made.WRONG.exercises
(CORRECT,) = made.CORRECT.exercises
(FAILED,) = made.FAILED.exercises


def test_an_exercise_is_one_point_all_or_nothing():
    """Unless something else is said."""
    points = [Points().of(grade) for grade in (CORRECT, WRONG)]
    assert [(each.score, each.max_score) for each in points] == [(1, 1), (0, 1)]


def test_partial_credit_divides_points_among_the_checks():
    """Checks that were not run have not passed."""
    assert Points(partial=True).of(WRONG).score == 0.5
    assert Points({made.STEM: 4}, {made.STEM: {"test_kept": 3}}).of(WRONG).score == 3
    (crashed,) = made.CRASHED.exercises
    assert Points(partial=True).of(crashed).score == 0


def test_a_check_that_weighs_nothing_costs_nothing():
    """The points are those that were asked for; the verdict stays what it is."""
    grade = Points(checks={made.STEM: {"test_dropped": 0}}).of(WRONG)
    assert (grade.verdict, grade.score) == ("wrong", 1)


def test_the_grader_s_failure_has_no_score():
    """It is no zero, and it doesn't count as one."""
    assert Points({made.STEM: 3}).of(FAILED).score is None
    assert replace(made.FAILED, exercises=(CORRECT, FAILED)).score is None


def test_a_file_of_weights_is_read(tmp_path):
    """Points by exercise, weights by check."""
    file = tmp_path / "w.toml"
    file.write_text(f"[points]\n{made.STEM} = 2\n[checks.{made.STEM}]\ntest_kept = 3\n")
    points = read(file, False, CHECKS)
    assert points == Points({made.STEM: 2}, {made.STEM: {"test_kept": 3}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[points]\nch01a_ride_cleaning = 2",
            "names 'ch01a_ride_cleaning', .* Did you mean ch01a_r",
        ),
        ("[checks.ch01b_quarantine]\ntest_y = 2", "Did you mean test_x?"),
        ("[weights]", "names 'weights', which there is not."),
        (
            f"[points]\n{made.STEM} = -1",
            "gives ch01a_ride_cleansing the weight -1; expected a number",
        ),
        ("points", "cannot be read as weights: Expected '=' .*; expected tables as GRADING.md"),
        ("points = 3", "has points = 3; expected a table"),
        ("checks.ch01b_quarantine = 3", "expected a table: .checks.ch01b_quarantine"),
        ("partial = 'yes'", "has partial = 'yes'; expected true or false"),
        (f"[points]\n{made.STEM} = nan", "expected a number, 0 or more"),
        ("[points]\n1a = 2", "names '1a', .* `trainer list` shows all"),
        ("# \xf6", "is not UTF-8, see line 1: save it as UTF-8"),
    ],
)
def test_a_file_of_weights_that_is_wrong_is_refused(tmp_path, text, message):
    """Before anything is graded, and with what was expected."""
    file = tmp_path / "w.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(Problem, match=message) as refused:
        read(file, False, CHECKS)
    assert "\n" not in str(refused.value)


def test_a_file_of_weights_may_be_for_the_whole_course(tmp_path):
    """Of which some is graded this time: the same file is good for all of it."""
    file = tmp_path / "w.toml"
    file.write_text("[points]\nch04a_hourly_tips = 2\n[checks.ch04a_hourly_tips]\ntest_y = 2\n")
    assert read(file, False, CHECKS).exercises == {"ch04a_hourly_tips": 2}
    file.write_text("[checks.ch04a_hourly_tips]\ntest_y = -2\n")
    with pytest.raises(Problem, match="gives test_y the weight -2"):
        read(file, False, CHECKS)
