"""Texts that were handed in: which are a student's own, and which are the same."""

import hashlib
from collections.abc import Iterable

from trainer.course.exercise import Exercise
from trainer.grading.book.grades import StudentGrade

Alike = list[tuple[str, tuple[str, ...]]]


def fingerprint(exercise: Exercise, text: bytes | None) -> str:
    """Name a text, whatever ends its lines; one that says nothing, or is the stub, has no name."""
    plain = _plain(text or b"")
    if plain in (b"", _plain(exercise.issued.read_bytes())):
        return ""
    return hashlib.sha256(plain).hexdigest()[:16]


def alike(grades: Iterable[StudentGrade]) -> Alike:
    """List the students whose texts for an exercise are the same, by exercise."""
    found: dict[tuple[str, str], list[str]] = {}
    for grade in grades:
        for each in grade.exercises:
            if each.text:
                found.setdefault((each.exercise, each.text), []).append(grade.student)
    several = ((stem, tuple(students)) for (stem, _), students in found.items())
    return sorted(each for each in several if len(each[1]) > 1)


def _plain(text: bytes) -> bytes:
    """Leave out what no reader sees: spaces at the end of lines, and how lines end."""
    return b"\n".join(line.rstrip() for line in text.splitlines()).rstrip()
