"""The chapters have one form, point at what exists, and their tools can be called."""

import json
import re
import subprocess
import sys
from functools import cache

import nbformat
import pytest

import trainer
from trainer.course.clone import NOTEBOOKS
from trainer.course.exercise import exercises
from trainer.issue import contracts
from trainer.learner.contract import contract
from trainer.rows import end, ride

CHAPTERS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)


@cache
def sources(chapter, kind):
    """The text of a chapter's cells of one kind."""
    return [c.source for c in nbformat.read(chapter, 4).cells if c.cell_type == kind]


@cache
def never_compared(chapter):
    """The text of the cells whose output nbval doesn't compare, which a tag of theirs says."""
    cells = nbformat.read(chapter, 4).cells
    return [c.source for c in cells if "nbval-ignore-output" in c.metadata.get("tags", [])]


@each_chapter
def test_what_is_for_tests_alone_is_in_no_cell(chapter):
    """What nbval has to know is in a cell's metadata: learners read the cells."""
    assert not [c for kind in ("code", "markdown") for c in sources(chapter, kind) if "NBVAL" in c]


@each_chapter
def test_it_begins_and_ends_as_all_do(chapter):
    """A title with the chapter's number, goals, what Flink calls it, and where to go on."""
    first, *rest = sources(chapter, "markdown")
    headings = re.findall(r"^## (.*)", "\n".join(rest), re.MULTILINE)
    assert first.startswith(f"# {int(chapter.stem[:2])} · ")
    assert "**When you are through, you can**" in first
    assert headings[-2:] == ["Coming from Flink", "Where to go on"]


@each_chapter
def test_each_exercise_has_its_turn(chapter):
    """A word on what to do, a cell that brings the stub, a check; none is compared by nbval."""
    own = [e.stem for e in exercises() if e.chapter == int(chapter.stem[:2])]
    text, code = "\n".join(sources(chapter, "markdown")), never_compared(chapter)
    for stem in own or ["ch01a_ride_cleansing"]:
        assert f'`hint("{stem}")`' in text
        assert f"%exercise {stem}" in code
        assert any(re.fullmatch(rf'[^#]*check\("{stem}"\)', c) for c in code)
    assert len(re.findall("^## Your turn", text, re.MULTILINE)) == len(own)


@each_chapter
def test_the_contracts_it_shows_are_todays(chapter):
    """They are outputs, which nobody compares; `python -m trainer.issue` writes them anew."""
    shown = [*contracts(json.loads(chapter.read_text(encoding="utf-8")))]
    own = [each for each in exercises() if each.chapter == int(chapter.stem[:2])]
    assert {each.stem for each, _ in shown} >= {each.stem for each in own}
    for exercise, data in shown:
        assert "".join(data["text/markdown"]) == contract(exercise)


@each_chapter
def test_every_link_leads_somewhere(chapter):
    """To a file that is there."""
    links = re.findall(r"\]\((?!http)([^)#]+)", "\n".join(sources(chapter, "markdown")))
    assert links or chapter == CHAPTERS[-1]
    assert [link for link in links if not (NOTEBOOKS / link).exists()] == []


EVERYTHING_FIRST = """
import importlib, pkgutil, types, trainer
for module in pkgutil.walk_packages(trainer.__path__, "trainer."):
    if not module.name.startswith("trainer.issued"):
        importlib.import_module(module.name)
functions = [isinstance(getattr(trainer, name), types.FunctionType) for name in trainer.__all__]
print(trainer.__all__ if all(functions) else [*zip(trainer.__all__, functions)])
"""


def test_what_notebooks_import_is_called():
    """A function each, never the module that holds it, whatever was imported before."""
    told = subprocess.check_output([sys.executable, "-c", EVERYTHING_FIRST], text=True)
    assert told == f"{trainer.__all__}\n"


def test_a_walk_is_written_alike_each_time(spark):
    """A saved page is compared word for word; two walks on a page have their own buttons."""

    def starts(rides):
        return rides.filter("is_start")

    one, same, other = (
        trainer.step(starts, rides=rides)._repr_html_()
        for rides in ([[ride(1)], [end(1)]], [[ride(1)], [end(1)]], [[ride(2)], [end(2)]])
    )
    assert one == same
    assert re.findall(r'name="(.*?)"', one)[0] != re.findall(r'name="(.*?)"', other)[0]
