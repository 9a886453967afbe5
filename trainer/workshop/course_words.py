"""What the course itself says of exercises, rules and ideas: learners' machines send names only."""

import re
from functools import cache

from trainer.course.docstrings import docstrings
from trainer.course.exercise import Exercise, exercises
from trainer.learner.overview import chapter_title

# After these, "you" is not who does something, but to whom it is done.
TO_WHOM = r"(for|to|of|with|by|at|tells?|gives?|lets?|costs?|told|asks?|shows?|helps?|around)"
OURS = (
    (rf"\b{TO_WHOM} you\b", r"\1 us"),
    (r"\byourself\b", "ourselves"),
    (r"\byours\b", "ours"),
    (r"\bYours\b", "Ours"),
    (r"\byour\b", "our"),
    (r"\bYour\b", "Our"),
    (r"\byou\b", "we"),
    (r"\bYou\b", "We"),
)

# The board's own copy of the course stays as it is while the board is open.
_docstrings = cache(docstrings)


@cache
def known() -> dict[str, Exercise]:
    """Give the exercises of the course by their stems, in their order."""
    return {each.stem: each for each in exercises()}


def rule(stem: str, name: str | None) -> str:
    """Give the rule that a grader's test checks, in its words."""
    return _said(stem, "grader", name, first=True)


def idea(stem: str, name: str | None) -> str:
    """Give what a misconception is about, said of all of us: nobody in particular had it."""
    text = _said(stem, "misconceptions", name, first=False)
    for told, ours in OURS:
        text = re.sub(told, ours, text)
    return text


def _said(stem: str, of: str, name: str | None, *, first: bool) -> str:
    if not name:
        return ""
    exercise = known().get(stem)
    text = _docstrings(getattr(exercise, of)).get(name) if exercise else None
    # A learner's kit may be newer than the instructor's.
    text = text or name.removeprefix("test_").replace("_", " ")
    return " ".join((text.split("\n\n")[0] if first else text).split())


@cache
def chapters() -> list[dict]:
    """Give the course as a page's head shows it: chapters with their exercises."""
    numbers = dict.fromkeys(each.chapter for each in known().values())
    return [
        {
            "number": number,
            "title": chapter_title(number),
            "exercises": [_shown(each) for each in known().values() if each.chapter == number],
        }
        for number in numbers
    ]


def _shown(exercise: Exercise) -> dict[str, str]:
    place, title = f"{exercise.chapter}{exercise.letter}", exercise.name.replace("_", " ")
    return {"stem": exercise.stem, "place": place, "title": title.capitalize()}
