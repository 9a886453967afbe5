"""The instructor's page: all students, verdicts by exercise, what most got wrong, crashes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from trainer.display.marks import COLOURS, MARKS
from trainer.display.pages import fill
from trainer.display.palette import paint
from trainer.grading.book.beside import Beside
from trainer.grading.book.grades import ERROR, ExerciseGrade, StudentGrade
from trainer.grading.book.similar import Similar
from trainer.grading.book.texts import alike
from trainer.grading.pages.showing import failed

ORDER = ("correct", "wrong", "crashed", "unfinished", "untouched", ERROR)
MOST_COMMON, MOST_PAIRS = 15, 100
# An error's place, as it stands at a message's end; the same mistake is elsewhere in each file.
IN_A_LINE = re.compile(r" \(line \d+(?:: .*)?\)\.?$", re.DOTALL)
OWN_COLOURS = {"crashed": paint("orange"), ERROR: paint("purple")}


def page(
    grades: Sequence[StudentGrade],
    sandbox: str,
    files: Mapping[str, str],
    beside: Beside | None = None,
    similar: Sequence[Similar] = (),
) -> str:
    """Write the page; `files` are the names of the students' own pages."""
    beside = beside or Beside()
    files = {beside.called(student): file for student, file in files.items()}
    grades = [replace(each, student=beside.called(each.student)) for each in grades]
    return fill(
        "overview",
        sandbox=sandbox,
        files=files,
        grades=grades,
        beside=replace(beside, timeless=[*map(beside.called, beside.timeless)]),
        order=ORDER,
        marks={verdict: MARKS.get(verdict, ("?", ""))[0] for verdict in ORDER},
        colours={verdict: _colour(verdict) for verdict in ORDER},
        verdicts=verdicts(grades),
        misconceptions=misconceptions(grades),
        checks=failing_checks(grades),
        crashes=crashes(grades),
        alike=alike(grades),
        similar=[
            replace(each, one=beside.called(each.one), other=beside.called(each.other))
            for each in similar[:MOST_PAIRS]
        ],
        more=len(similar[MOST_PAIRS:]),
        missed=[
            *((each.student, missed(each)) for each in grades if missed(each)),
            *((name, ["nobody's"]) for name in beside.left),
        ],
        nothing=[each.student for each in grades if not (_handed_in(each) or missed(each))],
        noted=[*_commented(beside), *_noted(grades)],
    )


def _handed_in(grade: StudentGrade) -> bool:
    return any(each.handed_in for each in grade.exercises)


def _commented(beside: Beside) -> Iterator[tuple[str, list[str]]]:
    """Tell of comments that nobody gets."""
    for who, why in sorted(beside.unheard.items()):
        yield who, [f"commented on, and told to nobody: {why}."]


def _noted(grades: Iterable[StudentGrade]) -> Iterator[tuple[str, list[str]]]:
    for grade in grades:
        if grade.who or grade.notes:
            yield grade.student, [*grade.who, *grade.notes]


def missed(grade: StudentGrade) -> list[str]:
    """List what was handed in and is not graded, each with the exercise it is likeliest for."""
    meant = (f"{place} ({stem or 'like no exercise'})" for place, stem in grade.unmatched.items())
    return [*meant, *grade.unread]


def _colour(verdict: str) -> str:
    return OWN_COLOURS.get(verdict) or COLOURS[MARKS[verdict][1]]


def verdicts(grades: Sequence[StudentGrade]) -> dict[str, Counter]:
    """Count the verdicts on each exercise."""
    counted: dict[str, Counter] = {}
    for grade in grades:
        for each in grade.exercises:
            counted.setdefault(each.exercise, Counter())[each.verdict] += 1
    return counted


def misconceptions(grades: Sequence[StudentGrade]) -> list[tuple[tuple[str, str], int]]:
    """List the most common ideas behind wrong answers."""
    return _most_common(
        (each.exercise, each.misconception)
        for grade in grades
        for each in grade.exercises
        if each.misconception
    )


def failing_checks(grades: Sequence[StudentGrade]) -> list[tuple[tuple[str, str, str], int]]:
    """List the checks that failed most often, where there was something to check."""
    return _most_common(
        (each.exercise, check.name, check.fact)
        for grade in grades
        for each in grade.exercises
        for check in failed(each)
        if not check.raised
    )


def crashes(grades: Sequence[StudentGrade]) -> list[tuple[tuple[str, str], int]]:
    """List what answers crashed with, wherever in a file that was."""
    return _most_common(
        (each.exercise, message)
        for grade in grades
        for each in grade.exercises
        for message in sorted({IN_A_LINE.sub("", text) for text in _crashed_with(each)})
    )


def _crashed_with(grade: ExerciseGrade) -> list[str]:
    if grade.verdict == "crashed":
        return [grade.message]
    return [check.error for check in failed(grade) if check.raised == "crashed"]


def _most_common(found) -> list:
    # By count, then by name: the same input gives the same page.
    return sorted(Counter(found).items(), key=lambda item: (-item[1], item[0]))[:MOST_COMMON]
