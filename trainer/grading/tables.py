"""Grades for other programs: a table in CSV, JUnit's XML, Gradescope's results.json."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from trainer.grading.grades import ERROR, CheckGrade, ExerciseGrade, StudentGrade
from trainer.grading.plain import readable
from trainer.grading.showing import failed, shown

COLUMNS = ("student", "exercise", "verdict", "score", "max_score", "seconds", "sandbox")


def to_csv(grades: Sequence[StudentGrade]) -> str:
    """Write a line for each student and exercise."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for grade in grades:
        for each in grade.exercises:
            seconds = f"{grade.times.get(each.exercise, 0):.1f}"
            score = "" if each.score is None else each.score
            line = (each.exercise, each.verdict, score, each.max_score, seconds, grade.sandbox)
            writer.writerow([_no_formula(grade.student), *line])
    return file.getvalue()


def _no_formula(name: str) -> str:
    """Keep spreadsheets from taking a name for a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


def to_junit(grades: Sequence[StudentGrade]) -> str:
    """Write a suite for each student and exercise, and a case for each check."""
    root = ET.Element("testsuites")
    for grade in grades:
        for each in grade.exercises:
            _suite(root, grade.student, each)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(root: ET.Element, student: str, grade: ExerciseGrade) -> None:
    checks = grade.checks or (CheckGrade("verdict", "", "verdict"),)
    errors = sum(_is_error(grade, check) for check in checks)
    bad = sum(check.outcome in ("failed", "verdict") for check in checks)
    counts = {
        "tests": len(checks),
        "failures": bad - errors,
        "errors": errors,
        "skipped": sum(check.outcome == "not run" for check in checks),
    }
    name = {"name": readable(f"{student}.{grade.exercise}")}
    suite = ET.SubElement(root, "testsuite", name | {key: str(n) for key, n in counts.items()})
    for check in checks:
        case = ET.SubElement(suite, "testcase", name=check.name, classname=name["name"])
        _outcome(case, grade, check)


def _is_error(grade: ExerciseGrade, check: CheckGrade) -> bool:
    return grade.verdict == ERROR or (grade.verdict == "crashed" and check.name == grade.decided_by)


def _outcome(case: ET.Element, grade: ExerciseGrade, check: CheckGrade) -> None:
    if check.outcome == "not run":
        ET.SubElement(case, "skipped", message="not run: an earlier check ended it")
    elif check.outcome != "passed":
        kind = "error" if _is_error(grade, check) else "failure"
        decided = check.outcome == "verdict" or check.name == grade.decided_by
        message = grade.message if decided else check.fact
        ET.SubElement(case, kind, message=readable(message), type=grade.verdict)


def to_gradescope(grade: StudentGrade, feedback: str) -> str | None:
    """Write what Gradescope shows a student; nothing while the grader failed: that is no zero."""
    if grade.failed:
        return None
    tests = [_gradescope_test(shown(each, feedback)) for each in grade.exercises]
    result = {
        "score": grade.score,
        "output": "\n".join(grade.notes),
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
        "output": "\n".join(line for line in lines if line).strip(),
        "output_format": "text",
        "visibility": "visible",
    }
