"""Collects what students handed in: for each, the text of each exercise."""

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from trainer.course.exercise import Exercise
from trainer.course.problem import Problem
from trainer.grading.intake.reading import ARCHIVES, Reading, is_archive
from trainer.grading.intake.unpack import files

SUFFIXES = (*ARCHIVES, ".py", ".ipynb")
# Somebody handed these in, but they are not read.
UNREAD = (".rar", ".7z", ".tar.bz2", ".tar.xz")
# Answers of the kit's own, in a clone that was handed in as a whole.
NOT_THEIRS = {"solutions", "misconceptions", "alternatives", "issued", "attacks"}
CELL = re.compile(r"\s*%%exercise[ \t]+(?P<name>\w+)[ \t]*\r?\n")


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a file's bytes for each exercise, and what was noted."""

    student: str
    files: dict[str, bytes]
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A hash of all that is graded."""
        parts = hashlib.sha256()
        for stem, text in sorted(self.files.items()):
            parts.update(f"{stem} {len(text)}\n".encode() + text)
        return parts.hexdigest()


def students(folder: Path) -> dict[str, Path]:
    """Find the students: each child of a folder is one."""
    if not folder.is_dir():
        raise Problem(f"There is no folder {folder}. It should hold one child for each student.")
    children = sorted(path for path in folder.iterdir() if _may_be_one(path))
    if not children:
        kinds = ", ".join(SUFFIXES)
        raise Problem(f"Nobody is in {folder}: expected folders, or files that end in {kinds}.")
    short = Counter(_short(path) for path in children)
    found = {
        _readable(path.name if short[_short(path)] > 1 else _short(path)): path for path in children
    }
    return dict(sorted(found.items()))


def _may_be_one(path: Path) -> bool:
    if path.name.startswith((".", "__")):
        return False
    return path.is_dir() or path.name.lower().endswith((*SUFFIXES, *UNREAD))


def _short(path: Path) -> str:
    if path.is_dir():
        return path.name
    suffix = next(each for each in (*SUFFIXES, *UNREAD) if path.name.lower().endswith(each))
    return path.name[: -len(suffix)] or path.name


def _readable(name: str) -> str:
    """Make a name of a file, which may be any bytes, one that can be written anywhere."""
    text = name.encode("utf-8", "backslashreplace").decode()
    return "".join(letter if letter.isprintable() else "_" for letter in text)


def collect(student: str, path: Path, exercises: Sequence[Exercise]) -> Submission:
    """Collect what one student handed in; whatever is wrong with it becomes a note."""
    if refused := _refused(path):
        return Submission(student, {}, (refused,))
    reading = Reading()
    found: dict[str, list[tuple[tuple, str, bytes]]] = {}

    def wanted(place: PurePosixPath) -> bool:
        return place.suffix == ".ipynb" or bool(_stems_of(place, exercises))

    single = path.is_file() and not is_archive(path.name)
    for place, data in files(path, lambda place: single or wanted(place), reading):
        for stem, text in _answers(place, data, exercises, single, reading):
            found.setdefault(stem, []).append((_rank(place), str(place), text))
    chosen = {
        stem: _choose(stem, found[stem], reading)
        for stem in sorted(found)
        if not all(rank[0] for rank, _, _ in found[stem])
    }
    return Submission(student, chosen, tuple(reading.notes))


def _refused(path: Path) -> str | None:
    if path.is_symlink():
        return f"{path.name} is a link; it was left out."
    if path.is_file() and path.name.lower().endswith(UNREAD):
        return f"{path.name} is not read; expected {', '.join(SUFFIXES)}."
    return None


def _answers(
    place: PurePosixPath,
    data: bytes,
    exercises: Sequence[Exercise],
    single: bool,
    reading: Reading,
) -> Iterator[tuple[str, bytes]]:
    if place.suffix == ".ipynb":
        yield from _in_notebook(place, data, exercises, reading)
        return
    try:
        data.decode()
    except UnicodeDecodeError:
        reading.note(f"{place} is not text in UTF-8.")
    stems = _stems_of(place, exercises)
    if single and not stems:
        stems = _by_function(data, exercises)
        if not stems:
            reading.note(f"{place} holds no function of an exercise.")
    for stem in stems:
        yield stem, data


def _stems_of(place: PurePosixPath, exercises: Sequence[Exercise]) -> list[str]:
    """Tell which exercise a file is for: `ch01a_x.py`, also `ann_ch01a_x (1).py`."""
    if place.suffix != ".py" or place.name.startswith("test_"):
        return []
    return [
        each.stem
        for each in exercises
        if re.search(rf"(?:^|[^a-zA-Z0-9]){each.stem}(?![a-zA-Z_])", place.stem)
    ]


def _by_function(data: bytes, exercises: Sequence[Exercise]) -> list[str]:
    """Tell which exercises a file is for by the functions that it defines."""
    if len(exercises) == 1:
        return [exercises[0].stem]
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return [each.stem for each in exercises if each.function in defined]


def _in_notebook(
    place: PurePosixPath, data: bytes, exercises: Sequence[Exercise], reading: Reading
) -> Iterator[tuple[str, bytes]]:
    """Give the text of each exercise's last cell, as `%%exercise` would have saved it."""
    stems = {name: each.stem for each in exercises for name in (each.stem, each.name)}
    found: dict[str, bytes] = {}
    try:
        for text in _cells(data):
            head = CELL.match(text)
            if head and head["name"] in stems:
                stem = stems[head["name"]]
                if stem in found:
                    reading.note(f"{place} has several cells for {stem}; the last one counts.")
                body = text[head.end() :]
                found[stem] = (body if body.endswith("\n") else f"{body}\n").encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        reading.note(f"{place} is no notebook that can be read.")
        return
    yield from found.items()


def _cells(data: bytes) -> Iterator[str]:
    for cell in json.loads(data)["cells"]:
        if cell.get("cell_type") == "code":
            source = cell["source"]
            yield source if isinstance(source, str) else "".join(source)


def _rank(place: PurePosixPath) -> tuple:
    """Order files for the same exercise: the kit's answers last, `exercises/` first, then depth."""
    above = place.parent.name
    return (
        bool(NOT_THEIRS & set(place.parts[:-1])),
        above != "exercises",
        place.suffix != ".py",
        len(place.parts),
        str(place),
    )


def _choose(stem: str, candidates: list[tuple[tuple, str, bytes]], reading: Reading) -> bytes:
    candidates = sorted(each for each in candidates if not each[0][0])
    _, taken, text = candidates[0]
    others = [place for _, place, other in candidates[1:] if other != text]
    if others:
        reading.note(f"{stem} was handed in more than once: {taken} counts, not {others[0]}.")
    return text
