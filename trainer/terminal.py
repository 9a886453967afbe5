"""A report as the terminal shows it."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.status import Status
from rich.table import Table
from rich.text import Text

from trainer import cells
from trainer.case import Case
from trainer.cells import Grid
from trainer.exercise import Exercise
from trainer.fitting import fitting
from trainer.overview import MARKS
from trainer.progress import Progress
from trainer.report import Report, examine
from trainer.timeline import timeline
from trainer.timeline_text import draw
from trainer.verdict import Kind


def check_all(chosen: Sequence[Exercise], progress: Progress, console: Console) -> list[Report]:
    """Check exercises one after the other, and tell."""
    return [check_one(exercise, progress, console) for exercise in chosen]


def check_one(exercise: Exercise, progress: Progress, console: Console) -> Report:
    """Check an exercise, tell each part as soon as it is known, and keep the verdict."""
    with console.status(f"checking {exercise.stem} …") as status:
        tell = Telling(console, status)
        report = examine(exercise, tell=tell)
    console.print(Text(next_step(report), "dim"), soft_wrap=True)
    verdict = report.verdict
    if verdict.kind is not Kind.UNTOUCHED:
        progress.attempted(exercise.stem, verdict.kind)
    return report


class Telling:
    """Prints the parts of a report as they come."""

    def __init__(self, console: Console, status: Status) -> None:
        """Print on a console, and say in its status line what is being looked for."""
        self.console, self.status = console, status
        self.told: Report | None = None

    def __call__(self, report: Report) -> None:
        """Print what is new in a report."""
        if self.told is None:
            self.console.print(headline(report), soft_wrap=True)
            self.status.update("looking for the idea behind it …")
        elif report.case is None:
            if report.misconception:
                self.console.print(idea(report), soft_wrap=True)
            self.status.update("looking for the smallest case that shows it …")
        else:
            self.console.print(the_case(report.case))
        self.told = report


def headline(report: Report) -> Text:
    """Say the verdict, and in a sentence why."""
    mark, colour = MARKS[report.verdict.kind]
    start = Text(f"{mark} {report.exercise.stem}: {report.verdict.kind}", f"bold {colour}")
    return start + Text(f"  {report.verdict.message}", "none")


def next_step(report: Report) -> str:
    """Say what to do with this verdict."""
    name, file = report.exercise.name, f"exercises/{report.exercise.stub.name}"
    match report.verdict.kind:
        case Kind.UNTOUCHED | Kind.UNFINISHED:
            return f"Write your answer in {file}, save it, and check again."
        case Kind.CORRECT:
            return f"`trainer solution {name}` shows how we wrote it; `trainer next` goes on."
    return f"Stuck? `trainer hint {name}` helps, one step at a time."


def parts(report: Report) -> Iterator[RenderableType]:
    """Give all that a report has to say, one part after the other."""
    yield headline(report)
    if report.misconception:
        yield idea(report)
    if report.case:
        yield the_case(report.case)
    yield Text(next_step(report), "dim")


def idea(report: Report) -> Text:
    """Say which misconception gives the same."""
    return Text(report.misconception or "", "bold yellow")


def the_case(found: Case) -> Group:
    """Show the smallest case: what goes in, what comes out, and when."""
    return Group(*(Padding(part, (0, 0, 1, 2)) for part in _parts(found)))


def _parts(found: Case) -> Iterator[RenderableType]:
    yield Text("The smallest case found:", "bold")
    yield from map(grid, cells.inputs(found.scenario))
    for difference in found.differences:
        yield from map(grid, cells.of_difference(difference))
    drawn = draw(timeline(found.scenario, found.came, found.expected))
    if drawn.plain:
        yield drawn


def grid(shown: Grid, width: int = 76) -> Group:
    """Draw a table; cells that differ stand out, and columns that say little give way."""
    shown = fitting(shown, width)
    table = Table(box=None, pad_edge=False)
    table.add_column("", style="dim", no_wrap=True)
    for name in shown.columns:
        table.add_column(name, header_style="dim", no_wrap=name != "value", overflow="fold")
    for line in shown.lines:
        styled = [
            Text(text, "bold reverse" if at in line.differing else "none")
            for at, text in enumerate(line.cells)
        ]
        table.add_row(line.label, *styled)
    if shown.rest:
        table.add_row(shown.rest)
    return Group(Text(shown.title, "underline"), table)
