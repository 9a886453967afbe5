"""A learner's day in JupyterLab, in a real browser: cells, buttons, panel, walks, themes."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.kit.browser import (
    CHROMIUM,
    SIZES,
    Lab,
    cell,
    jupyterlab,
    run,
    serious_faults,
)
from tests.kit.conftest import copied
from trainer.course.exercise import find
from trainer.learner.doctor import CHECKS
from trainer.learner.interrupting import STOPPED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
]

# For a machine with much else to do; nothing waits for a time, only for what is to come.
PATIENCE = 180_000
CLEANSING = find("ride_cleansing")
QUARANTINE = find("quarantine")
WRONG = """from pyspark.sql import DataFrame
from datagen.geo import is_in_nyc

def cleanse(rides: DataFrame) -> DataFrame:
    return rides.filter(is_in_nyc("start_lon", "start_lat"))
"""
WINDOWS = "notebooks/04_windows.ipynb"
WALK = """from trainer import step
from trainer.rows import end, ride
def only_starts(rides):
    return rides.filter("is_start")
step(only_starts, rides=[[ride(1), ride(2)], [end(1)], [ride(3), end(2)]])"""
WALKS = "div:has(> input[type=radio])"
STREAM = """from trainer import session
spark = session()
rates = spark.readStream.format("rate").load()
query = rates.writeStream.format("noop").start()"""
ENDLESS = """print("it runs", flush=True)
spark.range(10**15).selectExpr("sum(id % 7)").collect()"""
GOES_ON = """import time
seen = query.lastProgress["batchId"] if query.lastProgress else -1
while query.isActive and (query.lastProgress or {"batchId": -1})["batchId"] <= seen:
    time.sleep(0.1)
