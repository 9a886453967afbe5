"""The stub, put back without losing what was written."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from trainer.course.problem import Problem
from trainer.course.stub import is_untouched, reset


@dataclass
class Files:
    """A stub and its issued copy."""

    stub: Path
    issued: Path


@pytest.fixture
def exercise(tmp_path):
    """An exercise of the test's own, as issued."""
    (tmp_path / "issued.py").write_text("def f(): raise NotImplementedError\n")
    shutil.copyfile(tmp_path / "issued.py", tmp_path / "ch01a_f.py")
    return Files(tmp_path / "ch01a_f.py", tmp_path / "issued.py")


def test_what_was_written_is_kept_each_time(exercise):
    """Two resets keep two versions, under names that count up."""
    for text in ("first", "second"):
        exercise.stub.write_text(text)
        assert reset(exercise).read_text() == text
        assert is_untouched(exercise)
    kept = sorted(path.name for path in exercise.stub.parent.glob("*.mine-*"))
    assert kept == ["ch01a_f.py.mine-1", "ch01a_f.py.mine-2"]


def test_a_stub_that_is_gone_comes_back(exercise):
    """Deleting the file loses nothing but itself."""
    exercise.stub.unlink()
    assert reset(exercise) is None
    assert is_untouched(exercise)


def test_an_untouched_stub_is_left_alone(exercise):
    """One line says that there is nothing to do."""
    with pytest.raises(Problem, match="as it was issued"):
        reset(exercise)
