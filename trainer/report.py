"""Checks an answer: the verdict first, then what teaches."""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from trainer.case import Case
from trainer.exercise import Exercise
from trainer.feedback import case, failing
from trainer.recognition import misconception
from trainer.verdict import Check, Kind, Verdict, grade


@dataclass(frozen=True)
class Report:
    """What there is to say about one answer; the later parts may still be on their way."""

    exercise: Exercise
    verdict: Verdict
    rule: Check | None = None
    misconception: str | None = None
    case: Case | None = None

    @property
    def correct(self) -> bool:
        """Whether the verdict is `correct`."""
        return self.verdict.kind is Kind.CORRECT


def examine(
    exercise: Exercise,
    path: Path | None = None,
    *,
    function: str | None = None,
    tell: Callable[[Report], object] = lambda report: None,
    patience: float = 5,
    limit: float = 90,
) -> Report:
    """Grade an answer, and find out why it is wrong; `tell` hears each step as it is known.

    `patience` is how many seconds may go into cutting down the case, `limit` into one run.
    """
    from trainer.loading import load

    path = path or exercise.stub
    report = Report(exercise, grade(exercise, path, function=function, limit=limit))
    tell(report)
    rule = failing(report.verdict)
    if rule is None:
        return report
    report = replace(report, rule=rule, misconception=misconception(exercise, report.verdict))
    tell(report)
    # What the answer prints would only push the report off the screen.
    with contextlib.redirect_stdout(io.StringIO()):
        answer = load(path, function or exercise.function)
        found = case(exercise, rule, answer, patience)
    report = replace(report, case=found)
    tell(report)
    return report
