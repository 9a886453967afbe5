"""What a grade is worth: points by exercise, and by check where there is partial credit."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from trainer.course.problem import Problem
from trainer.grading.book import lateness
from trainer.grading.book.grades import ERROR, ExerciseGrade, rounded
from trainer.grading.book.lateness import Rule

# What a gradebook's column is called, where nothing else is said.
COLUMN = "Taxi Streams"
EXPECTED = """expected, for instance:
[points]
ch01a_ride_cleansing = 2
[checks.ch01a_ride_cleansing]
test_the_border_is_inside = 3"""


@dataclass(frozen=True)
class Points:
    """How grades turn into points.

    An exercise is worth one point, all or nothing. With `partial`, or where weights of its checks
    are given, its points are divided among its checks; one that is not named weighs 1.
    """

    exercises: Mapping[str, float] = field(default_factory=dict)
    checks: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    partial: bool = False
    late: Rule | None = None
    column: str = COLUMN

    def of(self, grade: ExerciseGrade) -> ExerciseGrade:
        """Give a grade with its points."""
        most = rounded(self.exercises.get(grade.exercise, 1))
        if grade.verdict == ERROR:
            return replace(grade, score=None, max_score=most)
        share = 1 if grade.verdict == "correct" else self._share(grade)
        return replace(grade, score=rounded(most * share), max_score=most)

    def _share(self, grade: ExerciseGrade) -> float:
        weights = self.checks.get(grade.exercise)
        if weights is None and not self.partial:
            return 0
        weighed = [((weights or {}).get(check.name, 1), check.outcome) for check in grade.checks]
        total = sum(weight for weight, _ in weighed)
        passed = sum(weight for weight, outcome in weighed if outcome == "passed")
        return passed / total if total else 0


def read(file: Path | None, partial: bool, checks: Mapping[str, Iterable[str]]) -> Points:
    """Read a file of weights; `checks` are the names there are, by exercise."""
    if file is None:
        return Points(partial=partial)
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Problem(f"{file} cannot be read as weights ({error}); {EXPECTED}") from None
    points, weights = given.pop("points", {}), given.pop("checks", {})
    partial = given.pop("partial", partial)
    late, column = lateness.rule(given.pop("late", None), file), given.pop("column", COLUMN)
    _require_known(given, ("points", "checks", "partial", "late", "column"), file)
    if not isinstance(column, str) or not column.isprintable() or not 0 < len(column) < 200:
        raise Problem(f"{file} calls the gradebook's column {column!r}; expected its name.")
    for table in (points, weights):
        _require_known(table, checks, file)
    for stem, table in weights.items():
        _require_known(table, checks[stem], file)
    for table in (points, *weights.values()):
        _require_numbers(table, file)
    return Points(points, weights, partial, late, column)


def _require_known(names: Iterable[str], known: Iterable[str], file: Path) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise Problem(
                f"{file} names {name!r}, which there is not. "
                + (f"Did you mean {near[0]}?" if near else f"There is {', '.join(known)}.")
            )


def _require_numbers(table: Mapping[str, object], file: Path) -> None:
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise Problem(
                f"{file} gives {name} the weight {value!r}; expected a number, 0 or more."
            )
