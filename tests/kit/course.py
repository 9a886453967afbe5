"""All right and wrong answers that the course knows of, as tests need them."""

import ast
from pathlib import Path

import pytest

from trainer.checking.misconceptions import misconceptions
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, exercises

ALWAYS_TRIED = 6


def alternatives_file(exercise: Exercise) -> Path:
    """Name the file with right answers that are written another way."""
    return ROOT / "tests" / "alternatives" / f"{exercise.stem}.py"


def alternatives(exercise: Exercise) -> list[str]:
    """List the functions in that file."""
    file = alternatives_file(exercise)
    tree = ast.parse(file.read_text()).body if file.exists() else []
    names = [node.name for node in tree if isinstance(node, ast.FunctionDef)]
    return [name for name in names if not name.startswith("_")]


def wrong_answers() -> list:
    """List the misconceptions, as parameters of a test: (exercise, function).

    The first of each exercise are tried with every change, the others overnight.
    """
    return [
        pytest.param(
            *(exercise, wrong),
            id=f"{exercise.name}-{wrong.__name__}",
            marks=[pytest.mark.overnight] if number >= ALWAYS_TRIED else [],
        )
        for exercise in exercises()
        for number, wrong in enumerate(misconceptions(exercise))
    ]


def as_submitted(exercise: Exercise, file: Path, function: str) -> str:
    """Give one function of a file as a whole answer."""
    return f"{file.read_text()}\n\n{exercise.function} = {function}\n"
