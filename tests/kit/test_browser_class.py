"""The class board in a real browser: live while learners check; and a learner in JupyterLab."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.kit.browser import CHROMIUM, SIZES, Lab, jupyterlab, run, serious_faults
from tests.kit.classroom import CORRECT, WRONG, Class, open_class
from tests.kit.conftest import copied
from trainer.checking.misconceptions import misconceptions
from trainer.course.exercise import exercises, find
from trainer.workshop import plan
from trainer.workshop.plan import Part
from trainer.workshop.seat import joining
from trainer.workshop.seat.courier import deliver
from trainer.workshop.stuck import THE_SAME

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
]

PATIENCE = 60_000
EVIL = "<img src=x onerror=alert(1)>"
IDEA = WRONG | {"idea": "looks_at_the_start_only", "rule": "test_both_ends"}
SCREENS = SIZES | {"phone": (390, 844)}
PLAN = [Part(0, "Ride cleansing"), Part(24 * 60 - 1, "Home")]


@pytest.fixture(scope="module", autouse=True)
def patience() -> None:
    """Give the page time, also beside other work."""
    expect.set_options(timeout=PATIENCE)


@pytest.fixture
def classroom(tmp_path) -> Iterator[Class]:
    """A class that is open."""
    with open_class(tmp_path, plan=PLAN) as classroom:
        yield classroom


@pytest.fixture
def context(browser) -> Iterator[BrowserContext]:
    """A browser in which nobody has entered; what its pages complain of fails the test."""
    context, complaints = browser.new_context(), []
    context.on("console", lambda told: told.type == "error" and complaints.append(told.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    # A board that is away for a moment is what one test is about.
    assert [
        each for each in complaints if "ERR_CONNECTION" not in each and "ERR_INC" not in each
    ] == []


def entered(context: BrowserContext, classroom: Class) -> Page:
    """Enter as the instructor does, by the link of the terminal."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{classroom.port}/enter#{classroom.instructor}")
    expect(page.locator("#state")).to_contain_text("live")
    assert classroom.instructor not in page.url
    return page


def cell(page: Page, name: str, place: str = "1a"):
    """Find a learner's cell."""
    column = page.locator("thead tr").nth(1).locator("th").all_inner_texts().index(place)
    row = page.locator("#learners tr").filter(has=page.locator("th", has_text=name))
    return row.locator("td").nth(column - 1)


def test_the_page_is_live(context, classroom):
    """Who joins is there, each check changes a cell, and a name is nothing but text."""
    page = entered(context, classroom)
    expect(page.get_by_text("Nobody has joined yet.")).to_be_visible()
    ann, evil = classroom.seat("Ann"), classroom.seat(EVIL)
    expect(page.locator("#learners th", has_text=EVIL)).to_be_visible()
    ann.check(IDEA)
    expect(cell(page, "Ann").get_by_role("img", name="wrong")).to_have_text("✗")
    ann.check(CORRECT)
    expect(cell(page, "Ann").get_by_role("img", name="correct")).to_have_text("✓")
    evil.check(WRONG)
    expect(page.locator("[data-through=ch01a_ride_cleansing]")).to_have_text("1")
    assert page.locator("img").count() == 0
    assert page.locator("#learners tr").count() == 2


@pytest.mark.parametrize("width", [1024, 1280])
def test_nothing_on_the_page_is_cut_or_bare(browser, classroom, width):
    """Chapters' heads are read whole, before anybody joined and after; the bar is explained."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = entered(context, classroom)
    nothing = page.locator("#ideas-nothing")
    expect(nothing).to_contain_text("Nothing yet")
    assert cut(page) == []
    seat = classroom.seat("Ann")
    for each in exercises():
        seat.put(IDEA | {"exercise": each.stem})
    seat.check(IDEA)
    expect(cell(page, "Ann").get_by_role("img", name="wrong")).to_be_visible()
    expect(nothing).to_be_hidden()
    assert cut(page) == []
    expect(page.locator("#learners tr.fresh")).to_have_count(1)
    expect(page.get_by_text("green bar left of a name")).to_be_visible()
    context.close()


def cut(page: Page) -> list[str]:
    """Find the heads of chapters that aren't there whole."""
    heads = page.locator("th.chapter")
    assert heads.count() > 5
    return heads.evaluate_all(
        "heads => heads.filter(each => each.scrollWidth > each.clientWidth + 1)"
        ".map(each => each.textContent)"
    )


