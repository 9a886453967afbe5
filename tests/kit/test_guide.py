"""What the guide for instructors says is so."""

import re

import pytest
import typer

from tests.kit.test_notebooks import CHAPTERS
from trainer import cli
from trainer.course.clone import ROOT
from trainer.course.docstrings import docstrings
from trainer.course.exercise import exercises
from trainer.workshop import plan

GUIDE = ROOT / "workshop"
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted(GUIDE.glob("*.md"))}
PLANS = [name for name, text in PAGES.items() if re.search(r"^\| \d\d:\d\d \|", text, re.MULTILINE)]
ALL = {exercise.stem: exercise for exercise in exercises()}
STEM = re.compile(r"`(ch\d\d[a-z]_\w+)`")
# What every chapter's page has, in this order; a later chapter has it, too.
FORM = ["Open with", "Draw", "Where people stop", "When you are late"]
each_page = pytest.mark.parametrize("name", PAGES)
each_plan = pytest.mark.parametrize("name", PLANS)


def rows(name):
    """The rows of a plan: when, how many minutes, what."""
    found = re.findall(r"^\| (\d\d):(\d\d) \| (\d+) \| (.+?) \|", PAGES[name], re.MULTILINE)
    return [(int(hour) * 60 + int(minute), int(long), what) for hour, minute, long, what in found]


@each_page
def test_every_exercise_it_names_exists(name):
    """And nothing else looks like one."""
    assert {stem for stem in STEM.findall(PAGES[name]) if stem not in ALL} == set()


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_chapter_has_its_page(chapter):
    """With the whole form, and each of its exercises: its minutes, and where people stop."""
    number = int(chapter.stem[:2])
    text = PAGES[f"chapter-{number}"]
    assert re.findall(r"^## (.*)", text, re.MULTILINE) == FORM
    own = [stem for stem, exercise in ALL.items() if exercise.chapter == number]
    timed = re.findall(r"^\| `(ch\w+)` \| \d+ \|$", text, re.MULTILINE)
    assert sorted(timed) == sorted(own)
    assert {*re.findall(r"^\| `(ch\w+)` \| [^|]+ \| [^|]+ \|$", text, re.MULTILINE)} == {*own}


def test_assistants_have_questions_for_every_exercise():
    """At least three each, about ideas that its misconceptions know by that name."""
    parts = re.split(r"\*\*`(ch\w+)`\*\*", PAGES["assistants"])[1:]
    asked = dict(zip(parts[::2], parts[1::2], strict=True))
    assert sorted(asked) == sorted(ALL)
    for stem, text in asked.items():
        ideas = re.findall(r"^\| [^|]+ \| `(\w+)` \| \"", text, re.MULTILINE)
        assert len(ideas) >= 3, stem
        assert {*ideas} <= {*docstrings(ALL[stem].misconceptions)}, stem


@each_page
def test_every_command_it_names_exists(name):
    """`trainer something`, and what stands below `trainer class`, with the options it is given."""
    commands = typer.main.get_command(cli.app).commands
    for words in re.findall(r"trainer ([a-z][^`\n]*)", PAGES[name]):
        first, *rest = words.split()
        command = commands[first.rstrip(".,;:)")]
        if rest and rest[0] in getattr(command, "commands", {}):
            command = command.commands[rest[0]]
        known = {option for each in command.params for option in each.opts}
        assert {*re.findall(r"(?<!\S)--[a-z-]+", words)} <= known, words


@each_page
def test_every_link_leads_somewhere(name):
    """To a page that is there, and a heading on it."""
    for page, heading in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", PAGES[name]):
        target = GUIDE / page if page else GUIDE / f"{name}.md"
        assert target.exists(), page
        headings = re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.MULTILINE)
        places = [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings]
        assert not heading or heading in places, heading


@each_plan
def test_the_minutes_of_a_plan_add_up(name):
    """Each part lasts until the next begins, and the last is the end."""
    parts = rows(name)
    ends = [begins for begins, _, _ in parts[1:]]
    assert [begins + long for begins, long, _ in parts[:-1]] == ends
    assert parts[-1][1] == 0


@each_plan
def test_a_plan_has_breaks(name):
    """Nobody sits for more than two hours."""
    parts = rows(name)
    pauses = [part for part in parts if part[2] in ("Break", "Lunch", "End")]
    begun = [parts[0][0], *(begins + long for begins, long, _ in pauses)]
    assert all(pause[0] - since <= 120 for since, pause in zip(begun, pauses, strict=False))


@each_plan
def test_a_plan_gives_each_exercise_its_minutes(name):
    """Those that the page of its chapter says."""
    timed = r"^\| `(ch\w+)` \| (\d+) \|$"
    texts = [text for page, text in PAGES.items() if page.startswith("chapter-")]
    minutes = dict(pair for text in texts for pair in re.findall(timed, text, re.MULTILINE))
    turn = r"^\| \d\d:\d\d \| (\d+) \| Your turn: [^|]+ \|[^|`]*`(ch\w+)`"
    planned = re.findall(turn, PAGES[name], re.MULTILINE)
    assert len(planned) == PAGES[name].count("| Your turn: ")
    assert [(stem, given) for given, stem in planned if given != minutes[stem]] == []


@each_plan
def test_the_board_shows_a_plan_of_the_guide(name):
    """`trainer class start --plan NAME` takes times and parts from the page itself."""
    shown = [(part.minute, part.text) for part in plan.read(plan.Path(name))]
    assert shown == [(begins, what) for begins, _, what in rows(name)]
    assert f"--plan {name}`" in PAGES[name]


def test_the_plans_are_those_that_the_guide_offers():
    """Half a day, a day, and two."""
    assert PLANS == ["half-day", "one-day", "two-days-1", "two-days-2"]
    assert all(f"]({name}.md)" in PAGES["README"] for name in PAGES if name != "README")
