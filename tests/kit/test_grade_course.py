"""The whole course through the grader: every right answer, every wrong one, each by its name."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.course import alternatives, alternatives_file, as_submitted
from trainer.checking.misconceptions import misconceptions
from trainer.checking.recognition import told_by
from trainer.course.clone import ROOT
from trainer.course.exercise import exercises
from trainer.grading.book.out_folder import all_saved

pytestmark = pytest.mark.overnight


def hand_in(folder: Path) -> tuple[set, dict]:
    """Let some students be right in everything and others wrong, each of them in another way."""
    right, wrong = set(), {}
    for exercise in exercises():
        texts = {
            f"right-{number}": as_submitted(exercise, alternatives_file(exercise), name)
            for number, name in enumerate(alternatives(exercise), 1)
        }
        right |= {(student, exercise.stem) for student in texts}
        for number, each in enumerate(misconceptions(exercise), 1):
            student = f"wrong-{number:02}"
            texts[student] = as_submitted(exercise, exercise.misconceptions, each.__name__)
            wrong[student, exercise.stem] = told_by(each)
        for student, text in texts.items():
            file = folder / student / f"{exercise.stem}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return right, wrong


def test_every_alternative_is_correct_and_every_misconception_is_wrong_and_named(tmp_path):
    """In the best sandbox there is; the report says what the misconception says."""
    right, wrong = hand_in(tmp_path / "in")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "secret"]
    command += ["--timeout", "1800", "--jobs", "2"]
    subprocess.run([sys.executable, "-m", "trainer.cli", *command], cwd=ROOT, check=True)
    came = {
        (student, each.exercise): each
        for student, grade in all_saved(tmp_path / "out").items()
        for each in grade.exercises
        if each.handed_in
    }
    verdicts = {key: each.verdict for key, each in came.items()}
    assert verdicts == dict.fromkeys(right, "correct") | dict.fromkeys(wrong, "wrong")
    not_named = {
        key: came[key].misconception
        for key, said in wrong.items()
        if said not in (came[key].misconception or "")
    }
    assert not_named == {}
