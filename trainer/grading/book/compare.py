"""Whose grade changed from one batch to another, and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trainer.grading.book.grades import ExerciseGrade, StudentGrade

NAMES = {
    "submission": "the submission",
    "kit": "the kit",
    "sandbox": "the sandbox",
    "seconds": "the time allowed",
    "memory": "the memory allowed",
}


@dataclass(frozen=True)
class Change:
    """One grade that changed: what it was, what it is, and what lies behind it."""

    student: str
    exercise: str
    before: str
    after: str
    why: str


def changes(
    before: Mapping[str, StudentGrade], after: Mapping[str, StudentGrade]
) -> Iterator[Change]:
    """Give what changed, in the order of the students."""
    for student in sorted({*before, *after}):
        old, new = before.get(student), after.get(student)
        stems = _stems(old) | _stems(new)
        for stem in sorted(stems):
            one, other = _grade(old, stem), _grade(new, stem)
            if _said(one) != _said(other):
                why = "; ".join(_reasons(old, new, one, other))
                yield Change(student, stem, _said(one), _said(other), why)


def _stems(grade: StudentGrade | None) -> set[str]:
    return {each.exercise for each in grade.exercises} if grade else set()


def _grade(grade: StudentGrade | None, stem: str) -> ExerciseGrade | None:
    return (
        next((each for each in grade.exercises if each.exercise == stem), None) if grade else None
    )


def _said(grade: ExerciseGrade | None) -> str:
    if grade is None:
        return "no grade"
    score = "no score" if grade.score is None else f"{grade.score} of {grade.max_score}"
    return f"{grade.verdict}, {score}"


def _reasons(
    old: StudentGrade | None,
    new: StudentGrade | None,
    one: ExerciseGrade | None,
    other: ExerciseGrade | None,
) -> Iterator[str]:
    if one is None or other is None:
        yield "graded only in one of the two"
        return
    different = list(_what_differs(old, new, one.exercise))
    if one.verdict == other.verdict:
        different.append("what it is worth")
    changed = ", ".join(different)
    yield f"{changed} changed" if changed else "nothing that it rests on changed"
    yield from _checks(one, other)


def _what_differs(old: StudentGrade, new: StudentGrade, stem: str) -> Iterator[str]:
    one, other = old.provenance, new.provenance
    yield from (name for key, name in NAMES.items() if one.get(key) != other.get(key))
    if _table(one, "graders").get(stem) != _table(other, "graders").get(stem):
        yield "the grader"
    versions, others = _table(one, "versions"), _table(other, "versions")
    yield from (n for n in sorted({*versions, *others}) if versions.get(n) != others.get(n))
    if old.seed != new.seed:
        yield "the seed"


def _table(provenance: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = provenance.get(name)
    return found if isinstance(found, Mapping) else {}


def _checks(one: ExerciseGrade, other: ExerciseGrade) -> Iterable[str]:
    before = {check.name: check.outcome for check in one.checks}
    for check in other.checks:
        was = before.get(check.name)
        if was and was != check.outcome:
            yield f"{check.name}: {was}, now {check.outcome}"
