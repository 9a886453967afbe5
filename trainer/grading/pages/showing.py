"""What a student is shown of a grade: everything, all but what is secret, or the verdict alone."""

from dataclasses import replace

from trainer.course.problem import Problem
from trainer.grading.book.grades import CheckGrade, ExerciseGrade

LEVELS = ("full", "public", "none")


def require_level(feedback: str) -> str:
    """Refuse a level of feedback that there is not."""
    if feedback not in LEVELS:
        raise Problem(f"No feedback {feedback!r}; expected {', '.join(LEVELS)}.")
    return feedback


def shown(grade: ExerciseGrade, feedback: str) -> ExerciseGrade:
    """Give a grade as its student may see it."""
    if feedback == "full":
        return grade
    if feedback == "none":
        return replace(
            grade, message="", checks=(), decided_by=None, misconception=None, evidence=None
        )
    checks = tuple(replace(each, error="") for each in grade.checks if not each.extra)
    return replace(
        grade,
        message=_message(grade),
        checks=checks,
        evidence=grade.evidence if _is_public(grade) else None,
    )


def _is_public(grade: ExerciseGrade) -> bool:
    by_name = {check.name: check for check in grade.checks}
    check = by_name.get(grade.evidence.check) if grade.evidence else None
    return check is not None and not (check.extra or check.seeded)


def _message(grade: ExerciseGrade) -> str:
    """Say nothing of hidden checks, nor what an answer may have seen in secret rows."""
    check = grade.decisive
    if grade.verdict == "correct":
        return "All checks passed."
    if check is None or not (check.extra or check.seeded):
        return grade.message
    if check.extra:
        return f"{_WHAT.get(grade.verdict, 'It failed')} in a check that is not shown."
    if grade.verdict == "wrong":
        return check.fact
    return f"{_WHAT[grade.verdict]} on a generated stream, which is not shown."


_WHAT = {
    "wrong": "It gives something else than expected",
    "crashed": "It crashed",
    "unfinished": "It still raises NotImplementedError",
}


def failed(grade: ExerciseGrade) -> list[CheckGrade]:
    """Give the checks that failed."""
    return [check for check in grade.checks if check.outcome == "failed"]
