"""Grades as plain data: what is written for each student, and read again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from trainer.display.tables import Grid
from trainer.grading.book.shape import shaped

ERROR = "error"
SUMS = ("score", "max_score")


@dataclass(frozen=True)
class CheckGrade:
    """One check's outcome: `passed`, `failed` or `not run`.

    `extra` says that it is an instructor's own, `seeded` that it rests on the secret seed.
    `raised` is `crashed` or `unfinished` where the answer came to no rows that could be checked.
    """

    name: str
    fact: str
    outcome: str
    extra: bool = False
    seeded: bool = False
    error: str = ""
    raised: str = ""


@dataclass(frozen=True)
class Evidence:
    """The run that shows a fault: which check made it, tables, a picture's file name, a title."""

    check: str
    grids: tuple[Grid, ...]
    picture: str = ""
    title: str = ""


@dataclass(frozen=True)
class ExerciseGrade:
    """The grade of one exercise; `error` is the grader's own fault, and has no score.

    `text` names what was handed in; who handed in the same has the same there.
    """

    exercise: str
    verdict: str
    message: str
    handed_in: bool = True
    checks: tuple[CheckGrade, ...] = ()
    decided_by: str | None = None
    misconception: str | None = None
    evidence: Evidence | None = None
    score: float | None = None
    max_score: float = 1
    text: str = ""

    @property
    def decisive(self) -> CheckGrade | None:
        """The first check that failed."""
        return next((check for check in self.checks if check.name == self.decided_by), None)


@dataclass(frozen=True)
class StudentGrade:
    """All that is known of one student's submission; times stand in `times` alone.

    `notes` are for the student, too; `who`, noted of the name, is for the instructor alone.
    """

    student: str
    exercises: tuple[ExerciseGrade, ...]
    notes: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    unmatched: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    sandbox: str = ""
    seed: int = 0
    key: str = ""
    provenance: Mapping[str, object] = field(default_factory=dict)
    times: Mapping[str, float] = field(default_factory=dict)
    explained: bool = True
    stuck: bool = False
    packed_at: str = ""
    handed_in_at: str = ""
    late_days: int = 0
    percent_off: float = 0
    extended_to: str = ""
    comment: str = ""

    @property
    def settled(self) -> bool:
        """Whether it stands as long as nothing changes that it rests on.

        A grader that failed may succeed another time, but not one that was lost over it twice; and
        of a batch that was killed, a grade may be without its explanation.
        """
        return self.explained and (self.stuck or not self.failed)

    @property
    def failed(self) -> bool:
        """Whether the grader could not do its work."""
        return any(each.verdict == ERROR for each in self.exercises)

    @property
    def score(self) -> float | None:
        """The sum of the scores, less what lateness costs; none while the grader failed."""
        if self.failed:
            return None
        kept = 1 - self.percent_off / 100
        return rounded(kept * sum(each.score or 0 for each in self.exercises))

    @property
    def handed_in(self) -> bool:
        """Whether there is anything to grade."""
        return any(each.handed_in for each in self.exercises)

    @property
    def told_of_lateness(self) -> str:
        """Say what lateness cost, if it was late, and of a deadline of one's own."""
        extended = f"Deadline extended to {self.extended_to}." if self.extended_to else ""
        if not self.late_days:
            return extended
        days = f"{self.late_days} day{'s' * (self.late_days != 1)}"
        return f"{extended} Handed in {days} late: {rounded(self.percent_off)} % off.".strip()

    @property
    def max_score(self) -> float:
        """The sum of what could be had."""
        return rounded(sum(each.max_score for each in self.exercises))

    def to_json(self) -> str:
        """Write it down."""
        text = asdict(self) | {name: getattr(self, name) for name in SUMS}
        return json.dumps(text, indent=1, default=sorted, ensure_ascii=False) + "\n"


def from_json(text: str) -> StudentGrade:
    """Read a grade as it was written; a ValueError says why it can't be."""
    given = json.loads(text)
    if isinstance(given, dict):
        # They follow from the rest.
        given = {key: each for key, each in given.items() if key not in SUMS}
    return shaped(given, StudentGrade)


def rounded(points: float) -> float:
    """Round points: sums of thirds should not show it."""
    points = round(points, 4)
    return int(points) if points == int(points) else points
