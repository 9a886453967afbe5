"""Checks in a notebook: one report, shown in one place, part by part, as it becomes known."""

from IPython.core.getipython import get_ipython
from IPython.display import DisplayHandle

from trainer.checking.report import Report, examine
from trainer.checking.verdict import Kind
from trainer.course.exercise import Exercise
from trainer.display.notebook import Said, Shown
from trainer.learner.cell_text import agrees
from trainer.learner.progress import Progress
from trainer.spark import cells
from trainer.workshop.seat import reporting
from trainer.workshop.seat.letters import Letters

# Where the last report on each exercise stands: of two cells only one is up to date.
_last: dict[str, DisplayHandle] = {}


def check(exercise: Exercise) -> None:
    """Check the answer in `exercises/` and show the report, part by part, in one place."""
    handle = DisplayHandle()
    handle.display(_checking(exercise.stem))
    of_a_cell = agrees(exercise)
    reporting.begun()

    def tell(report: Report, searching: bool = True) -> None:
        handle.update(Shown(report, searching, of_a_cell))

    def count(through: int, all_of_them: int) -> None:
        handle.update(_checking(exercise.stem, through, all_of_them))

    try:
        report = examine(exercise, tell=tell, count=count)
    except KeyboardInterrupt:
        handle.update(Said(f"{exercise.stem}: stopped, without a verdict."))
        cells.end()
        raise cells.Told from None
    if report.verdict.kind in (Kind.WRONG, Kind.CRASHED):
        tell(report, searching=False)
    _take_the_place(exercise.stem, handle)
    if report.verdict.kind is not Kind.UNTOUCHED:
        Progress().attempted(exercise.stem, report.verdict.kind)
    reporting.checked(report)
    for line in Letters().news():
        print(line)


def _take_the_place(stem: str, handle: DisplayHandle) -> None:
    """Say in place of the report before where the new one is, once there is one."""
    if before := _last.get(stem):
        shell = get_ipython()
        # Not `execution_count`: while a cell runs that is the next one's, in some versions.
        where = f" below cell [{len(shell.user_ns['In']) - 1}]" if shell else ""
        before.update(Said(f"{stem} was checked again since: the report stands{where}."))
    _last[stem] = handle


def _checking(stem: str, through: int = 0, all_of_them: int = 0) -> Said:
    counted = f": {through} of {all_of_them} checks" if all_of_them else ""
    return Said(f"checking {stem}{counted} …", through, all_of_them)