active = query.isActive
query.stop()
active, spark.range(7).count()"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[Lab]:
    """One server and one browser for all of these tests."""
    folder = copied(tmp_path_factory.mktemp("lab") / "kit")
    expect.set_options(timeout=PATIENCE)
    with jupyterlab(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        yield Lab(folder, address, context)
        browser.close()


def buttons(page: Page, stem: str):
    """Find the buttons beside an exercise."""
    return page.get_by_role("toolbar", name=f"Exercise {stem}")


def panel(page: Page):
    """Open the course panel, if it isn't open."""
    shown = page.get_by_role("region", name="Course")
    if not shown.is_visible():
        page.get_by_title("Course: chapters and exercises").click()
    return shown


def saved(page: Page) -> None:
    """Save the notebook, and wait until the server has it."""
    with page.expect_response(
        lambda answer: answer.request.method == "PUT" and "/api/contents/" in answer.url
    ) as answer:
        page.get_by_title("Save and create checkpoint").click()
    assert answer.value.ok


def test_an_exercise_is_solved_in_jupyterlab(lab):
    """The stub comes into a cell; a wrong answer gets idea and picture, a right one a tick."""
    lab.choose_theme("dark")
    notebook = lab.write("solved.ipynb", [f"%exercise {CLEANSING.stem}"])
    with lab.open(notebook, "projector") as page:
        told = panel(page).locator(f"[data-exercise={CLEANSING.stem}]")
        expect(told).to_contain_text("· untouched")
        run(page, 0)
        answer = page.locator(".jp-Notebook-cell", has_text="raise NotImplementedError")
        answer.locator(".cm-content").click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(f"%%exercise {CLEANSING.stem}\n{WRONG}")
        answer = page.locator(".jp-Notebook-cell", has_text="def cleanse")
        answer.get_by_role("button", name="Check").click()
        expect(answer).to_contain_text(f"✗ {CLEANSING.stem}: wrong")
        expect(answer).to_contain_text("You kept rides that start in the city.")
        answer.locator(".trainer img").wait_for()
        assert len(answer.locator(".trainer img").get_attribute("alt")) > 10
        assert serious_faults(page, [".trainer"]) == []
        expect(told).to_contain_text("✗ wrong")
        expect(buttons(page, CLEANSING.stem).last).to_contain_text("✗ wrong")
        answer.locator(".cm-content").click()
        page.keyboard.press("Control+A")
        solution = CLEANSING.solution.read_text()
        page.keyboard.insert_text(f"%%exercise {CLEANSING.stem}\n{solution}")
        page.keyboard.press("Control+Enter")
        expect(answer).to_contain_text(f"✓ {CLEANSING.stem}: correct")
        expect(told).to_contain_text("✓ correct")
        assert (lab.folder / "exercises" / CLEANSING.stub.name).read_text() == solution


def test_the_words_of_the_course_are_there_before_any_cell(lab):
    """In a kernel that just started, and in one that was restarted."""
    with lab.open(lab.write("words.ipynb", [f"hint({QUARANTINE.name!r})"])) as page:
        run(page, 0)
        expect(cell(page, 0).locator(".jp-Cell-outputArea")).to_contain_text("2 left")
        page.get_by_title("Restart the kernel", exact=True).click()
        page.get_by_role("button", name="Confirm Kernel Restart").click()
        page.get_by_text("| Idle").wait_for()
        run(page, 0, f"%exercise {QUARANTINE.stem}")
        expect(page.locator(".jp-Notebook")).to_contain_text("raise NotImplementedError")


def test_a_hint_stands_below_the_exercise_and_adds_no_cell(lab):
    """Each click replaces what the last one said; it can be closed."""
    with lab.open(lab.write("hints.ipynb", [f"%exercise {QUARANTINE.stem}"])) as page:
        for _ in range(2):
            buttons(page, QUARANTINE.stem).get_by_role("button", name="Hint").click()
            expect(cell(page, 0).locator(".taxi-said .jp-OutputArea-output").first).to_be_visible()
        expect(page.locator(".taxi-said")).to_have_count(1)
        expect(page.locator(".jp-Notebook-cell")).to_have_count(1)
        page.get_by_role("button", name="Close", exact=True).click()
        expect(page.locator(".taxi-said")).to_have_count(0)


def test_a_reset_asks_first_and_keeps_what_was_written(lab):
    """Whoever cancels keeps all; whoever goes on gets the stub, and finds the old text in mine/."""
    mine = f"%%exercise {QUARANTINE.stem}\nmy_own = 1\n"
    with lab.open(lab.write("reset.ipynb", [mine])) as page:
        bar = buttons(page, QUARANTINE.stem)
        bar.get_by_role("button", name="Reset").click()
        page.get_by_role("button", name="Cancel").click()
        expect(cell(page, 0)).to_contain_text("my_own")
        bar.get_by_role("button", name="Reset").click()
        page.get_by_role("dialog").get_by_role("button", name="Reset").click()
        expect(cell(page, 0)).to_contain_text("raise NotImplementedError")
        kept = re.search(r"mine/\S+", bar.get_by_role("status").inner_text())[0]
        assert (lab.folder / kept).read_text() == "my_own = 1\n"


def test_the_file_browser_opens_on_the_notebooks(lab):
    """Not on the folder of the whole kit."""
    with lab.open(WINDOWS) as page:
        files = page.locator(".jp-DirListing-content")
        expect(files).to_contain_text("00_meet_the_streams.ipynb")


def test_buttons_and_panel_can_be_reached_with_the_keyboard(lab):
    """A key pressed on a button is the button's; the panel's links lead to their exercises."""
    with lab.open(WINDOWS) as page:
        link = panel(page).get_by_role("link", name="4b Popular places")
        link.focus()
        page.keyboard.press("Enter")
        bar = buttons(page, "ch04b_popular_places")
        expect(bar).to_be_in_viewport()
        bar.get_by_role("button", name="Reset").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Reset ch04b_popular_places?")
        page.keyboard.press("Escape")


def test_a_walk_goes_by_buttons_and_by_arrow_keys(lab):
    """Its keys stay in it: the notebook's own cell stays chosen. It is there after a reload."""
    with lab.open(lab.write("walk.ipynb", [WALK, "1"])) as page:
        run(page, 0)
        walk = page.locator(WALKS)
        said = walk.locator("header").locator("visible=true")
        expect(said).to_contain_text("micro-batch 1 of 3")
        said.get_by_text("forward →").click()
        expect(said).to_contain_text("micro-batch 2 of 3")
        active = page.locator(".jp-Notebook-cell.jp-mod-active")
        chosen = active.get_attribute("data-windowed-list-index")
        walk.get_by_role("radio", name="micro-batch 2").focus()
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text("micro-batch 3 of 3")
        page.keyboard.press("ArrowLeft")
        expect(said).to_contain_text("micro-batch 2 of 3")
        assert active.get_attribute("data-windowed-list-index") == chosen
        assert serious_faults(page, [WALKS]) == []
        saved(page)
        page.reload()
        expect(said).to_contain_text("micro-batch 1 of 3")
        said.get_by_text("forward →").click()
        expect(said).to_contain_text("micro-batch 2 of 3")


def test_an_interrupted_cell_lets_go_of_spark(lab):
    """It says one line; the next cell gets the cores at once; a stream started before goes on."""
    with lab.open(lab.write("endless.ipynb", [STREAM, ENDLESS, GOES_ON])) as page:
        run(page, 0)
        expect(cell(page, 0).locator(".jp-InputPrompt")).to_have_text("[1]:")
        run(page, 1)
        expect(cell(page, 1).locator(".jp-OutputArea")).to_contain_text("it runs")
        page.get_by_title("Interrupt the kernel").click()
        expect(cell(page, 1).locator(".jp-InputPrompt")).to_have_text("[2]:")
        said = cell(page, 1).locator(".jp-OutputArea").inner_text()
        assert said.splitlines() == ["it runs", STOPPED]
        run(page, 2)
        expect(cell(page, 2).locator(".jp-OutputArea-output")).to_have_text("(True, 7)")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_panel_and_buttons_have_no_serious_fault(lab, size, theme):
    """Contrast, names, roles; and nothing hangs out at the side."""
    lab.choose_theme(theme)
    with lab.open(WINDOWS, size) as page:
        dark = page.locator("body[data-jp-theme-light='false']")
        expect(dark).to_have_count(int(theme == "dark"))
        panel(page).get_by_role("link", name="4a Hourly tips").click()
        expect(buttons(page, "ch04a_hourly_tips")).to_be_in_viewport()
        assert serious_faults(page, [".taxi-panel", ".taxi-bar"]) == []
        for part in (panel(page), buttons(page, "ch04a_hourly_tips")):
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth")


def test_an_exercise_comes_into_its_own_cell_once(lab):
    """A second Run checks what it holds, in the same cell, and adds none."""
    with lab.open(lab.write("once.ipynb", [f"%exercise {QUARANTINE.stem}"])) as page:
        run(page, 0)
        expect(cell(page, 0)).to_contain_text("raise NotImplementedError")
        run(page, 0)
        expect(cell(page, 0)).to_contain_text(f"{QUARANTINE.stem}: untouched")
        expect(page.locator(".jp-InputPrompt")).to_have_text(["[2]:"])


def test_the_doctor_tells_of_this_machine(lab):
    """Finding by finding, in the panel; once all are told it can be asked again."""
    with lab.open(WINDOWS) as page:
        ask = panel(page).get_by_role("button", name="Doctor")
        ask.click()
        expect(ask).to_be_disabled()
        # It starts a Spark of its own, beside whatever else this machine does.
        expect(ask).to_be_enabled(timeout=4 * PATIENCE)
        told = panel(page).get_by_role("log").get_by_role("listitem")
        expect(told).to_contain_text(list(CHECKS))
