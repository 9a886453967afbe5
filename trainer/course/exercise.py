"""The exercises: found by their file names, which are the only register there is."""

import ast
import difflib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from trainer.course.clone import NOTEBOOKS, ROOT
from trainer.course.problem import Problem

ISSUED = Path(__file__).parent / "issued"
STEM = re.compile(r"ch(?P<chapter>\d\d)(?P<letter>[a-z])_(?P<name>\w+)")


class NoSuchExercise(Problem):
    """No exercise has this name; the message names the nearest one."""


@dataclass(frozen=True)
class Exercise:
    """One exercise; its stem, such as `ch04a_hourly_tips`, names all its files."""

    stem: str

    def __lt__(self, other: "Exercise") -> bool:
        """Tell whether it comes before another one in the course."""
        return self._turn < other._turn

    @property
    def _turn(self) -> tuple[int, int, str]:
        return self.chapter, _place_in_notebook(self.chapter, self.stem), self.stem

    @property
    def chapter(self) -> int:
        """The number of its chapter."""
        return int(STEM.fullmatch(self.stem)["chapter"])

    @property
    def letter(self) -> str:
        """Its place within the chapter: a, b, …."""
        return STEM.fullmatch(self.stem)["letter"]

    @property
    def name(self) -> str:
        """Its name without its place: `hourly_tips`."""
        return STEM.fullmatch(self.stem)["name"]

    @property
    def stub(self) -> Path:
        """The file that the learner edits."""
        return ROOT / "exercises" / f"{self.stem}.py"

    @property
    def issued(self) -> Path:
        """The stub as it was issued, whatever the learner has made of theirs."""
        return ISSUED / f"{self.stem}.py"

    @property
    def solution(self) -> Path:
        """The reference answer."""
        return ROOT / "solutions" / f"{self.stem}.py"

    @property
    def grader(self) -> Path:
        """The tests."""
        return ROOT / "tests" / "exercises" / f"test_{self.stem}.py"

    @property
    def misconceptions(self) -> Path:
        """The wrong answers that learners give."""
        return ROOT / "tests" / "misconceptions" / f"{self.stem}.py"

    @property
    def outcomes(self) -> Path:
        """What the misconceptions give on the grader's scenarios: see `trainer.outcomes`."""
        return self.misconceptions.with_suffix(".json")

    @property
    def function(self) -> str:
        """The name of the function to write: the one that the issued stub holds."""
        tree = ast.parse(self.issued.read_text(encoding="utf-8"))
        return next(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def _place_in_notebook(chapter: int, stem: str) -> int:
    """Find which turn an exercise has in its chapter's notebook: the last, if it is nowhere."""
    turns = _turns(chapter)
    return turns.index(stem) if stem in turns else len(turns)


@cache
def _turns(chapter: int) -> list[str]:
    """Read from a chapter's notebook which exercises it brings, in their order."""
    notebooks = sorted(NOTEBOOKS.glob(f"{chapter:02}_*.ipynb"))
    text = "".join(file.read_text(encoding="utf-8", errors="replace") for file in notebooks)
    return list(dict.fromkeys(re.findall(r"%exercise (ch\w+)", text)))


def exercises() -> list[Exercise]:
    """List all exercises, in the order of the course: that in which the notebooks have them."""
    return sorted(Exercise(path.stem) for path in ISSUED.glob("ch*.py"))


def find(name: str) -> Exercise:
    """Find an exercise by its stem, name or place (`2b`), by a beginning of these, or its file."""
    match find_all(name):
        case [exercise]:
            return exercise
        case several:
            raise _several(name, several)


def find_all(name: str) -> list[Exercise]:
    """Find the exercises of a chapter (`ch06`, `6`), or the one that a name can mean."""
    known = exercises()
    word = _word(name)
    if chapter := re.fullmatch(r"(?:ch(?:apter)?_?)?(\d{1,2})", word):
        found = [each for each in known if each.chapter == int(chapter[1])]
    else:
        found = [each for each in known if word in _names(each)] or [
            each for each in known if word and any(n.startswith(word) for n in _names(each))
        ]
        if len(found) > 1:
            raise _several(name, found)
    return found or _none(name, word)


def _word(name: str) -> str:
    """Take a name as it is meant: without the folder and the ending of a file, in lower case."""
    if "/" in name:
        places = {os.path.abspath(name), os.path.abspath(ROOT / name)}  # noqa: PTH100 (asks no disk)
        if not places & {str(each.stub) for each in exercises()}:
            raise NoSuchExercise(
                f"No exercise lies at {name!r}; they are files in exercises/. "
                "`trainer list` shows them all."
            )
    return Path(name.strip()).name.removesuffix(".py").replace("-", "_").lower()


def _names(exercise: Exercise) -> tuple[str, ...]:
    place = f"{exercise.chapter}{exercise.letter}"
    return exercise.stem, exercise.name, place, f"0{place}", f"ch{place}", exercise.stem[:5]


def _several(name: str, several: Sequence[Exercise]) -> NoSuchExercise:
    stems = ", ".join(each.stem for each in several)
    return NoSuchExercise(f"{name!r} names {len(several)} exercises, say which: {stems}.")


def _none(name: str, word: str) -> NoReturn:
    known = {key: each for each in exercises() for key in (each.stem, each.name)}
    near = difflib.get_close_matches(word, known, n=1)
    hint = f"Did you mean {known[near[0]].stem}? " if near else ""
    raise NoSuchExercise(f"No exercise {name!r}. {hint}`trainer list` shows them all.")
