"""A report as HTML, for notebooks and for grades."""

import base64
import io
from itertools import chain

from trainer.checking.case import Case
from trainer.checking.report import Report
from trainer.checking.verdict import Kind
from trainer.display import tables
from trainer.display.marks import COLOURS, MARKS
from trainer.display.pages import fill
from trainer.display.tables import Grid
from trainer.display.timeline import timeline
from trainer.display.timeline_picture import picture


def render(report: Report, *, next_step: str = "", searching: bool = False) -> str:
    """Write a report as a piece of HTML that stands by itself."""
    mark, colour = MARKS[report.verdict.kind]
    return fill(
        "report",
        mark=mark,
        colour=COLOURS[colour],
        stem=report.exercise.stem,
        verdict=report.verdict.kind,
        message=report.verdict.message,
        misconception=report.misconception,
        grids=grids(report.case) if report.case else [],
        picture=picture_of(report.case) if report.case else "",
        searching=searching and report.verdict.kind is Kind.WRONG,
        next=next_step,
    )


def grids(case: Case) -> list[Grid]:
    """What goes in, and what differs in what comes out."""
    differing = chain.from_iterable(map(tables.of_difference, case.differences))
    return [*tables.inputs(case.scenario), *differing]


def picture_of(case: Case) -> str:
    """Draw a case along time, as a picture in base64; nothing where nothing has a time."""
    line = timeline(case.scenario, case.came, case.expected)
    if not line.span:
        return ""
    file = io.BytesIO()
    picture(line).savefig(file, format="png")
    return base64.b64encode(file.getvalue()).decode()
