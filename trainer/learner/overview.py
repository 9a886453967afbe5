"""The course at a glance: chapters, exercises, and how far one has come."""

import ast
from collections.abc import Sequence
from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text

from trainer.course.clone import NOTEBOOKS, ROOT
from trainer.course.exercise import Exercise, exercises
from trainer.course.stub import is_untouched
from trainer.display.marks import MARKS
from trainer.learner.progress import Progress


def state(exercise: Exercise, progress: Progress) -> str:
    """Give an exercise's last verdict; `edited` where nobody has checked what is there."""
    verdict = progress.of(exercise.stem).verdict
    if is_untouched(exercise):
        return "untouched"
    return "edited" if verdict == "untouched" else verdict


def next_exercise(progress: Progress) -> Exercise | None:
    """Give the first exercise of the course that is not solved."""
    return next((each for each in exercises() if not progress.of(each.stem).solved), None)


def story(exercise: Exercise) -> str:
    """Give the line that says what an exercise is about."""
    text = ast.get_docstring(ast.parse(exercise.issued.read_text(encoding="utf-8"))) or ""
    return text.splitlines()[0]


def chapter_title(number: int) -> str:
    """Give the title of a chapter, as its notebook's name says it."""
    notebook = next(NOTEBOOKS.glob(f"{number:02}_*.ipynb"), None)
    return notebook.stem[3:].replace("_", " ").capitalize() if notebook else ""


def table(progress: Progress) -> Group:
    """Draw all exercises by chapter, with verdicts and bars."""
    parts = [_chapter(number, list(group), progress) for number, group in _by_chapter()]
    solved = sum(bool(progress.of(each.stem).solved) for each in exercises())
    return Group(*parts, Text(f"{solved} of {len(exercises())} solved", "bold"))


def _by_chapter() -> groupby:
    return groupby(exercises(), key=lambda exercise: exercise.chapter)


def _chapter(number: int, members: Sequence[Exercise], progress: Progress) -> Group:
    solved = sum(bool(progress.of(each.stem).solved) for each in members)
    bar = Text("━" * 6 * solved, "green") + Text("━" * 6 * (len(members) - solved), "dim")
    heading = Text(f"{number:02} {chapter_title(number)}  ", "bold") + bar
    lines = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for width in (2, 26, 10):
        lines.add_column(width=width, no_wrap=True, justify="left")
    lines.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for each in members:
        word = state(each, progress)
        mark, colour = MARKS[word]
        lines.add_row(Text(f" {mark}", colour), each.stem, Text(word, colour), story(each))
    return Group(heading, lines, Text())


def where(exercise: Exercise) -> str:
    """Say in one line which file to edit, and which notebook leads there."""
    notebook = next(NOTEBOOKS.glob(f"{exercise.chapter:02}_*.ipynb"), None)
    lesson = f"; the lesson is {notebook.relative_to(ROOT)}" if notebook else ""
    return f"Edit {exercise.stub.relative_to(ROOT)}{lesson}."
