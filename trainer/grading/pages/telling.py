"""What a batch says before it runs, and at its end."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

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
