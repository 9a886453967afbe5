"""Two exercises ask for a function of one name: what is handed in is for the one that is meant."""

import json
from pathlib import Path

import pytest

from trainer.course.exercise import find
from trainer.grading.intake.collect import Submission, collect
from trainer.grading.intake.matching import OF_SEVERAL, defined, functions

EARLY, UPGRADE = find("ch07c_early_totals"), find("ch08b_upgrade")
BOTH = [EARLY, UPGRADE]
PLAIN = b"def totals(fares):\n    return fares\n"


def read(path: Path) -> Submission:
    """Collect both exercises."""
    return collect("ann", [path], BOTH)


def put(folder: Path, name: str, text: bytes = PLAIN) -> Path:
    """Hand in a file, wherever it lies."""
    (folder / "ann" / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / "ann" / name).write_bytes(text)
    return folder / "ann"


def test_both_ask_for_it():
    """Or these tests say nothing."""
    assert functions()["totals"] == (EARLY.stem, UPGRADE.stem)


@pytest.mark.parametrize("exercise", BOTH)
def test_the_name_of_the_file_tells(tmp_path, exercise):
    """By itself, and by chapter and letter."""
    for name in (f"{exercise.stem}.py", f"my_{exercise.name}.py", f"{exercise.stem[:5]}.py"):
        assert read(put(tmp_path / name, name)).files == {exercise.stem: PLAIN}


@pytest.mark.parametrize("folder", ["{0.stem}", "{0.name}", "ch{0.chapter}", "0{0.chapter}_more"])
@pytest.mark.parametrize("exercise", BOTH)
def test_the_folder_tells(tmp_path, exercise, folder):
    """Of the exercise, or of its chapter."""
    given = put(tmp_path, f"{folder.format(exercise)}/answer.py")
    assert read(given).files == {exercise.stem: PLAIN}


@pytest.mark.parametrize("exercise", BOTH)
def test_the_text_tells(tmp_path, exercise):
    """What is named in it, or else the words that the stub has and the other one hasn't."""
    named = f"# Exercise {exercise.chapter}{exercise.letter}\n".encode() + PLAIN
    assert read(put(tmp_path / "named", "answer.py", named)).files == {exercise.stem: named}
    solved = exercise.solution.read_bytes()
    assert read(put(tmp_path / "solved", "answer.py", solved)).files == {exercise.stem: solved}


def test_two_files_are_told_apart(tmp_path):
    """Each is for its own exercise, though neither is named for it."""
    put(tmp_path, "one.py", EARLY.solution.read_bytes())
    given = put(tmp_path, "two.py", UPGRADE.solution.read_bytes())
    assert read(given).files == {each.stem: each.solution.read_bytes() for each in BOTH}


@pytest.mark.parametrize("exercise", BOTH)
def test_the_heading_above_a_cell_tells(tmp_path, exercise):
    """The last one above it."""
    title = exercise.name.replace("_", " ")
    cells = [
        {"cell_type": "markdown", "source": f"# Homework\n\n## Your turn: {title}\n\nSome words."},
        {"cell_type": "code", "source": PLAIN.decode()},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4}).encode()
    assert list(read(put(tmp_path, "homework.ipynb", text)).files) == [exercise.stem]


def test_what_nothing_tells_is_tried_for_both(tmp_path):
    """And that is noted: it is never lost."""
    came = read(put(tmp_path, "answer.py"))
    assert came.files == {each.stem: PLAIN for each in BOTH}
    assert all(OF_SEVERAL in note for note in came.notes)
    assert len(came.notes) == len(BOTH)


def test_an_answer_under_the_other_ones_name_is_tried_for_its_own(tmp_path):
    """The name counts, and so does what the text is plainly for."""
    text = UPGRADE.solution.read_bytes()
    came = read(put(tmp_path, f"{EARLY.stem}.py", text))
    assert came.files == {EARLY.stem: text, UPGRADE.stem: text}


def test_a_function_that_one_exercise_asks_for_is_for_that_one():
    """Whatever else stands around it."""
    assert defined(b"def cleanse(rides): pass", "ch08b_upgrade") == ["ch01a_ride_cleansing"]
