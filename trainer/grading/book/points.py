"""What a grade is worth: points by exercise, and by check where there is partial credit."""

import math
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from trainer.course.exercise import exercises
from trainer.course.problem import Problem
from trainer.grading.book import lateness
from trainer.grading.book.given import require_known, text_of
from trainer.grading.book.grades import ERROR, ExerciseGrade, rounded
from trainer.grading.book.lateness import Rule

# What a gradebook's column is called, where nothing else is said.
COLUMN = "Taxi Streams"
EXPECTED = "expected tables as GRADING.md shows them: [points], [checks.…], [late]"
OTHER = "`trainer list` shows all exercises."


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


def read(file: Path | None, partial: bool, checks: Mapping[str, Collection[str]]) -> Points:
    """Read a file of weights; `checks` are the names there are, by exercise that is graded.

    It may be for the whole course: an exercise that is not graded this time is no mistake.
    """
    if file is None:
        return Points(partial=partial)
    text = text_of(file, "weights", EXPECTED)
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{file} cannot be read as weights: {error}; {EXPECTED}.") from None
    points, weights = given.pop("points", {}), given.pop("checks", {})
    partial = given.pop("partial", partial)
    late, column = lateness.rule(given.pop("late", None), file), given.pop("column", COLUMN)
    require_known(given, ("points", "checks", "partial", "late", "column"), f"{file}")
    if not isinstance(column, str) or not column.isprintable() or not 0 < len(column) < 200:
        raise Problem(f"{file} calls the gradebook's column {column!r}; expected its name.")
    if not isinstance(partial, bool):
        raise Problem(f"{file} has partial = {partial!r}; expected true or false.")
    known = [*dict.fromkeys((*checks, *(each.stem for each in exercises())))]
    for name, table in (("points", points), ("checks", weights)):
        _require_table(table, name, file)
        require_known(table, known, f"{file}", OTHER)
    for stem, table in weights.items():
        _require_table(table, f"checks.{stem}", file)
        if stem in checks:
            require_known(table, checks[stem], f"{file}")
    for table in (points, *weights.values()):
        _require_numbers(table, file)
    return Points(points, weights, partial, late, column)


def _require_table(given: object, name: str, file: Path) -> None:
    if not isinstance(given, Mapping):
        raise Problem(f"{file} has {name} = {given!r}; expected a table: [{name}].")


def _require_numbers(table: Mapping[str, object], file: Path) -> None:
    for name, value in table.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value < math.inf:
            raise Problem(
                f"{file} gives {name} the weight {value!r}; expected a number, 0 or more."
            )
