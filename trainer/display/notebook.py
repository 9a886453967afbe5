"""Reports in a notebook: shown in one place, part by part, and in a notebook's own words."""

import io
import re
from dataclasses import dataclass, replace

from rich.console import Console

from trainer.checking.report import Report
from trainer.checking.verdict import Kind
from trainer.display import html, terminal
from trainer.display.pages import fill

IN_THE_FILE = re.compile(r"\(line (\d+)(?=[:)])")


class Shown:
    """A report as a notebook shows it: HTML, and plain text where HTML isn't shown."""

    def __init__(self, report: Report, searching: bool = False, in_a_cell: bool = False) -> None:
        """Show this report on a file, or on a cell; while it is searching, say so."""
        self.report, self.searching = _in_its_words(report, in_a_cell), searching
        self.then = next_step(report, in_a_cell)

    def _repr_html_(self) -> str:
        return html.render(self.report, searching=self.searching, next_step=self.then)

    def __repr__(self) -> str:
        """Write it as plain text."""
        # In a notebook rich would show it by itself, as well.
        console = Console(file=io.StringIO(), width=100, force_jupyter=False, color_system=None)
        for part in terminal.parts(self.report, self.then):
            console.print(part, crop=False)
        return console.file.getvalue().strip()


@dataclass(frozen=True)
class Said:
    """A line that stands where a report will be, or was; what is counted is shown as a bar too."""

    text: str
    done: int = 0
    all: int = 0

    def _repr_html_(self) -> str:
        return fill("said", text=self.text, done=self.done, all=self.all)

    def __repr__(self) -> str:
        """Write it as plain text."""
        return self.text


def next_step(report: Report, in_a_cell: bool = False) -> str:
    """Say what to do with this verdict, in a notebook."""
    stem, name = report.exercise.stem, report.exercise.name
    match report.verdict.kind:
        case Kind.UNTOUCHED | Kind.UNFINISHED if in_a_cell:
            return "Write your answer in the cell, and run it: that saves and checks it."
        case Kind.UNTOUCHED | Kind.UNFINISHED:
            return f"Run `%exercise {stem}`, write your answer in its cell, and run that."
        case Kind.CORRECT:
            return f'`solution("{name}")` shows how we wrote it.'
    return f'Stuck? `hint("{name}")` helps, one step at a time.'


def _in_its_words(report: Report, in_a_cell: bool) -> Report:
    """Give a report whose lines are a cell's, below its `%%exercise`, and whose commands work."""
    message = report.verdict.message.replace("`trainer ", "`!trainer ")
    if in_a_cell:
        message = IN_THE_FILE.sub(lambda found: f"(line {int(found[1]) + 1}", message)
    return replace(report, verdict=replace(report.verdict, message=message))
