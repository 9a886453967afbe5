"""Slides of a notebook: what goes on them, in which order, and how much."""

import json
import re

import pytest
from typer.testing import CliRunner

from tests.kit.test_notebooks import CHAPTERS
from trainer import cli
from trainer.course.problem import Problem
from trainer.slides import deck as slides
from trainer.slides import sizes
from trainer.slides.cells import sections
from trainer.slides.packing import laid_out
from trainer.slides.sentences import essence, sentences

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)


def prose(text):
    """A cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code(text, printed="", **metadata):
    """A cell that printed something."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    return {"cell_type": "code", "metadata": metadata, "source": text, "outputs": outputs}


def made(*cells):
    """The slides of a notebook of these cells."""
    return [slide for part in sections({"cells": [*cells]}) for slide in laid_out(part)]


def words(slide):
    """What each piece of a slide says, and whether it waits."""
    return [(re.sub("<.*?>", "", piece.html).strip(), waits) for piece, waits in slide.shown()]


def test_an_answer_comes_behind_its_question():
    """The question and the program are there; what it gave, and what is said of it, wait."""
    heading = prose("## Count\n\nSix rides came in. **How many rows?**")
    (slide,) = made(
        heading, code("rides.count()", "12\n"), prose("Twelve. Each ride is two events.")
    )
    assert slide.title == "Count"
    assert words(slide) == [
        ("Six rides came in.", False),
        ("How many rows?", False),
        ("rides.count()", False),
        ("12", True),
        ("Twelve. Each ride is two events.", True),
    ]


def test_the_next_question_has_a_slide_of_its_own():
    """One idea a slide: the answer stays with its question, what leads on goes with the next."""
    first = prose("## Nulls\n\n**Is null 3?**")
    second = prose("Nobody knows. Now turn it round. **Is it not 3?**")
    slides = made(first, code("ask()", "null"), second)
    assert [[text for text, _ in words(slide)] for slide in slides] == [
        ["Is null 3?", "ask()", "null", "Nobody knows. Now turn it round."],
        ["Is it not 3?"],
    ]


def test_a_question_that_folds_out_is_answered_when_asked_for():
    """As those at the end of a chapter are."""
    folded = "<details><summary><b>Why not?</b></summary>\n\nBecause it is late.\n</details>"
    (slide,) = made(prose(f"## Discussion\n\n{folded}"))
    assert words(slide) == [("Why not?", False), ("Because it is late.", True)]


@pytest.mark.parametrize(
    "metadata", [{"jupyter": {"source_hidden": True}}, {"tags": ["no-code-on-slides"]}]
)
def test_code_that_is_not_the_idea_is_left_out(metadata):
    """Where it is folded in the notebook, or a tag says so; what it gave is shown."""
    (slide,) = made(prose("## Draw"), code("plumbing()", "a result", **metadata))
    assert words(slide) == [("a result", False)]


def test_what_only_imports_draws_or_checks_is_left_out():
    """Nobody learns from it on a slide."""
    drawn = code(
        "from trainer.lessons import draw_rides\n\nbusy = rides.filter(x)\ndraw_rides(busy)"
    )
    slides = made(prose("## Draw"), drawn, code('check("ch01a_ride_cleansing")', "untouched"))
    assert [words(slide) for slide in slides] == [[("busy = rides.filter(x)", False)]]


def test_a_question_is_recalled_where_its_answer_has_no_room():
    """The slide that has the answer says what it answers."""
    question = prose("## Long\n\n**What comes out?**")
    first, second = made(question, code("x = 1\n" * 18), code("y = 2\n" * 14, "z\n"))
    assert not first.recalled
    assert "What comes out?" in second.recalled


def test_a_long_table_goes_over_several_slides():
    """Each with its head."""
    rows = "".join(f"| row {n} | {'some words ' * 8} |\n" for n in range(30))
    slides = made(prose(f"## Table\n\n| name | what |\n|---|---|\n{rows}"))
    assert len(slides) > 2
    assert all("<thead>" in slide.pieces[0].html for slide in slides)


def test_a_sentence_ends_where_the_next_begins():
    """Not in a number, a program, a bracket or in what is stressed."""
    text = "It took 5.5 s. **Why? Or not?** Run `a. B` (It is. Really.) and see. Then stop."
    assert sentences(text) == [
        "It took 5.5 s.",
        "**Why? Or not?**",
        "Run `a. B` (It is. Really.) and see.",
        "Then stop.",
    ]


def test_the_essence_is_the_first_words_and_what_is_stressed():
    """The rest is said, not shown."""
    said = ["A" * 80 + ".", "Then this and that.", "It is a **window**."]
    assert essence(said) == f"{said[0]} {said[2]}"


@each_chapter
def test_no_slide_is_higher_than_the_screen(chapter):
    """By reckoning; a browser measures it where there is one."""
    assert [s.title for s in slides.read(chapter) if s.height > sizes.HEIGHT + sizes.GAP] == []


@each_chapter
def test_every_picture_says_in_words_what_it_shows(chapter):
    """One text a picture, in its cell's metadata."""
    for cell in json.loads(chapter.read_text())["cells"]:
        pictures = sum("image/png" in each.get("data", {}) for each in cell.get("outputs", []))
        assert len(cell["metadata"].get("alt", [])) == pictures, cell["source"][:3]


@each_chapter
def test_a_page_needs_nothing_from_elsewhere(chapter):
    """No style, script, font or picture is fetched."""
    page = slides.deck(slides.read(chapter))
    assert re.findall(r"<link|<script src|@import|url\(|src=['\"](?!data:)", page) == []


def test_slides_are_written_where_they_are_wanted(tmp_path):
    """By number, however it is written; the command says how many, and where."""
    told = CliRunner().invoke(cli.app, ["slides", "ch05", "--out", str(tmp_path)])
    assert re.match(r"\s*\d+ slides in ", told.output)
    assert [file.name for file in tmp_path.iterdir()] == ["05_watermarks.html"]


def test_a_chapter_that_is_not_there_is_told():
    """With those that are."""
    with pytest.raises(Problem, match="No chapter '77': they are 0 to"):
        slides.notebooks("77")


def test_a_notebook_that_cannot_be_read_is_told(tmp_path):
    """In one line."""
    broken = tmp_path / "05_watermarks.ipynb"
    broken.write_text("{")
    with pytest.raises(Problem, match="is no notebook that can be read"):
        slides.read(broken)
