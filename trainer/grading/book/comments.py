"""What an instructor says beside a grade: a table in CSV, by student or id."""

from pathlib import Path

from trainer.course.csv_table import lines_of
from trainer.course.problem import Problem
from trainer.grading.book.given import headings

LONGEST = 4000
EXPECTED = "expected a first line student,comment; a student is named as in grades.csv, or by id"


def read(file: Path) -> dict[str, str]:
    """Read comments; several on one student are put together."""
    first = headings(file, "comments", EXPECTED)
    if not {*first} >= {"student", "comment"}:
        found = ", ".join(filter(None, first)) or "no line"
        raise Problem(f"{file} has {found[:100]}; {EXPECTED}.")
    lines = lines_of(file, "comments", EXPECTED)
    found: dict[str, str] = {}
    for line in lines:
        student, text = (line["student"] or "").strip(), (line["comment"] or "").strip()
        if student and text:
            found[student] = "\n".join(filter(None, (found.get(student), text)))[:LONGEST]
    return found
