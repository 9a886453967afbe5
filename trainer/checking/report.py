"""Checks an answer: the verdict first, then what teaches."""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from trainer.checking.case import Case
from trainer.checking.counterexample import case, failed, failing
from trainer.checking.crash import Crash, cut, met
from trainer.checking.graders import Counting, verdict_on
from trainer.checking.parts import Missing, Part, had
from trainer.checking.recognition import misconception
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import Exercise
from trainer.running.snapshot import snapshot


@dataclass(frozen=True)
class Report:
    """What there is to say about one answer; the later parts may still be on their way."""

    exercise: Exercise
    verdict: Verdict
    rule: Check | None = None
    misconception: str | None = None
    case: Case | None = None
    crash: Crash | None = None
    missing: tuple[Missing, ...] = ()

    @property
    def correct(self) -> bool:
        """Whether the verdict is `correct`."""
        return self.verdict.kind is Kind.CORRECT

    @property
    def other_rule(self) -> str | None:
        """The rule that the case breaks, where it isn't the one that decided."""
        rule = self.case.rule if self.case else None
        return rule if rule != self.verdict.message else None

    def and_if_it_can_be_had(self, name: str, part: str, find: Callable[[], object]) -> "Report":
        """Give this report with one thing more, or with what it lacks."""
        found = had(part, find)
        if isinstance(found, Missing):
            return replace(self, missing=(*self.missing, found))
        return replace(self, **{name: found})


def examine(
    exercise: Exercise,
    path: Path | None = None,
    *,
    function: str | None = None,
    tell: Callable[[Report], object] = lambda report: None,
    count: Callable[[int, int], object] = lambda through, all_of_them: None,
    patience: float = 45,
    limit: float = 90,
) -> Report:
    """Grade an answer, and find out why it is wrong; `tell` hears each step as it is known.

    `count` hears how many of how many checks are through. `patience` is how many seconds may go
    into cutting down the case, `limit` into one run.
    """
    # What is saved in the meantime counts the next time: a verdict and its case are of one text.
    with snapshot(path or exercise.stub) as still:
        function = function or exercise.function
        verdict = verdict_on(
            exercise, still, function=function, limit=limit, plugins=[Counting(count)]
        )
        report = Report(exercise, verdict)
        tell(report)
        if crash := met(verdict):
            report = report.and_if_it_can_be_had(
                "crash",
                "case",
                lambda: _quietly(lambda answer: cut(crash, answer, patience), still, function),
            )
            tell(report)
        rule = failing(report.verdict)
        if rule is None:
            return report
        report = replace(report, rule=rule).and_if_it_can_be_had(
            "misconception", "idea", lambda: misconception(exercise, report.verdict)
        )
        tell(report)
        report = report.and_if_it_can_be_had(
            "case",
            "case",
            lambda: _quietly(
                lambda answer: case(exercise, failed(verdict), answer, patience),
                still,
                function,
            ),
        )
    tell(report)
    return report


def _quietly(find: Callable[[Callable], Part], path: Path, function: str) -> Part:
    """Find something by an answer that is run for it: what that prints is not to be seen."""
    from trainer.running.loading import load

    # It would only push the report off the screen.
    with contextlib.redirect_stdout(io.StringIO()):
        return find(load(path, function))
