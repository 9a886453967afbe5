"""Which checks there are: collected from the graders before anything is graded."""

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from trainer.checking import pytest_plugin
from trainer.checking.graders import check_name, fact_of, pytest_command
from trainer.checking.runs import depends_on_seed
from trainer.course.exercise import Exercise
from trainer.course.problem import Problem


@dataclass(frozen=True)
class Listed:
    """One check: `extra` is an instructor's own, `seeded` rests on the seed."""

    name: str
    fact: str
    extra: bool
    seeded: bool


class _Lister:
    def __init__(self, exercise: Exercise) -> None:
        self.exercise, self.found = exercise, []
        self.has_columns = True

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        self.found += [
            Listed(
                check_name(item, self.exercise),
                fact_of(item),
                item.path != self.exercise.grader,
                depends_on_seed(item),
            )
            for item in items
        ]
        self.has_columns = all(hasattr(item.module, "COLUMNS") for item in items)


def extra_grader(tests: Path | None, exercise: Exercise) -> Path | None:
    """Find an instructor's own grader of an exercise."""
    file = tests / exercise.grader.name if tests else None
    return file if file and file.exists() else None


def catalogue(exercises: Sequence[Exercise], tests: Path | None) -> dict[str, list[Listed]]:
    """List the checks of each exercise, those of an instructor's folder too."""
    _require_graders(exercises, tests)
    return {each.stem: _list(each, extra_grader(tests, each)) for each in exercises}


def _require_graders(exercises: Sequence[Exercise], tests: Path | None) -> None:
    if tests and not any(extra_grader(tests, each) for each in exercises):
        names = ", ".join(each.grader.name for each in exercises[:3])
        raise Problem(f"No grader in {tests} is for one of these exercises; expected {names}, ….")


def _list(exercise: Exercise, extra: Path | None) -> list[Listed]:
    found = []
    for file in filter(None, (exercise.grader, extra)):
        lister, said = _Lister(exercise), io.StringIO()
        with contextlib.redirect_stdout(said):
            # Nothing is run, but every name that a check asks for is looked up.
            command = [*pytest_command([file]), "--setup-plan"]
            code = pytest.main(command, plugins=[pytest_plugin, lister])
        if code != 0 or not lister.found:
            reasons = [
                line[1:].strip() for line in said.getvalue().splitlines() if line[:2] == "E "
            ]
            raise _not_a_grader(file, reasons[-1] if reasons else "it holds no check")
        if not lister.has_columns:
            raise _not_a_grader(file, "it has no COLUMNS, the contract of its runs")
        found += lister.found
    return found


def _not_a_grader(file: Path, why: str) -> Problem:
    return Problem(f"The grader {file} can't be run: {why}. GRADING.md says how to write one.")
