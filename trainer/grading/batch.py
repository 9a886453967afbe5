"""Grades a folder of submissions: what is done is kept, what is left is judged, side by side."""

import queue
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from trainer.course.exercise import Exercise
from trainer.course.problem import Problem
from trainer.grading.book.grades import StudentGrade
from trainer.grading.book.out_folder import file_name, save, saved, write
from trainer.grading.book.points import Points
from trainer.grading.book.terms import Terms
from trainer.grading.grading import explained, grade_of
from trainer.grading.intake.collect import Submission, collect
from trainer.grading.intake.names import Child, children
from trainer.grading.intake.reading import cut
from trainer.grading.judging.crew import Crew
from trainer.grading.judging.worker import Job
from trainer.grading.pages import exports, overview_page, student_page
from trainer.grading.pages.explain import Explainer
from trainer.grading.sandbox.apart import Apart, Failed

PICTURES = "pictures"
READERS = 2
READER_MEMORY = 512 * 2**20
READER_SECONDS = 60
Tell = Callable[[StudentGrade], None]


def submissions(terms: Terms, only: str | None = None) -> list[Submission]:
    """Collect what was handed in, by all or by one: apart, for nobody knows what it is."""
    found = children(Path(terms.settings.submissions))
    if only is not None and only not in found:
        raise Problem(f"No student {only!r} in {terms.settings.submissions}.")
    wanted = [child for student, child in found.items() if only in (None, student)]
    readers = [Apart(_collected, memory=READER_MEMORY) for _ in wanted[:READERS]]
    free = queue.SimpleQueue()
    for reader in readers:
        free.put(reader)

    def read(child: Child) -> Submission:
        reader = free.get()
        try:
            return reader.ask((child, terms.exercises), READER_SECONDS)
        except Failed as error:
            why = f"What was handed in can't be read: {error}."
            return Submission(child.student, {}, (*child.notes, cut(why)), unread=(cut(why),))
        finally:
            free.put(reader)

    try:
        with ThreadPoolExecutor(READERS) as pool:
            return list(pool.map(read, wanted))
    finally:
        for reader in readers:
            reader.dismiss()


def _collected(asked: tuple[Child, Sequence[Exercise]]) -> Submission:
    child, exercises = asked
    return collect(child.student, child.paths, exercises, child.notes)


def done_before(
    terms: Terms, handed_in: Iterable[Submission], places: Sequence[Path]
) -> dict[str, StudentGrade]:
    """Find the grades that still stand: nothing that they rest on has changed since."""
    found = {}
    for submission in handed_in:
        for place in places:
            grade = saved(place, submission.student)
            if grade and grade.key == terms.key_of(submission) and grade.settled:
                found[submission.student] = replace(grade, notes=submission.notes)
                break
    return found


def judge_all(
    terms: Terms, todo: Sequence[Submission], out: Path, points: Points, jobs: int, tell: Tell
) -> dict[str, StudentGrade]:
    """Judge submissions, and write each grade as soon as it is known."""
    found = {}
    answers = Crew(min(jobs, len(todo))).judge([job_for(terms, each) for each in todo])
    with closing(answers), closing(Explainer(out / PICTURES)) as explainer:
        for job, answer in answers:
            grade = worth(points, grade_of(terms, job.submission, answer))
            # Before anything looks for a reason: whatever comes of that, the grade is there.
            save(out, grade)
            grade = explained(terms, grade, answer, explainer)
            save(out, grade)
            found[grade.student] = grade
            tell(grade)
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
    )


def worth(points: Points, grade: StudentGrade) -> StudentGrade:
    """Give a grade with its points."""
    return replace(grade, exercises=tuple(points.of(each) for each in grade.exercises))


def publish(terms: Terms, grades: Sequence[StudentGrade], out: Path) -> None:
    """Write all that is made of the grades: pages and tables."""
    formats, feedback = terms.settings.formats, terms.settings.feedback
    for grade in grades:
        save(out, grade)
        name = file_name(grade.student)
        page = student_page.page(grade, feedback, out / PICTURES)
        write(out / "reports" / f"{name}.html", page)
        result = exports.to_gradescope(grade, feedback) if "gradescope" in formats else None
        if result:
            write(out / "gradescope" / f"{name}.json", result)
    if "csv" in formats:
        write(out / "grades.csv", exports.to_csv(grades))
    if "junit" in formats:
        write(out / "junit.xml", exports.to_junit(grades))
    files = {grade.student: file_name(grade.student) for grade in grades}
    write(out / "overview.html", overview_page.page(grades, terms.settings.sandbox, files))
