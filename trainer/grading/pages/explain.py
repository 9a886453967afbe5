"""Why an answer is wrong, found out without running it again: what it gave was recorded."""

import base64
import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from trainer.checking import recognition
from trainer.checking.case import Case
from trainer.checking.cuts import KEYS, filtered
from trainer.checking.reference import given_by_the_reference
from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course import safe_file
from trainer.course.exercise import Exercise
from trainer.display import html
from trainer.grading.book.grades import Evidence, ExerciseGrade
from trainer.rows import Row
from trainer.running.answer import AnswerError
from trainer.running.result import Outcome, Result, outputs

# What misconceptions give is mostly known; only what isn't takes time.
PATIENCE = 120


class Explainer:
    """Runs the reference, on each script only once, and recognises misconceptions."""

    def __init__(self, pictures: Path) -> None:
        """Put pictures into a folder."""
        self.pictures = pictures
        self.known: dict[tuple[Exercise, str], Outcome | None] = {}

    def explain(
        self, exercise: Exercise, grade: ExerciseGrade, verdict: Verdict, secrets: set[str]
    ) -> ExerciseGrade:
        """Add to a wrong answer's grade the idea behind it and the rows that show it.

        `secrets` are the checks whose rows are no learner's business: others are shown first.
        """
        if verdict.kind is not Kind.WRONG:
            return grade
        failed = [check for check in verdict.checks if not check.passed]
        shown = self._evidence(exercise, sorted(failed, key=lambda check: check.name in secrets))
        idea = recognition.misconception(exercise, verdict, PATIENCE)
        told = " ".join(idea.split()) if idea else None
        return replace(grade, misconception=told, evidence=shown)

    def _evidence(self, exercise: Exercise, failed: Sequence[Check]) -> Evidence | None:
        for check in failed:
            for made in check.runs:
                expected = self._expected(exercise, made)
                if expected is None:
                    continue
                case = Case(made.scenario, made.outcome, expected)
                if case.differences:
                    case = focus(case)
                    return Evidence(check.name, tuple(html.grids(case)), self._picture(case))
        return None

    def _picture(self, case: Case) -> str:
        with warnings.catch_warnings():
            # Times that lie centuries apart are a hard case for an axis, and no news to anyone.
            warnings.simplefilter("ignore")
            drawn = base64.b64decode(html.picture_of(case))
        if not drawn:
            return ""
        name = f"{hashlib.sha256(drawn).hexdigest()[:16]}.png"
        safe_file.write(self.pictures / name, drawn)
        return name

    def _expected(self, exercise: Exercise, made: Run) -> Outcome | None:
        key = exercise, made.name
        if made.seed is None and key in self.known:
            return self.known[key]
        try:
            outcome = given_by_the_reference(exercise, made.scenario)
        except AnswerError:
            outcome = None
        if made.seed is None:
            # The same for all students; a generated stream is each one's own.
            self.known[key] = outcome
        return outcome


def focus(case: Case) -> Case:
    """Leave out what has nothing to do with the first row that differs, as far as keys tell."""
    wrong = next((each.first for each in case.differences if each.first), [])
    key = next((key for key in KEYS if any(key in row for row in wrong)), None)
    if key is None:
        return case
    values = [row[key] for row in wrong if key in row]

    def keep(row: Row) -> bool:
        return key not in row or row[key] in values

    smaller = Case(
        filtered(case.scenario, keep), _some(case.came, keep), _some(case.expected, keep)
    )
    return smaller if smaller.differences else case


def _some(outcome: Outcome, keep: Callable[[Row], bool]) -> Outcome:
    def some(result: Result) -> Result:
        return replace(result, batches=_batches(result.batches, keep))

    if isinstance(outcome, dict):
        return {name: some(result) for name, result in outputs(outcome).items()}
    return some(outcome)


def _batches(batches: list, keep: Callable[[Row], bool]) -> list:
    return [[row for row in batch if keep(row)] for batch in batches]
