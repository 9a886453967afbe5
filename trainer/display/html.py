"""A report as HTML, for notebooks and for grades."""

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from trainer.checking.case import Case
from trainer.checking.parts import Missing, had
from trainer.checking.report import Report
from trainer.checking.verdict import Kind
from trainer.display import in_state, tables
from trainer.display.as_code import as_code
from trainer.display.marks import COLOURS, MARKS, TO_TRY, title_of, title_of_crash
from trainer.display.pages import fill
from trainer.display.timeline import timeline_of
from trainer.display.timeline_described import described
from trainer.display.timeline_picture import picture


def render(report: Report, *, next_step: str = "", searching: bool = False) -> str:
    """Write a report as a piece of HTML that stands by itself."""
    mark, colour = MARKS[report.verdict.kind]
    sections = (SECTIONS if report.case else {}) | (OF_CRASH if report.crash else {})
    found = {name: had(name, partial(part, report)) for name, part in sections.items()}
    missing = [*report.missing, *(each for each in found.values() if isinstance(each, Missing))]
    found = {name: each for name, each in found.items() if not isinstance(each, Missing)}
    return fill(
        "report",
        mark=mark,
        colour=COLOURS[colour],
        stem=report.exercise.stem,
        verdict=report.verdict.kind,
        message=report.verdict.message,
        misconception=report.misconception,
        other_rule=report.other_rule,
        met=found.get("rows", []),
        grids=found.get("tables", []),
        picture=found.get("picture"),
        title=title_of(report.case) if report.case else "",
        title_of_crash=title_of_crash(report.crash) if report.crash else "",
        code=found.get("code", ""),
        to_try=TO_TRY,
        missing=[each.told(report.exercise.stem) for each in missing],
        searching=searching and report.verdict.kind in (Kind.WRONG, Kind.CRASHED),
        next=next_step,
    )


@dataclass(frozen=True)
class Drawn:
    """A picture in base64, and what it shows in words."""

    png: str
    says: str


def picture_of(case: Case) -> Drawn | None:
    """Draw a case along time; nothing where nothing has a time."""
    line = timeline_of(case)
    if not line.span:
        return None
    file = io.BytesIO()
    picture(line).savefig(file, format="png")
    return Drawn(base64.b64encode(file.getvalue()).decode(), described(line))


Sections = dict[str, Callable[[Report], object]]
# What is shown of a crash, and what of a case.
OF_CRASH: Sections = {
    "rows": lambda report: tables.of_crash(report.crash),
    "code": lambda report: as_code(report.exercise, report.crash.scenario),
}
SECTIONS: Sections = {
    "tables": lambda report: [*tables.of_case(report.case), *in_state.of_case(report.case)],
    "picture": lambda report: picture_of(report.case),
    "code": lambda report: as_code(report.exercise, report.case.scenario),
}
