"""Checks in a terminal: each part of a report is told as soon as it is known."""

from collections.abc import Sequence

from rich.console import Console
from rich.status import Status
from rich.text import Text

from trainer.checking.report import Report, examine
from trainer.checking.verdict import Kind
from trainer.course.exercise import Exercise
from trainer.display.prose import say
from trainer.display.terminal import headline, idea, lacking, next_step, the_case, what_it_met
from trainer.learner.progress import Progress
from trainer.workshop.seat import reporting
from trainer.workshop.seat.letters import Letters


def check_all(chosen: Sequence[Exercise], progress: Progress, console: Console) -> list[Report]:
    """Check exercises one after the other, and tell."""
    return [check_one(exercise, progress, console) for exercise in chosen]


def check_one(exercise: Exercise, progress: Progress, console: Console) -> Report:
    """Check an exercise, tell each part as soon as it is known, and keep the verdict."""
    reporting.begun()
    with console.status(f"checking {exercise.stem} …") as status:
        tell = Telling(console, status)

        def count(through: int, all_of_them: int) -> None:
            status.update(f"checking {exercise.stem}: {through} of {all_of_them} checks …")

        report = examine(exercise, tell=tell, count=count)
    say(Text(next_step(report), "dim"), console)
    verdict = report.verdict
    if verdict.kind is not Kind.UNTOUCHED:
        progress.attempted(exercise.stem, verdict.kind)
    reporting.checked(report)
    tell_lines(console)
    return report


def tell_lines(console: Console) -> int:
    """Tell what came from a class since the last time; give how many lines it was."""
    lines = Letters().news()
    for line in lines:
        say(Text(line, "bold blue"), console)
    return len(lines)


class Telling:
    """Prints the parts of a report as they come."""

    def __init__(self, console: Console, status: Status) -> None:
        """Print on a console, and say in its status line what is being looked for."""
        self.console, self.status = console, status
        self.told: Report | None = None

    def __call__(self, report: Report) -> None:
        """Print what is new in a report."""
        if self.told is None:
            say(headline(report), self.console)
            crashed = report.verdict.kind is Kind.CRASHED
            looking_for = "smallest case that crashes" if crashed else "idea behind it"
            self.status.update(f"looking for the {looking_for} …")
            self.told = report
        for missing in report.missing[len(self.told.missing) :]:
            say(lacking(missing, report), self.console)
        if report.misconception is not self.told.misconception:
            say(idea(report), self.console)
        if report.rule is not self.told.rule:
            self.status.update("looking for the smallest case that shows it …")
        if report.crash is not self.told.crash:
            self.console.print(what_it_met(report), crop=False)
        if report.case is not self.told.case:
            # Code to paste is longer than some terminals are wide.
            self.console.print(the_case(report), crop=False)
        self.told = report
