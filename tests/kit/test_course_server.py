"""What JupyterLab's panel and buttons are told about the course, and what they may change."""

import json
import subprocess
import sys

import pytest

from trainer.course.exercise import exercises, find
from trainer.learner import course_server
from trainer.learner.course_server import course, start_over
from trainer.learner.lab import SETTINGS
from trainer.learner.progress import Progress

TIPS = find("hourly_tips")


@pytest.fixture
def progress(tmp_path) -> Progress:
    """Somebody who has done nothing yet."""
    return Progress(tmp_path / "progress.json")


def test_every_exercise_stands_in_its_chapter(progress):
    """In the order of the course, each once, in the chapter whose notebook tells of it."""
    told = course(progress)
    listed = [each["stem"] for chapter in told["chapters"] for each in chapter["exercises"]]
    assert listed == [each.stem for each in exercises()]
    windows = told["chapters"][TIPS.chapter]
    assert (windows["title"], windows["notebook"]) == ("Windows", "notebooks/04_windows.ipynb")
    assert told["next"] == listed[0]


def test_a_verdict_is_told_by_sign_and_word(progress, tmp_path, monkeypatch):
    """Not by a colour alone."""
    monkeypatch.setattr(course_server.overview, "is_untouched", lambda exercise: False)
    progress.attempted(TIPS.stem, "wrong")
    chapter = course(progress)["chapters"][TIPS.chapter]["exercises"]
    told = next(each for each in chapter if each["stem"] == TIPS.stem)
    assert (told["mark"], told["verdict"], told["colour"]) == ("✗", "wrong", "red")


RESET = """
import json, sys
from trainer.course.exercise import find
from trainer.learner.course_server import start_over
from trainer.learner.progress import Progress
exercise = find("hourly_tips")
exercise.stub.write_text("in_the_file = 1\\n")
done = start_over(exercise, sys.argv[1] if len(sys.argv) > 1 else None, Progress())
print(json.dumps({"done": done, "there": exercise.stub.read_text()}))
"""


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ((), ["in_the_file = 1\n"]),
        (("in_the_file = 1\n",), ["in_the_file = 1\n"]),
        (("in_the_cell = 2\n",), ["in_the_file = 1\n", "in_the_cell = 2\n"]),
    ],
    ids=["no cell", "the cell as the file", "the cell further than the file"],
)
def test_a_reset_keeps_what_was_written(clone, cell, kept):
    """In the file, and in a cell that was not run yet; what is as it was issued is not kept."""
    command = [sys.executable, "-c", RESET, *cell]
    told = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=True).stdout
    result = json.loads(told)
    assert result["there"] == result["done"]["text"] == TIPS.issued.read_text()
    assert [(clone / name).read_text() for name in result["done"]["kept"]] == kept


def test_an_untouched_exercise_is_reset_to_what_it_is(progress):
    """There is nothing to keep, and nothing wrong."""
    assert start_over(TIPS, TIPS.issued.read_text(), progress)["kept"] == []


def test_the_extension_is_found_where_lab_looks_for_it():
    """JupyterLab loads the file that package.json names; nothing has to be built."""
    folder = SETTINGS / "labextensions" / "taxi-streams"
    described = json.loads((folder / "package.json").read_text())
    assert (folder / described["jupyterlab"]["_build"]["load"]).is_file()
    assert folder.name == described["name"]
