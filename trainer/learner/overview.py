"""The course at a glance: chapters, exercises, and how far one has come."""

import ast
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from trainer.course.clone import NOTEBOOKS, ROOT
from trainer.course.exercise import Exercise, exercises
from trainer.course.stub import is_untouched, kept
from trainer.display.marks import MARKS
from trainer.display.prose import say
from trainer.learner.progress import Progress

# Narrower terminals show what an exercise is about below its name.
WIDE = 72
# What is_broken tells of an exercise, in words.
BROKEN = "solved before, wrong now"


def state(exercise: Exercise, progress: Progress) -> str:
    """Give an exercise's last verdict; `edited` where nobody has checked what is there."""
    verdict = progress.of(exercise.stem).verdict
    if is_untouched(exercise):
        return "untouched"
    return "edited" if verdict == "untouched" else verdict


def is_broken(exercise: Exercise, progress: Progress) -> bool:
    """Tell whether an exercise was solved once, and its last verdict says otherwise."""
    at_odds = state(exercise, progress) in ("unfinished", "crashed", "wrong")
    return at_odds and bool(progress.of(exercise.stem).solved)


def is_open(exercise: Exercise, progress: Progress) -> bool:
    """Tell whether there is something left to do: it was never solved, or is broken again."""
    return not progress.of(exercise.stem).solved or is_broken(exercise, progress)


def last_exercise(progress: Progress) -> Exercise | None:
    """Give the exercise that was last worked on, by a check or a hint."""
    return next((each for each in exercises() if each.stem == progress.last()), None)


def next_exercise(progress: Progress, after: Exercise | None = None) -> Exercise | None:
    """Give the next open exercise after one, by default the last worked on; then those skipped."""
    after, known = after or last_exercise(progress), exercises()
    at = known.index(after) + 1 if after else 0
    return next((each for each in known[at:] + known[:at] if is_open(each, progress)), None)


def at_hand(progress: Progress) -> Exercise | None:
    """Give the exercise last worked on while it is open, and after that the next."""
    last = last_exercise(progress)
    return last if last and is_open(last, progress) else next_exercise(progress)


def skipped(exercise: Exercise, progress: Progress) -> list[Exercise]:
    """List the open exercises that come before one in the course."""
    known = exercises()
    return [each for each in known[: known.index(exercise)] if is_open(each, progress)]


def story(exercise: Exercise) -> str:
    """Give the line that says what an exercise is about."""
    text = ast.get_docstring(ast.parse(exercise.issued.read_text(encoding="utf-8"))) or ""
    return text.splitlines()[0]


def chapter_title(number: int) -> str:
    """Give the title of a chapter, as its notebook's name says it."""
    notebook = next(NOTEBOOKS.glob(f"{number:02}_*.ipynb"), None)
    return notebook.stem[3:].replace("_", " ").capitalize() if notebook else ""


def table(progress: Progress, width: int = 80) -> Group:
    """Draw all exercises by chapter, with verdicts and bars."""
    parts = [_chapter(number, list(group), progress, width) for number, group in _by_chapter()]
    solved = sum(bool(progress.of(each.stem).solved) for each in exercises())
    broken = sum(is_broken(each, progress) for each in exercises())
    wrong = f", {broken} of them wrong now" if broken else ""
    told = Text(f"{solved} of {len(exercises())} solved{wrong}", "bold")
    return Group(*parts, told, *_kept())


def _kept() -> Iterator[Text]:
    if there := [each.stem for each in exercises() if kept(each)]:
        back = "`trainer reset NAME --undo` brings the last one back"
        yield Text(f"Earlier answers are in mine/: {', '.join(there)}; {back}.", "dim")


def _by_chapter() -> groupby:
    return groupby(exercises(), key=lambda exercise: exercise.chapter)


def _chapter(number: int, members: Sequence[Exercise], progress: Progress, width: int) -> Group:
    solved = sum(not is_open(each, progress) for each in members)
    bar = Text("━" * 6 * solved, "green") + Text("━" * 6 * (len(members) - solved), "dim")
    heading = Text(f"{number:02} {chapter_title(number)}  ", "bold") + bar
    lines = Table.grid(padding=(0, 2, 0, 0))
    for each in members:
        mark, *cells = _line(each, progress)
        # What is too long goes on in the next line, between its words.
        lines.add_row(mark, *cells) if width >= WIDE else lines.add_row(mark, _below(*cells))
    return Group(heading, lines, Text())


def _line(exercise: Exercise, progress: Progress) -> tuple[Text, Text, Text, Text]:
    word = state(exercise, progress)
    mark, colour = MARKS[word]
    name = Text(exercise.stem.ljust(max(len(each.stem) for each in exercises())))
    text = story(exercise).partition(": ")[2]
    about = Text(text[:1].upper() + text[1:])
    if is_broken(exercise, progress):
        about = Text(f"{BROKEN.capitalize()}: ", "yellow") + about
    return Text(f" {mark}", colour), name, Text(word.ljust(10), colour), about


def _below(name: Text, word: Text, about: Text) -> Text:
    name.rstrip()
    return Text.assemble(name, "  ", word, "\n", about)


def where(exercise: Exercise) -> str:
    """Say in one line which file to edit, and which notebook leads there."""
    notebook = next(NOTEBOOKS.glob(f"{exercise.chapter:02}_*.ipynb"), None)
    lesson = f"; the lesson is {notebook.relative_to(ROOT)}" if notebook else ""
    return f"Edit {exercise.stub.relative_to(ROOT)}{lesson}."


def tell_next(exercise: Exercise | None, progress: Progress, console: Console) -> None:
    """Say what comes next and where it is, and which exercises were left open before it."""
    if exercise is None:
        say("You have solved them all.", console)
        return
    say(Text(exercise.stem, "bold") + Text(f"  {story(exercise)}", "none"), console)
    say(where(exercise), console)
    left = skipped(exercise, progress)
    for words, broken in (("not solved yet", False), (BROKEN, True)):
        if stems := [each.stem for each in left if is_broken(each, progress) is broken]:
            say(Text(f"Before it, {words}: {', '.join(stems)}.", "dim"), console)
