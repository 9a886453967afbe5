"""Graders see a step: an answer that is off by a little at a border of its task is wrong."""

import ast
from pathlib import Path

import pytest

from tests.kit.borders import OFF, Off
from trainer.checking.graders import verdict_on
from trainer.checking.verdict import Kind
from trainer.course.exercise import exercises, find

EACH = pytest.mark.parametrize("off", OFF, ids=lambda off: off.exercise)


def scripted_tests(grader: Path) -> list[str]:
    """List a grader's tests that look at no generated stream, which might be lucky."""
    tests = [
        node for node in ast.parse(grader.read_text()).body if isinstance(node, ast.FunctionDef)
    ]
    return [
        test.name
        for test in tests
        if test.name.startswith("test_")
        and "generated" not in {each.arg for each in test.args.args}
    ]


@EACH
def test_a_step_starts_from_a_right_answer(off: Off) -> None:
    """What is changed is there, once: a table of changes to what is gone would prove nothing."""
    assert off.text()


def test_every_exercise_has_borders() -> None:
    """Nobody is left out but who has none: rows that are kept as they are."""
    without = {"keep_the_rides", "exactly_once"}
    assert {off.exercise for off in OFF} == {exercise.name for exercise in exercises()} - without


@pytest.mark.overnight
@EACH
def test_an_answer_that_is_off_by_a_step_is_wrong(off: Off, tmp_path: Path) -> None:
    """The scripts have rows a step inside and beyond each border; no seed has to be lucky."""
    exercise = find(off.exercise)
    answer = tmp_path / f"{exercise.stem}.py"
    answer.write_text(off.text())
    verdict = verdict_on(exercise, answer, tests=scripted_tests(exercise.grader))
    assert verdict.kind == Kind.WRONG, verdict
