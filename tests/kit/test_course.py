"""The course proves itself: the graders of every exercise tell right from wrong.

That the solutions are right is what `tests/exercises` shows, where the graders run on them.
"""

import inspect
from pathlib import Path

import pytest

from tests.kit.course import alternatives, alternatives_file, wrong_answers
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import misconceptions
from trainer.checking.verdict import Kind
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, exercises
from trainer.running.loading import load, load_module

EVERY = pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.stem)


def right_answers() -> list:
    """List the correct answers that are written another way: (exercise, function)."""
    return [
        pytest.param(exercise, name, id=f"{exercise.name}-{name}")
        for exercise in exercises()
        for name in alternatives(exercise)
    ]


@EVERY
def test_the_stub_as_issued_is_untouched(exercise: Exercise) -> None:
    """A stub that nobody has edited is neither wrong nor right."""
    assert verdict_on(exercise, exercise.issued).kind == Kind.UNTOUCHED


@EVERY
def test_a_stub_whose_docstring_alone_was_edited_is_unfinished(
    exercise: Exercise, tmp_path: Path
) -> None:
    """Notes in a docstring are no answer."""
    edited = tmp_path / f"{exercise.stem}.py"
    edited.write_text(exercise.issued.read_text().replace('"""', '"""Mine. ', 1))
    assert verdict_on(exercise, edited).kind == Kind.UNFINISHED


@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "function"), right_answers())
def test_a_correct_answer_written_another_way_is_correct(exercise: Exercise, function: str) -> None:
    """What counts is what comes out, not how it was written."""
    verdict = verdict_on(exercise, alternatives_file(exercise), function=function)
    assert verdict.kind == Kind.CORRECT, verdict


@pytest.mark.parametrize(("exercise", "wrong"), wrong_answers())
def test_a_misconception_is_wrong_and_its_own_checks_fail(exercise: Exercise, wrong) -> None:
    """A wrong answer fails the checks that belong to its idea, and fails them by what came out."""
    verdict = verdict_on(
        exercise, exercise.misconceptions, function=wrong.__name__, tests=wrong.caught_by
    )
    assert verdict.kind == Kind.WRONG, verdict
    assert {check.name for check in verdict.checks if not check.passed} == set(wrong.caught_by)


@EVERY
def test_the_files_of_an_exercise_agree(exercise: Exercise) -> None:
    """Stub, solution and misconceptions hold the same function, with the same signature."""
    issued = inspect.signature(load(exercise.issued, exercise.function))
    answers = [load(exercise.solution, exercise.function), *misconceptions(exercise)]
    assert all(inspect.signature(answer) == issued for answer in answers)
    assert exercise.grader.exists()


@EVERY
def test_an_exercise_has_three_hints_and_four_misconceptions(exercise: Exercise) -> None:
    """Three hints, mild to strong, and four wrong answers or more, each with something to say."""
    hints = load_module(exercise.solution).HINTS
    wrong = misconceptions(exercise)
    assert len(hints) == 3 and all(hints)
    assert len(wrong) >= 4 and all(inspect.getdoc(answer) for answer in wrong)


def test_no_stray_files_lie_about() -> None:
    """Every file beside the exercises belongs to one of them."""
    stems = {exercise.stem for exercise in exercises()}
    places = ["exercises", "solutions", "tests/exercises", "tests/misconceptions"]
    places += ["tests/alternatives"]
    found = {path.stem.removeprefix("test_") for p in places for path in (ROOT / p).glob("*.*")}
    assert found == stems
