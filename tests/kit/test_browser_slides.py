"""Slides in a real browser, as a projector shows them: all is on the screen, keys walk through."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, serious_faults
from tests.kit.test_notebooks import CHAPTERS
from trainer.slides.deck import deck, read

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
]
PROJECTOR = {"width": 1024, "height": 768}
# For each slide, with all that comes on it: what of it isn't on the screen, and what is tiny.
FAULTS = """() => slides.flatMap((slide, place) => {
  show(place, true);
  while (come(slide));
  const body = slide.querySelector(".body"), found = [];
  if (body.scrollHeight > body.clientHeight) found.push("too high");
  if (body.scrollWidth > body.clientWidth) found.push("too wide");
  const wide = (each) => each.scrollWidth > each.clientWidth + 1;
  if ([...body.querySelectorAll("pre")].some(wide)) found.push("a line is cut");
  const small = (each) => Number(each.dataset.scale) < 0.75;
  if ([...body.querySelectorAll(".piece.walk")].some(small)) found.push("a walk is tiny");
  return found.map((fault) => `slide ${place + 1}: ${fault}`);
})"""


def opened(browser: Browser, chapter: Path, folder: Path, **more: str) -> Page:
    """Open a chapter's slides from the disk, as an instructor does, with no network."""
    file = folder / "slides.html"
    file.write_text(deck(read(chapter)), encoding="utf-8")
    page = browser.new_page(viewport=PROJECTOR, **more)
    page.context.set_offline(True)
    page.goto(file.as_uri())
    return page


def test_everything_is_on_the_screen(browser, tmp_path):
    """Of each slide of each chapter."""
    faults = {}
    for chapter in CHAPTERS:
        page = opened(browser, chapter, tmp_path)
        faults[chapter.stem] = page.evaluate(FAULTS)
        page.close()
    assert faults == {chapter.stem: [] for chapter in CHAPTERS}


def test_keys_walk_through(browser, tmp_path):
    """First what waits on a slide, then the next; back, to the end, and by the list."""
    page = opened(browser, CHAPTERS[0], tmp_path)
    place, waits = page.locator("#place"), page.locator(".now .waits").first
    page.keyboard.press("ArrowRight")
    expect(place).to_contain_text("2 / ")
    page.evaluate("show(slides.findIndex((each) => each.querySelector('.waits')), true)")
    expect(waits).to_be_hidden()
    before = place.text_content()
    page.keyboard.press("Space")
    expect(waits).to_be_visible()
    expect(place).to_have_text(before)
    page.keyboard.press("End")
    last = page.evaluate("slides.length")
    expect(place).to_have_text(f"{last} / {last}")
    page.keyboard.press("o")
    page.get_by_role("link", name="The two streams").click()
    expect(page.locator(".now h2")).to_have_text("The two streams")
    page.close()


def test_micro_batches_of_a_walk_come_one_by_one(browser, tmp_path):
    """The next step of a slide with a walk is its next micro-batch."""
    page = opened(browser, CHAPTERS[5], tmp_path)
    page.evaluate("show(slides.findIndex((each) => each.querySelector('.walk input')), true)")
    walk = page.locator(".now .walk").first
    for _ in range(10):
        page.keyboard.press("ArrowRight")
        if walk.locator("input").nth(1).is_checked():
            break
    expect(walk.locator("section").nth(1)).to_be_visible()
    expect(walk.locator("section").nth(0)).to_be_hidden()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_slides_have_no_serious_fault(browser, tmp_path, scheme):
    """Contrast, names, headings; for one slide of each kind."""
    page = opened(browser, CHAPTERS[5], tmp_path, color_scheme=scheme, bypass_csp=True)
    for kind in (".ask", ".list", ".table", ".code", ".told", ".picture", ".walk"):
        page.evaluate(f"show(slides.findIndex((each) => each.querySelector('{kind}')), true)")
        page.evaluate("() => { while (come(slides[now])); }")
        assert serious_faults(page, [".now"]) == [], kind
    page.close()
