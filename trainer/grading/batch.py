"""Grades a folder of submissions: what is done is kept, what is left is judged, side by side."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from trainer.grading.book.beside import Beside
from trainer.grading.book.grades import StudentGrade
from trainer.grading.book.out_folder import Lost, file_name, save, saved, write
from trainer.grading.book.points import Points
from trainer.grading.book.similar import Similar, from_csv
from trainer.grading.book.terms import Terms
from trainer.grading.book.texts import fingerprint
from trainer.grading.grading import explained, grade_of, times_of
from trainer.grading.intake.collect import Submission
from trainer.grading.judging.crew import Crew
from trainer.grading.judging.worker import Job
from trainer.grading.pages import exports, gradebooks, overview_page, student_page
from trainer.grading.pages.bars import Grading
from trainer.grading.workplace import Workplace

PICTURES, SIMILAR = "pictures", "similar.csv"
# Where what can be asked for lies.
MADE = {
    "csv": "grades.csv",
    "junit": "junit.xml",
    "gradescope": "gradescope",
    "canvas": "canvas.csv",
    "moodle": "moodle.csv",
}


def to_run(terms: Terms, submission: Submission) -> list[str]:
    """List the exercises that take time: those with a text that is not the stub."""
    return [e.stem for e in terms.exercises if fingerprint(e, submission.files.get(e.stem))]


def done_before(
    terms: Terms, handed_in: Iterable[Submission], places: Sequence[Path], lost: Lost
) -> dict[str, StudentGrade]:
    """Find the grades that still stand: nothing that they rest on has changed since."""
    found = {}
    for submission in handed_in:
        for place in places:
            grade = saved(place, submission.student, lost)
            if grade and grade.key == terms.key_of(submission) and grade.settled:
                found[submission.student] = replace(
                    grade,
                    notes=submission.notes,
                    who=submission.who,
                    packed_at=submission.packed_at,
                )
                break
    return found


def judge_all(
    terms: Terms,
    todo: Sequence[Submission],
    out: Path,
    points: Points,
    where: Workplace,
    progress: Grading,
) -> dict[str, StudentGrade]:
    """Judge submissions, and write each grade as soon as it is known."""
    found = {}
    answers = Crew(where).judge([job_for(terms, each) for each in todo], progress.started)
    with closing(answers), closing(where.explainer(out / PICTURES)) as explainer:
        for job, answer in answers:
            progress.judged(job.submission.student, times_of(answer))
            grade = worth(points, grade_of(terms, job.submission, answer))
            # Before anything looks for a reason: whatever comes of that, the grade is there.
            save(out, grade)
            if not grade.explained:
                grade = explained(grade, explainer.explain_all(job, answer))
                save(out, grade)
            found[grade.student] = grade
            progress.tell(grade)
    return found


def job_for(terms: Terms, submission: Submission) -> Job:
    """Say what is to be judged, and how."""
    return Job(
        submission,
        tuple(each.stem for each in terms.exercises),
        terms.settings.sandbox,
        terms.seed_for(submission.student),
        terms.settings.timeout,
        terms.limits,
        terms.extra,
        terms.secret,
        terms.hidden,
    )


def worth(points: Points, grade: StudentGrade) -> StudentGrade:
    """Give a grade with its points."""
    return replace(grade, exercises=tuple(points.of(each) for each in grade.exercises))


def _similar(out: Path) -> list[Similar]:
    file = out / SIMILAR
    return from_csv(file.read_text(encoding="utf-8")) if file.exists() else []


def publish(
    terms: Terms, points: Points, grades: Sequence[StudentGrade], beside: Beside, out: Path
) -> None:
    """Write all that is made of the grades: pages and tables.

    What was once asked for is kept up to date: nobody shall find old points in a file.
    """
    feedback = terms.settings.feedback
    formats = {*terms.settings.formats, *(each for each in MADE if (out / MADE[each]).exists())}
    for grade in grades:
        save(out, grade)
        name = file_name(grade.student)
        called = replace(grade, student=beside.called(grade.student))
        page = student_page.page(called, feedback, out / PICTURES)
        write(out / "reports" / f"{name}.html", page)
        result = exports.to_gradescope(grade, feedback) if "gradescope" in formats else None
        if result:
            write(out / MADE["gradescope"] / f"{name}.json", result)
    if "csv" in formats:
        write(out / MADE["csv"], exports.to_csv(grades))
        write(out / "students.csv", gradebooks.students(grades, beside.matched))
    if "junit" in formats:
        write(out / MADE["junit"], exports.to_junit(grades))
    if beside.people is not None:
        for name, made in {"canvas": gradebooks.canvas, "moodle": gradebooks.moodle}.items():
            if name in formats:
                write(out / MADE[name], made(grades, beside.matched, points.column))
    files = {grade.student: file_name(grade.student) for grade in grades}
    write(
        out / "overview.html",
        overview_page.page(grades, terms.settings.sandbox, files, beside, _similar(out)),
    )
