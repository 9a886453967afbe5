"""The stub, put back without losing what was written."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from trainer.course.problem import Problem
from trainer.course.stub import is_untouched, kept, reset, undo_reset


@dataclass
class Files:
    """A stub and its issued copy."""

    stub: Path
    issued: Path
    stem: str = "ch01a_f"


@pytest.fixture
def exercise(tmp_path):
    """An exercise of the test's own, as issued."""
    (tmp_path / "issued.py").write_text("def f(): raise NotImplementedError\n")
    shutil.copyfile(tmp_path / "issued.py", tmp_path / "ch01a_f.py")
    return Files(tmp_path / "ch01a_f.py", tmp_path / "issued.py")


@pytest.fixture
def mine(tmp_path):
    """The folder in which things are kept."""
    return tmp_path / "mine"


def test_what_was_written_is_kept_each_time(exercise, mine):
    """Many resets keep many versions, under names that count up, apart from the exercises."""
    for number in range(1, 12):
        exercise.stub.write_text(f"answer {number}")
        assert reset(exercise, mine).read_text() == f"answer {number}"
        assert is_untouched(exercise)
    assert [path.name for path in kept(exercise, mine)] == [f"ch01a_f-{n}.py" for n in range(1, 12)]
    assert sorted(path.name for path in mine.parent.glob("*.py*")) == ["ch01a_f.py", "issued.py"]


def test_a_reset_can_be_undone(exercise, mine):
    """The last version stands in its place again, and isn't kept twice."""
    for text in ("first", "second"):
        exercise.stub.write_text(text)
        reset(exercise, mine)
    assert undo_reset(exercise, mine) is None
    assert exercise.stub.read_text() == "second"
    assert [path.read_text() for path in kept(exercise, mine)] == ["first"]


def test_an_undo_loses_nothing_either(exercise, mine):
    """What was written since is kept in its turn, so that a second undo undoes the first."""
    exercise.stub.write_text("before")
    reset(exercise, mine)
    exercise.stub.write_text("since")
    assert undo_reset(exercise, mine).read_text() == "since"
    assert exercise.stub.read_text() == "before"
    undo_reset(exercise, mine)
    assert exercise.stub.read_text() == "since"


def test_nothing_kept_is_nothing_to_bring_back(exercise, mine):
    """One line says so."""
    with pytest.raises(Problem, match=r"Nothing of ch01a_f is kept in mine/\."):
        undo_reset(exercise, mine)


def test_a_stub_that_is_gone_comes_back(exercise, mine):
    """Deleting the file loses nothing but itself."""
    exercise.stub.unlink()
    assert reset(exercise, mine) is None
    assert is_untouched(exercise)


def test_an_untouched_stub_is_left_alone(exercise, mine):
    """One line says that there is nothing to do."""
    with pytest.raises(Problem, match="as it was issued"):
        reset(exercise, mine)
