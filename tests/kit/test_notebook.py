"""Reports as a notebook shows them."""

import re

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.report import Report
from trainer.checking.verdict import Kind, Verdict
from trainer.course.exercise import find
from trainer.display.notebook import Shown
from trainer.rows import HARTFORD, ride
from trainer.running.scenario import Scenario

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
    assert "You kept rides that *start* in the city, by `is_in_nyc`." in lines
    assert "            ✗ S2  (came, not expected)" in [line.rstrip() for line in lines]
