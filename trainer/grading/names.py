"""Finds a student by a name that was typed: as handed in, as in grades.csv, or as a file's."""

import difflib
import re
from collections.abc import Collection

from trainer.course.problem import Problem
from trainer.grading.book.out_folder import file_name
from trainer.grading.pages.exports import no_formula

MOST_SUGGESTED = 3


def find_student(typed: str, known: Collection[str]) -> str:
    """Find the student who is meant; where there is none, say whose names are close."""
    for spelled in (str, no_formula, file_name, lambda student: f"{file_name(student)}.json"):
        found = {spelled(student): student for student in known}
        if typed in found:
            return found[typed]
    near = _close(typed, known)
    hint = f" Did you mean {' or '.join(near)}?" if near else " grades.csv has all names."
    raise Problem(f"No student {typed!r} among the {len(known)} of this batch.{hint}")


def _close(typed: str, known: Collection[str]) -> list[str]:
    """Give names that hold what was typed, or else those that, or parts of which, are like it."""
    typed = typed.casefold()
    holding = [student for student in known if typed and typed in student.casefold()]
    parts = {part: student for student in known for part in (student.casefold(), *_parts(student))}
    like = [parts[each] for each in difflib.get_close_matches(typed, parts, MOST_SUGGESTED)]
    return (holding or [*dict.fromkeys(like)])[:MOST_SUGGESTED]


def _parts(student: str) -> list[str]:
    """Take a name apart: a system's export adds numbers, and words of its own."""
    return re.findall(r"[^\W\d_]+", student.casefold())