def test_the_wall_needs_no_secret_code(context, classroom):
    """The link of the terminal opens it in a fresh browser; it is live, and not bare."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{classroom.port}/projector?code={classroom.code}")
    expect(page.locator("#state")).to_have_text("0 learners · live")
    expect(page.locator("#ideas-nothing")).to_be_visible()
    expect(page.locator("#through-nothing")).to_be_visible()
    assert page.locator("img").evaluate("image => image.complete && image.naturalWidth > 0")
    classroom.seat("Ann").check(CORRECT)
    expect(page.locator("[data-through=ch01a_ride_cleansing]")).to_have_text("1 of 1")
    expect(page.locator("#through-nothing")).to_be_hidden()
    page.goto(f"http://127.0.0.1:{classroom.port}/")
    field = page.get_by_label("The instructor's code")
    assert page.url.endswith("/enter") and field.get_attribute("type") == "password"
    field.fill(classroom.instructor.lower())
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#learners th")).to_have_text(["Ann"])


def test_who_handed_in_is_on_the_page(context, classroom):
    """With the time, as soon as it came; the wall has the count alone."""
    page = entered(context, classroom)
    classroom.seat("Bob")
    ann = classroom.seat("Annabella")
    expect(page.locator("#handed-in")).to_be_hidden()
    ann.hand_in()
    expect(page.locator("#handed-in")).to_have_text("1 of 2 handed in")
    row = page.locator("#learners tr").filter(has_text="Annabella")
    expect(row.locator("td.handed-in")).to_have_text(re.compile(r"↑ \d\d:\d\d"))
    page.goto(f"http://127.0.0.1:{classroom.port}/projector")
    expect(page.locator("#handed-in")).to_have_text("1 of 2 handed in")
    assert "Annabella" not in page.content()


def test_help_and_who_is_stuck(context, classroom):
    """Both stand above the table; help is ticked off."""
    page = entered(context, classroom)
    ann, bob = classroom.seat("Ann"), classroom.seat("Bob")
    bob.check(IDEA, ago=THE_SAME + 60)
    bob.check(IDEA)
    joining.ask_for_help("ch01b_quarantine", ann.folder)
    expect(page.locator("#help")).to_contain_text("Ann, 1b Quarantine, just now")
    expect(page.locator("#stuck")).to_contain_text(
        re.compile("Bob, 1a Ride cleansing, for 1[01] min")
    )
    page.get_by_role("button", name="Ann was helped").click()
    expect(page.locator("#help li")).to_have_count(0)
    assert not classroom.room.board.learners[1].asked


def test_a_learner_is_taken_off(context, classroom):
    """Once the instructor is sure; then they are gone from the table, and the others are not."""
    page = entered(context, classroom)
    ann, _ = classroom.seat("Ann"), classroom.seat("Bob")
    ann.hand_in()
    who, button = (
        page.get_by_label("Who joined by mistake"),
        page.get_by_role("button", name="Take off"),
    )
    who.select_option("Ann")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    button.click()
    assert "Take Ann off the class?" in asked[0] and len(classroom.room.board.learners) == 2
    page.once("dialog", lambda dialog: dialog.accept())
    button.click()
    expect(page.locator("#off-told")).to_contain_text("stays in the folder: Ann.1.taxi.zip.")
    expect(page.locator("#learners th")).to_have_text(["Bob"])
    expect(who.locator("option")).to_have_text(["choose …", "Bob"])
    expect(page.locator("#state")).to_have_text("1 learner · live")


def test_the_instructor_speaks_and_opens(context, classroom):
    """A line, and the hints of an exercise: learners get both with their next letter."""
    page = entered(context, classroom)
    page.get_by_label("A line for all").fill("Back at ten <b>")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#line")).to_have_text("Back at ten <b>")
    page.get_by_label("To the whole class").select_option("ch01b_quarantine")
    page.get_by_role("button", name="Open all hints").click()
    expect(page.locator("#released")).to_have_text("hints of 1b Quarantine")
    assert classroom.room.board.released["hints"] == ["ch01b_quarantine"]
    page.goto(f"http://127.0.0.1:{classroom.port}/projector")
    expect(page.locator("#line")).to_have_text("Back at ten <b>")
    expect(page.locator("#opened")).to_have_text("Open to all: hints of 1b Quarantine")


def test_the_wall_names_nobody(context, classroom):
    """It counts who is through, and words ideas as everybody's."""
    page = entered(context, classroom)
    for name in ("Annabella", "Bobadil"):
        seat = classroom.seat(name)
        seat.check(IDEA)
        seat.check(CORRECT)
    page.goto(f"http://127.0.0.1:{classroom.port}/projector")
    expect(page.locator("[data-through=ch01a_ride_cleansing]")).to_have_text("2 of 2")
    expect(page.locator("#ideas")).to_contain_text("We kept rides that start in the city (1a")
    expect(page.locator("#plan .now")).to_have_text("00:00 Ride cleansing")
    assert classroom.code in page.inner_text("body")
    assert page.locator("img").evaluate("image => image.complete && image.naturalWidth > 0")
    assert "Annabella" not in page.content()


