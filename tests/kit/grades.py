"""Grades made up for tests: one student of each kind."""

from trainer.display.tables import Grid, Line
from trainer.grading.book.grades import CheckGrade, Evidence, ExerciseGrade, StudentGrade

STEM = "ch01a_ride_cleansing"
KEPT = CheckGrade("test_kept", "A ride in the city is kept.", "passed")
DROPPED = CheckGrade("test_dropped", "A ride to Hartford is dropped.", "failed", error="2 in [2]")
SEEDED = CheckGrade("test_generated", "Generated rides agree.", "failed", seeded=True)
HIDDEN = CheckGrade("hidden/test_trap", "A trap nobody knows of.", "failed", extra=True)
GRID = Grid("rides, by micro-batch", ("ride_id",), (Line("1", ("2718",), frozenset({0})),))
IDEA = "You kept rides that *start* in the city; see `end_lon`."


def of(student: str, verdict: str, message: str = "", *checks: CheckGrade, **more) -> StudentGrade:
    """Make a student's grade of one exercise."""
    bad = next((check.name for check in checks if check.outcome == "failed"), None)
    score = {"correct": 1, "error": None}.get(verdict, 0)
    grade = ExerciseGrade(
        *(STEM, verdict, message), checks=checks, decided_by=bad, score=score, **more
    )
    return StudentGrade(student, (grade,), sandbox="none", seed=8128, times={STEM: 2.5})


CORRECT = of("ann", "correct", "All 2 checks passed.", KEPT, KEPT)
WRONG = of(
    *("bob", "wrong", DROPPED.fact, KEPT, DROPPED),
    misconception=IDEA,
    evidence=Evidence("test_dropped", (GRID,)),
)
SECRETLY_WRONG = of(
    *("cem", "wrong", HIDDEN.fact, KEPT, HIDDEN),
    evidence=Evidence("hidden/test_trap", (GRID,)),
)
WRONG_WHERE_SEEDED = of(
    *("dee", "wrong", SEEDED.fact, KEPT, SEEDED),
    evidence=Evidence("test_generated", (GRID,)),
)
CRASHED = of(
    *("<eve>", "crashed", "KeyError: '\x00\x1b[31m & <b>' (line 3)"),
    CheckGrade("test_kept", "Kept.", "failed", raised="crashed"),
    CheckGrade("test_dropped", "Dropped.", "not run"),
)
NOTHING = of("fay", "untouched", "Nothing was handed in for it.", handed_in=False)
FAILED = of("gus", "error", "The grader failed, twice: no runner.")
ALL = (CORRECT, WRONG, SECRETLY_WRONG, WRONG_WHERE_SEEDED, CRASHED, NOTHING, FAILED)
