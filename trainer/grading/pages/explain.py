"""Why an answer is wrong, found out without running it again: what it gave was recorded."""

import base64
import hashlib
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from trainer.checking import recognition
from trainer.checking.case import Case
from trainer.checking.cuts import KEYS, filtered
from trainer.checking.reference import expected
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course import safe_file
from trainer.course.exercise import Exercise
from trainer.display import html
from trainer.grading.book.grades import Evidence
from trainer.grading.sandbox.apart import Apart
from trainer.rows import Row
from trainer.running.answer import AnswerError
from trainer.running.result import Outcome, Result, outputs
from trainer.spark.session import session

# What misconceptions give is mostly known; only what isn't takes time.
PATIENCE = 120
SECONDS = PATIENCE + 60
Explained = dict[str, object]


class Explainer:
    """Explains wrong answers in a process of its own: nobody knows how large what they gave is."""

    def __init__(self, pictures: Path) -> None:
        """Put pictures into a folder."""
        self.process = Apart(partial(_explained, pictures), prepare=partial(session, ui=False))

    def explain(self, exercise: Exercise, verdict: Verdict, secrets: set[str]) -> Explained:
        """Give what a wrong answer's grade gains: the idea behind it, the rows that show it.

        `secrets` are the checks whose rows are no learner's business: others are shown first.
        """
        if verdict.kind is not Kind.WRONG:
            return {}
        return self.process.ask((exercise, verdict, secrets), SECONDS)

    def close(self) -> None:
        """End the process."""
        self.process.dismiss()


def _explained(pictures: Path, asked: tuple[Exercise, Verdict, set[str]]) -> Explained:
    exercise, verdict, secrets = asked
    failed = [check for check in verdict.checks if not check.passed]
    public_first = sorted(failed, key=lambda check: check.name in secrets)
    idea = recognition.misconception(exercise, verdict, PATIENCE)
    return {
        "misconception": " ".join(idea.split()) if idea else None,
        "evidence": _evidence(exercise, public_first, pictures),
    }


def _evidence(exercise: Exercise, failed: Sequence[Check], pictures: Path) -> Evidence | None:
    for check in failed:
        for made in check.runs:
            with suppress(AnswerError):
                case = Case(made.scenario, made.outcome, expected(exercise, made))
                if case.differences:
                    case = focus(case)
                    grids = tuple(html.grids(case))
                    return Evidence(check.name, grids, _picture(case, pictures))
    return None


def _picture(case: Case, pictures: Path) -> str:
    with warnings.catch_warnings():
        # Times that lie centuries apart are a hard case for an axis, and no news to anyone.
        warnings.simplefilter("ignore")
        drawn = base64.b64decode(html.picture_of(case))
    if not drawn:
        return ""
    name = f"{hashlib.sha256(drawn).hexdigest()[:16]}.png"
    safe_file.write(pictures / name, drawn)
    return name


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
