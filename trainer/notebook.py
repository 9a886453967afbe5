"""Reports in a notebook: shown in one place, part by part, as they become known."""

import io

from IPython.display import DisplayHandle
from rich.console import Console

from trainer import html, terminal
from trainer.exercise import Exercise
from trainer.progress import Progress
from trainer.report import Report, examine
from trainer.verdict import Kind


class Shown:
    """A report as a notebook shows it: HTML, and plain text where HTML isn't shown."""

    def __init__(self, report: Report, searching: bool = False) -> None:
        """Show this report; while it is searching, say so."""
        self.report, self.searching = report, searching

    def _repr_html_(self) -> str:
        return html.render(
            self.report, searching=self.searching, next_step=terminal.next_step(self.report)
        )

    def __repr__(self) -> str:
        """Write it as plain text."""
        # In a notebook rich would show it by itself, as well.
        console = Console(file=io.StringIO(), width=100, force_jupyter=False, color_system=None)
        for part in terminal.parts(self.report):
            console.print(part)
        return console.file.getvalue().strip()


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
