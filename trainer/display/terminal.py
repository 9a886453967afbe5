"""A report as the terminal shows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trainer.checking.parts import Missing, had
from trainer.checking.report import Report
from trainer.checking.verdict import Kind
from trainer.course.exercise import Exercise
from trainer.display import in_state, tables
from trainer.display.as_code import as_code
from trainer.display.fitting import fits, fitting
from trainer.display.marks import MARKS, TO_TRY, title_of, title_of_crash
from trainer.display.prose import styled
from trainer.display.tables import Grid
from trainer.display.timeline import timeline_of
from trainer.display.timeline_text import MARGIN, draw
from trainer.running.scenario import Scenario

INDENT, WIDEST = 2, 90


def headline(report: Report) -> Text:
    """Say the verdict, and in a sentence why."""
    mark, colour = MARKS[report.verdict.kind]
    start = Text(f"{mark} {report.exercise.stem}: {report.verdict.kind}", f"bold {colour}")
    return start + styled(f"  {report.verdict.message}")


def next_step(report: Report) -> str:
    """Say what to do with this verdict."""
    name, file = report.exercise.name, f"exercises/{report.exercise.stub.name}"
    match report.verdict.kind:
        case Kind.UNTOUCHED | Kind.UNFINISHED:
            return f"Write your answer in {file}, save it, and check again."
        case Kind.CORRECT:
            return f"`trainer solution {name}` shows how we wrote it; `trainer next` goes on."
    return f"Stuck? `trainer hint {name}` helps, one step at a time."


def parts(report: Report, then: str = "") -> Iterator[RenderableType]:
    """Give all that a report has to say, one part after the other, and what to do then."""
    yield headline(report)
    if report.crash:
        yield what_it_met(report)
    if report.misconception:
        yield idea(report)
    for missing in report.missing:
        yield lacking(missing, report)
    if report.case:
        yield the_case(report)
    yield Text(then or next_step(report), "dim")


def what_it_met(report: Report) -> Group:
    """Show the rows that an answer crashes on."""
    sections = {"rows": _met, "code": _code_of_crash}
    title = Padding(Text(f"{title_of_crash(report.crash)}:", "bold"), (0, 0, 1, 2))
    return Group(title, *(Section(name, report, draw) for name, draw in sections.items()))


def idea(report: Report) -> Text:
    """Say which misconception gives the same."""
    return styled(report.misconception or "", "bold yellow")


def lacking(missing: Missing, report: Report) -> Text:
    """Say what a report lacks."""
    return Text(missing.told(report.exercise.stem), "red")


def the_case(report: Report) -> Group:
    """Show the smallest case: what goes in, what comes out, and when."""
    sections = {"tables": _tables, "state": _in_state, "drawing": _drawing, "code": _code}
    title = Text(title_of(report.case), "bold")
    shown = [Section(name, report, draw) for name, draw in sections.items()]
    if report.other_rule:
        title += styled(f". It is about another rule, which failed as well: {report.other_rule}")
    else:
        title += Text(":", "bold")
    return Group(Padding(title, (0, 0, 1, 2)), *shown)


@dataclass(frozen=True)
class Section:
    """A section of a report, as wide as the terminal is; where it fails, a line says so."""

    name: str
    report: Report
    draw: Callable[[Report, int], Iterable[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        drawn = had(self.name, lambda: list(console.render(Group(*self._drawn(options)), options)))
        missing = isinstance(drawn, Missing)
        yield from [lacking(drawn, self.report)] if missing else drawn

    def _drawn(self, options: ConsoleOptions) -> Iterator[RenderableType]:
        return self.draw(self.report, options.max_width - INDENT)


def _met(report: Report, width: int) -> Iterator[RenderableType]:
    for each in tables.of_crash(report.crash):
        yield _indented(grid(each, width))


def _tables(report: Report, width: int) -> Iterator[RenderableType]:
    for each in tables.of_case(report.case):
        yield _indented(grid(each, width))


def _in_state(report: Report, width: int) -> Iterator[RenderableType]:
    for each in in_state.of_case(report.case):
        yield _indented(grid(each, width))


def _drawing(report: Report, width: int) -> Iterator[RenderableType]:
    drawn = draw(timeline_of(report.case), min(width - MARGIN, WIDEST))
    if drawn.plain:
        yield _indented(drawn)


def _code(report: Report, width: int) -> Iterator[RenderableType]:
    return _to_paste(report.exercise, report.case.scenario)


def _code_of_crash(report: Report, width: int) -> Iterator[RenderableType]:
    return _to_paste(report.exercise, report.crash.scenario)


def _to_paste(exercise: Exercise, scenario: Scenario) -> Iterator[RenderableType]:
    if code := as_code(exercise, scenario):
        yield _indented(Text(f"{TO_TRY}:", "bold"))
        # Not indented and never wrapped, so that it can be pasted.
        yield Text(f"{code}\n", no_wrap=True, overflow="ignore")


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 1, INDENT))


def grid(shown: Grid, width: int) -> Group:
    """Draw a table; cells that differ stand out, and columns that say little give way."""
    shown = fitting(shown, width)
    whole = fits(shown, width)
    table = Table(box=None, pad_edge=False)
    table.add_column("", style="dim", no_wrap=True)
    for name in shown.columns:
        table.add_column(name, header_style="dim", no_wrap=whole, overflow="fold")
    for line in shown.lines:
        styled = [
            Text(text, "bold reverse" if at in line.differing else "none")
            for at, text in enumerate(line.cells)
        ]
        table.add_row(line.label, *styled)
    rest = [Text(shown.rest, "dim")] if shown.rest else []
    return Group(Text(shown.title, "underline"), table, *rest)
