"""What a batch shows while it runs: how far it is, how long it will take yet, who is graded."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Self

from rich import progress
from rich.console import Console
from rich.table import Column
from rich.text import Text

from trainer.checking.verdict import Kind
from trainer.display.marks import MARKS
from trainer.grading.book.grades import StudentGrade
from trainer.grading.pages.pace import HOUR, Pace, in_words

# Between two lines about the time left, where no bar can be drawn.
QUIET_SECONDS = 60


class _Words(progress.ProgressColumn):
    """A column that says, each time it is drawn, what a function gives."""

    def __init__(self, words: Callable[[], str], **column: object) -> None:
        """Take the function."""
        self.words = words
        super().__init__(Column(no_wrap=True, **column))

    def render(self, task: progress.Task) -> Text:
        """Say it."""
        return Text(self.words())


def _bar(console: Console, *further: progress.ProgressColumn) -> progress.Progress:
    return progress.Progress(
        progress.TextColumn("{task.description} {task.completed} of {task.total}"),
        progress.BarColumn(12),
        *further,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        expand=True,
    )


class _Shown:
    """What has a bar, which is there as long as this is entered."""

    bar: progress.Progress

    def __enter__(self) -> Self:
        """Show it."""
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        self.bar.stop()


class Collecting(_Shown):
    """A bar for what is done with one student's after the other's: reading, or comparing."""

    def __init__(
        self, total: int, console: Console, what: str = "Reading what was handed in"
    ) -> None:
        """Start with nobody's."""
        self.student = ""
        self.bar = _bar(
            console,
            progress.TimeRemainingColumn(),
            _Words(lambda: self.student, ratio=1),
        )
        self.task = self.bar.add_task(f"{what}:", total=total)
        if self.bar.disable:
            console.print(f"{what}: {total} student{'s' * (total != 1)}.")

    def tell(self, student: str) -> None:
        """Tell of one more."""
        self.student = student
        self.bar.advance(self.task)


class Grading(_Shown):
    """A bar for grading, and a line for each student who is graded."""

    def __init__(
        self,
        students: Sequence[str],
        work: Mapping[str, Collection[str]],
        jobs: int,
        console: Console,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start; `work` are the exercises that are to be run, for those not graded before."""
        self.console, self.clock, self.began, self.said = console, clock, clock(), clock()
        self.pace = Pace(work, jobs, clock)
        self.total, self.done = len(students), len(students) - len(work)
        self.before = self.done
        self.bar = _bar(
            console,
            progress.TimeElapsedColumn(),
            _Words(self._left),
            _Words(lambda: ", ".join(self.pace.now), ratio=1),
        )
        self.task = self.bar.add_task("Grading:", total=self.total, completed=self.done)
        if self.done:
            console.print(f"{self.done} were graded before, and nothing they rest on has changed.")

    def started(self, student: str) -> None:
        """Tell who is being graded."""
        self.pace.started(student)

    def judged(self, student: str, times: Mapping[str, float]) -> None:
        """Tell what a student's exercises took; to explain a verdict can take as long again."""
        self.pace.judged(student, times)

    def tell(self, grade: StudentGrade) -> None:
        """Tell of one more."""
        self.pace.ended(grade.student)
        self.done += 1
        self.bar.advance(self.task)
        line = Text(f"{grade.student}  ")
        worked_on = [each for each in grade.exercises if each.verdict != Kind.UNTOUCHED]
        for each in worked_on:
            mark, colour = MARKS.get(each.verdict, ("?", "magenta"))
            line.append(f"{mark} {each.exercise} {each.verdict}  ", colour)
        if untouched := len(grade.exercises) - len(worked_on):
            line.append(f"{untouched} untouched", "dim")
        self.console.print(line, soft_wrap=not self.console.is_terminal)
        self._tell_how_far()

    def _left(self) -> str:
        """Say how long it takes yet, and how fast it goes."""
        words, took = in_words(self.pace.left), self.clock() - self.began
        if took < 1 or self.done == self.before:
            return words
        return f"{words}, {(self.done - self.before) * HOUR / took:,.0f} students an hour"

    def _tell_how_far(self) -> None:
        """Say now and then, where no bar is, what it would show."""
        now = self.clock()
        if self.bar.disable and self.done < self.total and now - self.said >= QUIET_SECONDS:
            self.said = now
            self.console.print(f"{self.done} of {self.total}, {self._left()}")
