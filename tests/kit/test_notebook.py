"""Reports as a notebook shows them."""

import re
from types import SimpleNamespace

import pytest

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.report import Report
from trainer.checking.verdict import Kind, Verdict
from trainer.course.exercise import find
from trainer.display.notebook import Shown
from trainer.learner import in_notebook
from trainer.rows import HARTFORD, ride
from trainer.running.scenario import Scenario
from trainer.spark import cells

AWAY = ride(2, ends_at=HARTFORD)
CASE = Case(Scenario({"rides": [[AWAY]]}, {}), result([AWAY]), result([]))
WRONG = Report(
    find("ride_cleansing"),
    Verdict(Kind.WRONG, "Both ends must lie in the <city>."),
    misconception="You kept rides that *start* in the city, by `is_in_nyc`.",
    case=CASE,
)


def test_the_page_says_it_all():
    """Verdict, idea, case and picture, and nothing that was not escaped."""
    page = Shown(WRONG)._repr_html_()
    assert "✗ ch01a_ride_cleansing: wrong" in page
    assert "Both ends must lie in the &lt;city&gt;." in page
    assert "You kept rides that <em>start</em> in the city" in page
    assert ">is_in_nyc</code>" in page
    assert re.search(
        r'alt="Timeline of the case\. Micro-batch 1: \S[^"]+" src="data:image/png', page
    )


def test_while_it_searches_it_says_so():
    """Until the case is there, or there is none."""
    early = Report(WRONG.exercise, WRONG.verdict)
    assert "Looking for the smallest case" in Shown(early, searching=True)._repr_html_()
    assert "Looking" not in Shown(early)._repr_html_()


def test_plain_text_says_the_same():
    """Where HTML isn't shown."""
    lines = repr(Shown(WRONG)).splitlines()
    assert lines[0].startswith("✗ ch01a_ride_cleansing: wrong  Both ends must lie in the <city>.")
    assert "You kept rides that start in the city, by `is_in_nyc`." in lines
    assert "            ✗ S2  (came, not expected)" in [line.rstrip() for line in lines]


def test_it_speaks_as_a_notebook_does():
    """Calls to copy into a cell, and lines as the cell below `%%exercise` numbers them."""
    assert 'Stuck? `hint("ride_cleansing")` helps' in repr(Shown(WRONG))
    message = "NameError: F (line 12: F.col). `trainer reset ride_cleansing` puts it back."
    crashed = Report(WRONG.exercise, Verdict(Kind.CRASHED, message))
    assert "(line 12: F.col). `!trainer reset" in repr(Shown(crashed))
    assert "(line 13: F.col)" in repr(Shown(crashed, in_a_cell=True))


def test_a_check_says_at_once_how_far_it_is(monkeypatch):
    """Then come the parts of the report, in the same place."""
    first, second, places = looked_at(monkeypatch)
    assert places[0][:3] == [first, "checking ch01a_ride_cleansing: 4 of 14 checks …", second]


def test_a_newer_report_takes_the_place_of_the_stale_one(monkeypatch):
    """The older one says where to look."""
    _, _, places = looked_at(monkeypatch)
    in_notebook.check(WRONG.exercise)
    assert places[0][-1].startswith("ch01a_ride_cleansing was checked again since")
    assert places[1][-1] == places[0][2]


def test_a_check_that_is_interrupted_says_so(monkeypatch):
    """In a line, and cells that wait for this one don't run."""
    _, _, places = looked_at(monkeypatch)

    def interrupted(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(in_notebook, "examine", interrupted)
    with pytest.raises(cells.Told):
        in_notebook.check(WRONG.exercise)
    assert places[1][-1] == "ch01a_ride_cleansing: stopped, without a verdict."


def looked_at(monkeypatch):
    """Check an answer that is as issued; give what is first shown, the report, and all places."""
    places = []

    def place():
        shown = []
        places.append(shown)
        show = lambda what: shown.append(str(what))  # noqa: E731
        return SimpleNamespace(display=show, update=show)

    report = Report(WRONG.exercise, Verdict(Kind.UNTOUCHED, "As it was issued."))

    def examine(exercise, *, tell, count):
        count(4, 14)
        tell(report)
        return report

    monkeypatch.setattr(in_notebook, "DisplayHandle", place)
    monkeypatch.setattr(in_notebook, "examine", examine)
    monkeypatch.setattr(in_notebook, "_last", {})
    # Whether a notebook of this clone has a cell for it is another matter.
    monkeypatch.setattr(in_notebook, "agrees", lambda exercise: False)
    in_notebook.check(WRONG.exercise)
    return "checking ch01a_ride_cleansing …", str(Shown(report)), places
