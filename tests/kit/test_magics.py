"""A stub edited in a notebook's cell: the file is what counts, and nothing is overwritten."""

import re

import pytest
from IPython.core.interactiveshell import InteractiveShell

from trainer.course.exercise import exercises
from trainer.learner import magics
from trainer.learner.contract import contract
from trainer.learner.progress import Progress


class Exercise:
    """An exercise of the test's own."""

    stem, name = "ch01a_f", "f"

    def __init__(self, folder):
        """Lay the stub and its issued copy into a folder."""
        self.stub, self.issued = folder / "ch01a_f.py", folder / "issued.py"
        for file in (self.stub, self.issued):
            file.write_text("as issued\n")


@pytest.fixture
def exercise(tmp_path, monkeypatch):
    """An exercise with progress of its own; what is checked is kept in `checked`."""
    monkeypatch.setattr(magics, "ROOT", tmp_path)
    monkeypatch.setattr(magics, "Progress", lambda: Progress(tmp_path / "progress.json"))
    exercise = Exercise(tmp_path)
    exercise.checked = []
    monkeypatch.setattr(magics, "find", lambda name: exercise)
    monkeypatch.setattr(magics, "check", exercise.checked.append)
    monkeypatch.setattr(magics, "contract", lambda exercise: "the contract")
    return exercise


@pytest.fixture
def magic():
    """The magic, in a shell that remembers the cells it is to make, and which take a place."""
    shell = InteractiveShell()
    shell.cells, shell.replaced = [], []

    def set_next_input(text, replace):
        shell.cells.append(text)
        shell.replaced.append(replace)

    shell.set_next_input = set_next_input
    return magics.ExerciseMagics(shell)


def test_the_stub_comes_into_the_cell(magic, exercise):
    """As it is now, under the magic that saves and checks it; a second run adds no second one."""
    exercise.stub.write_text("mine\n")
    magic.exercise("f")
    assert magic.shell.cells == ["%%exercise ch01a_f\nmine\n"]
    assert magic.shell.replaced == [True]
    assert exercise.checked == []


def test_a_cell_with_more_in_it_is_kept(magic, exercise):
    """The stub comes into the next one then."""
    magic.shell.history_manager.input_hist_raw.append("my_own = 1\n%exercise f")
    magic.exercise("f")
    assert magic.shell.replaced == [False]


def test_the_contract_is_shown_for_reading(magic, exercise, capsys):
    """Below the cell, where no line of it is cut off."""
    magic.exercise("f")
    assert "Markdown object" in capsys.readouterr().out


@pytest.mark.parametrize("each", exercises(), ids=lambda each: each.stem)
def test_a_contract_is_markdown(each):
    """The story, how the function is called, and the rules as a list."""
    text = contract(each)
    assert text.startswith("#### ")
    assert f"`{each.function}(" in text
    assert "**Output" in text
    # A piece of code in a sentence is no head.
    assert not [head for head in re.findall(r"\*\*(.*?):\*\*", text) if "{" in head]


def test_running_the_cell_saves_and_checks(magic, exercise):
    """The file holds what the cell says, and it is the file that is checked."""
    magic.exercise("f")
    magic.exercise("f", "first\n")
    magic.exercise("f", "second\n")
    assert exercise.stub.read_text() == "second\n"
    assert exercise.checked == ["ch01a_f", "ch01a_f"]


def test_a_file_edited_elsewhere_is_not_overwritten(magic, exercise, capsys):
    """Neither is the cell; the learner is told, and nothing is checked."""
    magic.exercise("f")
    exercise.stub.write_text("from the editor\n")
    magic.exercise("f", "from the cell\n")
    assert exercise.stub.read_text() == "from the editor\n"
    assert exercise.checked == []
    assert "ch01a_f.py was edited elsewhere since this cell" in capsys.readouterr().out


def test_an_old_notebook_does_not_overwrite_todays_work(magic, exercise, capsys):
    """A cell that never met the file's text can't replace it, after a restart either."""
    exercise.stub.write_text("today's work\n")
    magic.exercise("f", "yesterday's cell\n")
    assert exercise.stub.read_text() == "today's work\n"
    assert "nothing was overwritten" in capsys.readouterr().out


def test_a_cell_that_says_what_the_file_says_is_checked(magic, exercise):
    """Edited elsewhere or not: where both agree, there is nothing to lose."""
    exercise.stub.write_text("the same\n")
    magic.exercise("f", "the same")
    assert exercise.checked == ["ch01a_f"]


def test_after_bringing_the_file_in_again_work_goes_on(magic, exercise):
    """The way out of a conflict, as the message says it."""
    exercise.stub.write_text("from the editor\n")
    magic.exercise("f")
    magic.exercise("f", "both\n")
    assert exercise.stub.read_text() == "both\n"


def test_running_all_cells_again_does_not_bring_back_old_text(magic, exercise, capsys):
    """The file is brought into a new cell first; the old cell below may not overwrite it."""
    magic.exercise("f")
    magic.exercise("f", "from the cell\n")
    exercise.stub.write_text("later, from the editor\n")
    magic.exercise("f")
    magic.exercise("f", "from the cell\n")
    assert exercise.stub.read_text() == "later, from the editor\n"
    assert "nothing was overwritten" in capsys.readouterr().out


def test_a_deleted_stub_is_told(magic, exercise, capsys):
    """One line, with the command that puts it back."""
    exercise.stub.unlink()
    magic.exercise("f")
    assert capsys.readouterr().out == "ch01a_f.py is gone; `!trainer reset f` puts it back.\n"
