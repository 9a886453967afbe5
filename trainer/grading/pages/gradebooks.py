"""Gradebooks that Canvas and Moodle import, and a table of all students.

Who is not in the roster, handed in nothing, or was let down by the grader is in neither: an empty
line would be a grade to some.
"""

from collections.abc import Iterable, Sequence

from trainer.course.csv_table import text_of
from trainer.grading.book.grades import StudentGrade, rounded
from trainer.grading.book.roster import Matched, Person
from trainer.grading.pages.exports import no_formula

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# Canvas knows this line by its words; the spaces in front are its own.
POSSIBLE = "    Points Possible"
MOODLE = ("ID number", "Full name", "Email address")
STUDENTS = (
    *("student", "id", "name", "email", "section", "score", "max_score"),
    *("handed_in", "late_days", "percent_off", "comment", "extended_to"),
)


def canvas(grades: Sequence[StudentGrade], matched: Matched, column: str) -> str:
    """Write the file of "Import" in Canvas's gradebook; it knows an assignment by its name."""
    most = max((each.max_score for each in grades), default=0)
    lines = [(*CANVAS, column), (POSSIBLE, "", "", "", "", most)]
    for person, grade in _each(grades, matched):
        # By Canvas's own number first, else by the school's: one is never put in the other's place.
        school = "" if person.id == person.canvas else person.id
        ids = (person.canvas, school, person.login)
        lines.append((no_formula(person.name), *ids, person.section, grade.score))
    return text_of(lines)


def moodle(grades: Sequence[StudentGrade], matched: Matched, column: str) -> str:
    """Write the file of "Grades, Import, CSV file" in Moodle: grade and feedback, side by side."""
    lines = [(*MOODLE, column, f"{column} (feedback)")]
    for person, grade in _each(grades, matched):
        name = no_formula(person.name)
        lines.append((person.id, name, person.email, grade.score, no_formula(feedback(grade))))
    return text_of(lines)


def students(grades: Sequence[StudentGrade], matched: Matched) -> str:
    """Write a line for each student of the batch."""
    lines: list[Sequence[object]] = [STUDENTS]
    for grade in grades:
        people = matched.people.get(grade.student) or (Person(""),)
        for person in people:
            who = (person.id, no_formula(person.name), person.email, person.section)
            score = "" if grade.score is None else grade.score
            late = (grade.handed_in_at, grade.late_days, rounded(grade.percent_off))
            said = (no_formula(grade.comment), grade.extended_to)
            lines.append((no_formula(grade.student), *who, score, grade.max_score, *late, *said))
    return text_of(lines)


def feedback(grade: StudentGrade) -> str:
    """Say in words what a score is made of: verdicts alone, whatever else a report may show."""
    told = [f"{each.exercise}: {each.verdict}" for each in grade.exercises]
    return "\n".join(filter(None, (grade.comment, "; ".join(told), grade.told_of_lateness)))


def _each(
    grades: Sequence[StudentGrade], matched: Matched
) -> Iterable[tuple[Person, StudentGrade]]:
    for grade in grades:
        for person in matched.people.get(grade.student, ()):
            if grade.score is not None:
                yield person, grade
