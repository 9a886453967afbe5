"""Turns verdicts into a student's grade."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from trainer.checking.verdict import Check, Kind
from trainer.course.exercise import Exercise
from trainer.grading.book.grades import ERROR, CheckGrade, ExerciseGrade, StudentGrade
from trainer.grading.book.terms import Terms
from trainer.grading.book.texts import fingerprint
from trainer.grading.intake.collect import Submission
from trainer.grading.judging.crew import Answer
from trainer.grading.judging.portable import readable
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Judged, absent
from trainer.grading.pages.explain import Explanations
from trainer.grading.sandbox.apart import Failed
from trainer.running.answer import Crashed, TooSlow, Unfinished


def grade_of(terms: Terms, submission: Submission, answer: Answer) -> StudentGrade:
    """Make a grade of what the judge found, or of its failure."""
    if isinstance(answer, GraderFailed):
        grades = [_failed(each, submission, answer) for each in terms.exercises]
    else:
        grades = [_graded(terms, each, submission, answer[each.stem]) for each in terms.exercises]
    return StudentGrade(
        student=submission.student,
        exercises=tuple(grades),
        notes=submission.notes,
        who=submission.who,
        unmatched=submission.unmatched,
        unread=submission.unread,
        sandbox=terms.settings.sandbox,
        seed=terms.seed_for(submission.student),
        key=terms.key_of(submission),
        provenance=terms.provenance_of(submission),
        times=times_of(answer),
        explained=not any(each.verdict == Kind.WRONG for each in grades),
        stuck=isinstance(answer, GraderStuck),
        packed_at=submission.packed_at,
    )


def times_of(answer: Answer) -> dict[str, float]:
    """Give the seconds that each exercise took; those of a failure say nothing."""
    if isinstance(answer, GraderFailed):
        return {}
    return {stem: round(judged.seconds, 1) for stem, judged in answer.items()}


def _failed(exercise: Exercise, submission: Submission, error: GraderFailed) -> ExerciseGrade:
    if exercise.stem not in submission.files:
        verdict = absent(submission, exercise.stem)
        return ExerciseGrade(exercise.stem, verdict.kind.value, verdict.message, False)
    message = f"The grader failed, twice: {error}."
    if isinstance(error, GraderStuck):
        message += " Look at what was handed in; `trainer regrade` with --write tries again."
    text = _text(exercise, submission)
    return ExerciseGrade(exercise.stem, ERROR, readable(message), text=text)


def _text(exercise: Exercise, submission: Submission) -> str:
    return fingerprint(exercise, submission.files.get(exercise.stem))


def _graded(
    terms: Terms, exercise: Exercise, submission: Submission, judged: Judged
) -> ExerciseGrade:
    verdict, stem = judged.verdict, exercise.stem
    checks = _checks(terms, stem, verdict.checks)
    if verdict.kind is Kind.CORRECT and any(check.outcome != "passed" for check in checks):
        text = _text(exercise, submission)
        return ExerciseGrade(stem, ERROR, "The grader failed: it ran some checks only.", text=text)
    return ExerciseGrade(
        exercise=stem,
        verdict=verdict.kind.value,
        message=verdict.message,
        handed_in=stem in submission.files,
        checks=checks,
        decided_by=next((check.name for check in verdict.checks if not check.passed), None),
        text=_text(exercise, submission),
    )


def explained(grade: StudentGrade, explanations: Explanations) -> StudentGrade:
    """Add what explains the wrong answers; a grade stands without, and a batch goes on."""
    exercises = []
    for each in grade.exercises:
        found = explanations.get(each.exercise, {})
        if isinstance(found, Failed):
            what = f"{grade.student}'s report on {each.exercise} explains nothing"
            logging.getLogger(__name__).warning("%s: %s", what, found)
            found = {}
        exercises.append(replace(each, **found))
    return replace(grade, exercises=tuple(exercises), explained=True)


def _checks(terms: Terms, stem: str, checks: Sequence[Check]) -> tuple[CheckGrade, ...]:
    if not checks:
        return ()
    made: dict[str, Check] = {}
    for check in checks:
        if check.name not in made or not check.passed:
            made[check.name] = check
    return tuple(
        CheckGrade(
            listed.name,
            listed.fact,
            _outcome(made.get(listed.name)),
            listed.extra,
            listed.seeded,
            _error(made.get(listed.name)),
            _raised(made.get(listed.name)),
        )
        for listed in terms.checks[stem]
    )


def _outcome(check: Check | None) -> str:
    if check is None:
        return "not run"
    return "passed" if check.passed else "failed"


def _error(check: Check | None) -> str:
    return str(check.error) if check and check.error is not None else ""


def _raised(check: Check | None) -> str:
    error = check.error if check else None
    if isinstance(error, Unfinished):
        return Kind.UNFINISHED.value
    return Kind.CRASHED.value if isinstance(error, Crashed | TooSlow) else ""
