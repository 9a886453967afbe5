"""A report as HTML, for notebooks and for grades."""

import base64
import io
from functools import partial

from trainer.checking.case import Case
from trainer.checking.parts import Missing, had
from trainer.checking.report import Report
from trainer.checking.verdict import Kind
from trainer.display import tables
from trainer.display.marks import COLOURS, MARKS
from trainer.display.pages import fill
from trainer.display.timeline import timeline
from trainer.display.timeline_picture import picture


def render(report: Report, *, next_step: str = "", searching: bool = False) -> str:
    """Write a report as a piece of HTML that stands by itself."""
    mark, colour = MARKS[report.verdict.kind]
    sections = {"tables": tables.of_case, "picture": picture_of} if report.case else {}
    found = {name: had(name, partial(draw, report.case)) for name, draw in sections.items()}
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
        grids=found.get("tables", []),
        picture=found.get("picture", ""),
        missing=[each.told(report.exercise.stem) for each in missing],
        searching=searching and report.verdict.kind is Kind.WRONG,
        next=next_step,
    )


def picture_of(case: Case) -> str:
    """Draw a case along time, as a picture in base64; nothing where nothing has a time."""
    line = timeline(case.scenario, case.came, case.expected)
    if not line.span:
        return ""
    file = io.BytesIO()
    picture(line).savefig(file, format="png")
    return base64.b64encode(file.getvalue()).decode()
