"""Pages of grades, and a report, as a browser shows them: light, dark, and to a screen reader."""

import pytest

from tests.kit import grades as made
from tests.kit.browser import CHROMIUM, serious_faults
from trainer.display.palette import DARK, LIGHT
from trainer.grading.pages import overview_page, student_page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """The instructor's page and each student's."""
    nowhere = tmp_path_factory.mktemp("pictures")
    files = {grade.student: grade.student for grade in made.ALL}
    written = {g.student: student_page.page(g, "full", nowhere) for g in made.ALL}
    return written | {"overview": overview_page.page(made.ALL, "none", files)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_grades_have_no_serious_fault(browser, pages, scheme):
    """Whatever the reader's scheme is: contrast, names, headings, lists."""
    page = browser.new_page(color_scheme=scheme, bypass_csp=True)
    faults = {}
    for name, text in pages.items():
        page.set_content(text)
        faults[name] = serious_faults(page)
    page.close()
    assert faults == {name: [] for name in pages}


@pytest.mark.parametrize(("scheme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_a_page_of_grades_is_as_dark_as_its_reader_likes(browser, pages, scheme, palette):
    """The ground of the whole page is the palette's paper."""
    page = browser.new_page(color_scheme=scheme)
    page.set_content(pages["overview"])
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.close()
    paper = palette["paper"]
    red, green, blue = (int(paper[place : place + 2], 16) for place in (1, 3, 5))
    assert ground == f"rgb({red}, {green}, {blue})"
