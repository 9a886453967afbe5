"""Checks an answer: the verdict first, then what teaches."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from trainer.exercise import Exercise
from trainer.feedback import Case, case, failing, misconception
from trainer.verdict import Check, Verdict, grade


@dataclass(frozen=True)
class Report:
    """What there is to say about one answer; the later parts may still be on their way."""

    exercise: Exercise
    verdict: Verdict
    rule: Check | None = None
    misconception: str | None = None
    case: Case | None = None


def examine(
    exercise: Exercise,
    path: Path | None = None,
    *,
    function: str | None = None,
    tell: Callable[[Report], object] = lambda report: None,
    patience: float = 5,
) -> Report:
    """Grade an answer, and find out why it is wrong; `tell` hears each step as it is known.

    `patience` is how many seconds may go into cutting down the case.
    """
    from trainer import scenario
    from trainer.loading import load

    path = path or exercise.stub
    report = Report(exercise, grade(exercise, path, function=function))
    tell(report)
    rule = failing(report.verdict)
    if rule is None:
        return report
    report = replace(report, rule=rule, misconception=misconception(exercise, report.verdict))
    tell(report)
    answer = partial(scenario.run, load(path, function or exercise.function))
    report = replace(report, case=case(exercise, rule, answer, patience))
    tell(report)
    return report
