"""What is stressed in our sentences is shown as such, or as plain text, and never by its stars."""

import io

import pytest
from rich.console import Console

from tests.kit.recorded import exercises_recorded, recorded
from trainer.checking.misconceptions import misconceptions
from trainer.checking.report import Report
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import exercises
from trainer.display import html, terminal
from trainer.display.notebook import Shown
from trainer.display.pages import code
from trainer.display.prose import styled
from trainer.display.spans import spans, unstressed

FACT = "Long is *more* than two hours: `>`, until its *end* is behind."
PLAIN = "Long is more than two hours: `>`, until its end is behind."


def test_what_is_stressed_is_in_italics_in_a_terminal():
    """The stars are gone."""
    text = styled(FACT)
    assert text.plain == PLAIN
    stressed = [text.plain[each.start : each.end] for each in text.spans if each.style == "italic"]
    assert stressed == ["more", "end"]


@pytest.mark.parametrize(
    "text",
    [
        "two * three * four",
        "f(*rows, *others)",
        "f(*rows, **options)",
        "2*3*4",
        "`a *b* c`",
        "SELECT * FROM x",
        "* one\n* two",
    ],
)
def test_a_star_of_code_is_no_stress(text):
    """It multiplies, or unpacks."""
    assert unstressed(text) == text
    assert "<em>" not in code(text)


def test_a_page_stresses_and_escapes():
    """Whoever writes <b> into an answer gets it back as text."""
    shown = code("You wrote *<b>* and *this & that*, `x < *y*`.")
    assert "<b>" not in shown and "*&lt;b&gt;*" in shown
    assert "<em>this &amp; that</em>" in shown and ">x &lt; *y*</code>" in shown


def test_no_idea_of_the_course_is_shown_with_its_stars():
    """Whatever stands in stars is found, also across two lines."""
    for exercise in exercises():
        for wrong in misconceptions(exercise):
            bare = "".join(piece for piece, kind in spans(wrong.__doc__) if kind != "code")
            assert "*" not in bare, wrong.__name__


def test_headline_idea_and_other_rule_are_shown_without_stars():
    """In a terminal, in a notebook and its plain text."""
    exercise = exercises_recorded()[0]
    case = next(iter(recorded(exercise).values()))
    case = type(case)(case.scenario, case.came, case.expected, rule=f"Also: {FACT}")
    check = Check("test_it", FACT, passed=False)
    report = Report(exercise, Verdict(Kind.WRONG, FACT, (check,)), check, f"Idea: {FACT}", case)
    console = Console(file=io.StringIO(), width=300)
    for part in terminal.parts(report):
        console.print(part)
    for text in (console.file.getvalue(), repr(Shown(report))):
        assert " ".join(text.split()).count(PLAIN) == 3
    assert html.render(report).count("<em>more</em>") == 3