@pytest.mark.parametrize("line", ["", "We go on at eleven; bring your questions on watermarks."])
def test_the_wall_is_never_scrolled(browser, tmp_path, line):
    """At 1024×768, with a day's plan, ideas, and 25 exercises; letters stay large enough."""
    with open_class(tmp_path, plan=plan.read(Path("one-day"))) as classroom:
        for name in ("Ann", "Bob"):
            seat = classroom.seat(name)
            for each in exercises()[:25]:
                idea = misconceptions(each)[0].__name__
                seat.put(IDEA | {"exercise": each.stem, "idea": idea})
            assert deliver(seat.folder)
            seat.hand_in()
        context = browser.new_context(viewport={"width": 1024, "height": 768})
        page = entered(context, classroom)
        if line:
            page.get_by_label("A line for all").fill(line)
            page.get_by_role("button", name="Send").click()
            for each in exercises()[:4]:
                classroom.instruct()
                classroom.post("/release", {"kind": "hints", "exercise": each.stem})
        page.goto(f"http://127.0.0.1:{classroom.port}/projector")
        expect(page.locator("#ideas li")).to_have_count(5)
        expect(page.locator("#line")).to_have_text(line)
        expect(page.locator("[data-through]:visible")).to_have_count(25)
        height, size = page.evaluate(
            "[document.documentElement.scrollHeight,"
            " parseFloat(getComputedStyle(document.body).fontSize)]"
        )
        lines = page.locator(".typed .whole").first.evaluate(
            "(each) => { each.textContent = '192.168.178.120:8765';"
            " const letter = parseFloat(getComputedStyle(each).fontSize);"
            " return Math.round(each.offsetHeight / 1.5 / letter); }"
        )
        context.close()
    assert height <= 768 and size >= 14
    assert lines == 1, "an address that is broken into two is typed wrong"


def test_a_page_finds_its_way_back(context, tmp_path):
    """After the server was away it goes on by itself, with what came in the meantime."""
    with open_class(tmp_path) as classroom:
        page, port = entered(context, classroom), classroom.port
        ann = classroom.seat("Ann")
        expect(page.locator("#learners th", has_text="Ann")).to_be_visible()
    expect(page.locator("#state")).to_contain_text("out of reach")
    ann.put(CORRECT)
    with open_class(tmp_path, port) as classroom:
        ann.check(WRONG)
        expect(page.locator("#state")).to_contain_text("live")
        expect(cell(page, "Ann").get_by_role("img", name="wrong")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_pages_can_be_read_by_everybody(browser, classroom, scheme, screen):
    """Contrast, names, order of headings; and nothing is wider than the screen."""
    for number in range(3):
        seat = classroom.seat(f"Learner {number} of a rather long name indeed")
        seat.check(IDEA, ago=THE_SAME + 60)
        seat.check(IDEA)
        joining.ask_for_help(None, seat.folder)
    width, height = SCREENS[screen]
    size = {"width": width, "height": height}
    context = browser.new_context(color_scheme=scheme, viewport=size, bypass_csp=True)
    page = entered(context, classroom)
    faults = {}
    for path in ("/", "/projector", "/join", "/enter"):
        page.goto(f"http://127.0.0.1:{classroom.port}{path}")
        if path in ("/", "/projector"):
            expect(page.locator("#ideas li")).to_have_count(1)
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        faults[path] = (serious_faults(page), wide)
    context.close()
    assert faults == dict.fromkeys(faults, ([], False))


def test_a_learner_in_jupyterlab_is_in_class(browser, classroom, tmp_path_factory):
    """`%class` joins; the instructor's line comes into the panel; a button asks for help."""
    folder = copied(tmp_path_factory.mktemp("lab") / "kit")
    with jupyterlab(folder) as address:
        context = browser.new_context()
        context.set_default_timeout(3 * PATIENCE)
        lab = Lab(folder, address, context)
        stem = find("quarantine").stem
        join = f"%class join 127.0.0.1:{classroom.port} {classroom.code} --name Ann"
        with lab.open(lab.write("class.ipynb", [join, f"%exercise {stem}"])) as page:
            run(page, 0)
            output = page.locator(".jp-Notebook-cell").first.locator(".jp-Cell-outputArea")
            expect(output).to_contain_text("You are Ann in the class")
            classroom.instruct()
            classroom.post("/say", {"text": "Look at <b>me</b>"})
            page.get_by_title("Course: chapters and exercises").click()
            told = page.get_by_role("region", name="Course").locator(".taxi-line")
            expect(told).to_have_text("Instructor: Look at <b>me</b>")
            bar = page.get_by_role("toolbar", name=f"Exercise {stem}")
            bar.get_by_role("button", name="Ask the instructor for help").click()
            expect(bar.get_by_role("button", name="I got on")).to_be_visible()
            (asking,) = classroom.live()["help"]
            assert (asking["name"], asking["exercise"]) == ("Ann", stem)
            assert serious_faults(page, [".taxi-class"]) == []
        context.close()
