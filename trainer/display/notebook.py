"""Reports in a notebook: shown in one place, part by part, as they become known."""

import io

from rich.console import Console

from trainer.checking.report import Report
from trainer.display import html, terminal


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
