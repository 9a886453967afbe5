"""Grades for other programs: a table in CSV, JUnit's XML, Gradescope's results.json."""

import json
from collections.abc import Sequence

from trainer.course.csv_table import text_of
from trainer.display.spans import unstressed
from trainer.display.suites import Case, Suite, to_xml
from trainer.grading.book.grades import ERROR, CheckGrade, ExerciseGrade, StudentGrade
from trainer.grading.judging.portable import readable
from trainer.grading.pages.showing import failed, shown

COLUMNS = ("student", "exercise", "verdict", "score", "max_score", "seconds", "sandbox")


def to_csv(grades: Sequence[StudentGrade]) -> str:
    """Write a line for each student and exercise."""
    lines: list[Sequence[object]] = [COLUMNS]
    for grade in grades:
        for each in grade.exercises:
            seconds = f"{grade.times.get(each.exercise, 0):.1f}"
            score = "" if each.score is None else each.score
            line = (each.exercise, each.verdict, score, each.max_score, seconds, grade.sandbox)
            lines.append((no_formula(grade.student), *line))
    return text_of(lines)


def no_formula(name: str) -> str:
    """Keep spreadsheets from taking a name for a formula."""
    return f"'{name}" if name.startswith(tuple("=+-@'")) else name


def to_junit(grades: Sequence[StudentGrade]) -> str:
    """Write a suite for each student and exercise, and a case for each check."""
    return to_xml(_suite(grade.student, each) for grade in grades for each in grade.exercises)


def _suite(student: str, grade: ExerciseGrade) -> Suite:
    checks = grade.checks or (CheckGrade("verdict", "", "verdict"),)
    name = readable(f"{student}.{grade.exercise}")
    return Suite(name, tuple(_case(grade, check) for check in checks))


def _case(grade: ExerciseGrade, check: CheckGrade) -> Case:
    if check.outcome == "passed":
        return Case(check.name)
    if check.outcome == "not run":
        return Case(check.name, "skipped", "not run: an earlier check ended it")
    decided = check.outcome == "verdict" or check.name == grade.decided_by
    message = unstressed(readable(grade.message if decided else check.fact))
    return Case(
        check.name, "error" if _is_error(grade, check) else "failure", message, grade.verdict
    )


def _is_error(grade: ExerciseGrade, check: CheckGrade) -> bool:
    return grade.verdict == ERROR or (grade.verdict == "crashed" and check.name == grade.decided_by)


def to_gradescope(grade: StudentGrade, feedback: str) -> str | None:
    """Write what Gradescope shows a student; nothing while the grader failed: that is no zero."""
    if grade.failed:
        return None
    tests = [_gradescope_test(shown(each, feedback)) for each in grade.exercises]
    result = {
        "score": grade.score,
        "output": "\n".join(filter(None, (grade.comment, grade.told_of_lateness, *grade.notes))),
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"


def _gradescope_test(grade: ExerciseGrade) -> dict[str, object]:
    lines = [f"{grade.verdict}. {grade.message}", grade.misconception or ""]
    lines += [f"- {check.fact}" for check in failed(grade)]
    return {
        "name": grade.exercise,
        "score": grade.score,
        "max_score": grade.max_score,
        "status": "passed" if grade.verdict == "correct" else "failed",
        "output": unstressed("\n".join(line for line in lines if line).strip()),
        "output_format": "text",
        "visibility": "visible",
    }
