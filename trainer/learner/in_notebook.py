"""Checks in a notebook: one report, shown in one place, part by part, as it becomes known."""

from IPython.display import DisplayHandle

from trainer.checking.report import Report, examine
from trainer.checking.verdict import Kind
from trainer.course.exercise import Exercise
from trainer.display.notebook import Shown
from trainer.learner.progress import Progress


def check(exercise: Exercise) -> None:
    """Check the answer in `exercises/` and show the report, part by part, in one place."""
    handle = DisplayHandle()
    shown = False

    def tell(report: Report, searching: bool = True) -> None:
        nonlocal shown
        (handle.update if shown else handle.display)(Shown(report, searching))
        shown = True

    report = examine(exercise, tell=tell)
    if report.verdict.kind is Kind.WRONG:
        tell(report, searching=False)
    if report.verdict.kind is not Kind.UNTOUCHED:
        Progress().attempted(exercise.stem, report.verdict.kind)
