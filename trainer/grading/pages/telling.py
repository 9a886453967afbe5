"""What a batch says while it runs, and at its end."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich import progress as bars
from rich.console import Console
from rich.table import Table
from rich.text import Text

from trainer.display.marks import MARKS
from trainer.grading.book.compare import Change
from trainer.grading.book.grades import ERROR, StudentGrade
from trainer.grading.pages.overview_page import ORDER
from trainer.grading.sandbox.sandbox import LEVELS


def level(sandbox: str, console: Console) -> None:
    """Say how well submissions are shut in."""
    console.print(f"Sandbox: {sandbox}")
    if sandbox not in LEVELS[:2]:
        console.print(
            Text("Submissions can read files and reach the network. See GRADING.md.", "yellow")
        )


class Bar:
    """A bar with the time left, and a line for each student who is graded."""

    def __init__(self, total: int, done: int, console: Console) -> None:
        """Start with what was done before."""
        self.console = console
        self.bar = bars.Progress(
            bars.TextColumn("{task.completed} of {task.total}"),
            bars.BarColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn("left"),
            bars.TimeRemainingColumn(elapsed_when_finished=False),
            console=console,
            transient=True,
        )
        self.task = self.bar.add_task("", total=total, completed=done)
        if done:
            console.print(f"{done} were graded before, and nothing they rest on has changed.")

    def __enter__(self) -> "Bar":
        """Show it."""
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        self.bar.stop()

    def tell(self, grade: StudentGrade) -> None:
        """Tell of one more."""
        self.bar.advance(self.task)
        line = Text(f"{grade.student}  ")
        for each in grade.exercises:
            mark, colour = MARKS.get(each.verdict, ("?", "magenta"))
            line.append(f"{mark} {each.exercise} {each.verdict}  ", colour)
        self.console.print(line, soft_wrap=True)


def summary(grades: Sequence[StudentGrade], out: Path, console: Console) -> None:
    """Say what came of it all."""
    counts = Counter(each.verdict for grade in grades for each in grade.exercises)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ORDER if counts[verdict])
    console.print(f"{len(grades)} students: {said}. {out / 'overview.html'} shows it all.")
    if counts[ERROR]:
        console.print(
            Text("An error is the grader's own: no score. The same command tries again.", "magenta")
        )


def comparison(changes: Iterable[Change], console: Console) -> None:
    """Show whose grade changed, and why."""
    table = Table(box=None)
    for column in ("student", "exercise", "before", "after", "why"):
        table.add_column(column, header_style="dim", overflow="fold")
    for each in changes:
        table.add_row(*map(Text, (each.student, each.exercise, each.before, each.after, each.why)))
    console.print(table if table.row_count else "No grade changed.")
