"""A report of which a part fails: all the others stand, and a line says what is missing."""

import io

import pytest
from rich.console import Console

from tests.kit.results import result
from trainer.checking import report as reports
from trainer.checking.case import Case
from trainer.checking.parts import Missing, had
from trainer.checking.report import Report, examine
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import find
from trainer.display import html, tables, terminal, timeline_text
from trainer.display.notebook import Shown
from trainer.learner.in_terminal import Telling
from trainer.rows import ride
from trainer.running.scenario import Scenario

EXERCISE = find("ride_cleansing")
CASE = Case(Scenario({"rides": [[ride(1)]]}, {}), result([]), result([ride(1)]))
RULE = Check("test_it", "A ride is a ride.", passed=False)
WRONG = Verdict(Kind.WRONG, RULE.fact, (RULE,))


def fails(*given, **settings):
    """Do what a part of a report does on a bad day."""
    return ()[7]


def in_terminal(report: Report, width: int = 80) -> str:
    """Show a report as a terminal does, in black and white."""
    console = Console(file=io.StringIO(), width=width)
    for part in terminal.parts(report):
        console.print(part)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("module", "name", "part"),
    [
        (tables, "inputs", "tables"),
        (tables, "of_difference", "tables"),
        (terminal, "fitting", "tables"),
        (terminal, "timeline_of", "drawing"),
        (timeline_text, "_legend", "drawing"),
        (html, "timeline_of", "picture"),
        (terminal, "as_code", "code"),
        (html, "as_code", "code"),
        (html, "picture", "picture"),
    ],
)
def test_verdict_and_idea_stand_where_a_part_cannot_be_drawn(monkeypatch, module, name, part):
    """In a terminal, a notebook and a page; one line names part, fault, exercise and versions."""
    monkeypatch.setattr(module, name, fails)
    report = Report(EXERCISE, WRONG, RULE, "You forgot the ENDs.", CASE)
    shown = [in_terminal(report, width=900), html.render(report), repr(Shown(report))]
    assert all(RULE.fact in text and "You forgot the ENDs." in text for text in shown)
    told = [text for text in shown[:2] if f"No {part}: our fault, not yours." in text]
    assert told
    for about in ("IndexError: tuple index", EXERCISE.stem, "PySpark 4"):
        assert all(about in text for text in told)


@pytest.mark.parametrize("name", ["misconception", "case"])
def test_a_search_that_fails_ends_no_check(monkeypatch, name, tmp_path):
    """The idea behind a mistake, and the case that shows it, are looked for after the verdict."""
    monkeypatch.setattr(reports, "verdict_on", lambda *given, **settings: WRONG)
    monkeypatch.setattr(reports, "failing", lambda verdict: RULE)
    monkeypatch.setattr(reports, "misconception", lambda *given: "You forgot the ENDs.")
    monkeypatch.setattr(reports, "case", lambda *given: CASE)
    monkeypatch.setattr(reports, name, fails)
    (tmp_path / "answer.py").write_text(f"def {EXERCISE.function}(*given): ...")
    report = examine(EXERCISE, tmp_path / "answer.py")
    assert (report.misconception is None, report.case is None) == (
        name == "misconception",
        name == "case",
    )
    (missing,) = report.missing
    assert missing.told("ch01a") in " ".join(in_terminal(report, 900).split()).replace(
        EXERCISE.stem, "ch01a"
    )


def test_each_thing_is_told_once_as_it_is_known():
    """A terminal tells the verdict, then what is new in each report that follows."""
    console = Console(file=io.StringIO(), width=120)
    with console.status("") as status:
        tell = Telling(console, status)
        first = Report(EXERCISE, WRONG)
        second = Report(EXERCISE, WRONG, RULE, "You forgot the ENDs.")
        third = Report(EXERCISE, WRONG, RULE, "You forgot the ENDs.", missing=(had("case", fails),))
        for report in (first, second, third):
            tell(report)
    told = console.file.getvalue()
    assert [told.count(text) for text in (RULE.fact, "You forgot", "No case")] == [1, 1, 1]


def test_what_can_be_had_is_given():
    """And a fault is kept, in one line however many its message has."""
    assert had("sum", lambda: 1 + 1) == 2
    missing = had("sum", lambda: int("one\ntwo"))
    assert isinstance(missing, Missing)
    assert len(missing.told("ch01a").splitlines()) == 1
