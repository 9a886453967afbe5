"""A student's page: verdicts, what failed, the idea behind it, the rows that show it."""

import base64
from pathlib import Path

from trainer.display.marks import COLOURS, MARKS
from trainer.display.pages import fill
from trainer.grading.book.grades import ExerciseGrade, StudentGrade
from trainer.grading.pages.showing import failed, shown


def page(grade: StudentGrade, feedback: str, pictures: Path) -> str:
    """Write the page."""
    parts = [_part(shown(each, feedback), pictures) for each in grade.exercises]
    return fill("student", grade=grade, parts=parts, notes=grade.notes)


def _part(grade: ExerciseGrade, pictures: Path) -> dict[str, object]:
    mark, colour = MARKS.get(grade.verdict, ("?", "red"))
    evidence = grade.evidence
    return {
        "grade": grade,
        "mark": mark,
        "colour": COLOURS[colour],
        "failed": failed(grade),
        "passed": sum(check.outcome == "passed" for check in grade.checks),
        "grids": evidence.grids if evidence else (),
        "case": evidence.title if evidence else "",
        "picture": _embedded(pictures / evidence.picture) if evidence else "",
    }


def _embedded(picture: Path) -> str:
    return base64.b64encode(picture.read_bytes()).decode() if picture.is_file() else ""
