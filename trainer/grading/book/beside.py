"""What stands beside a grade and rests on no verdict: who it is, how late, what was said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from trainer.grading.book import comments, lateness, roster
from trainer.grading.book.extensions import require_known
from trainer.grading.book.grades import StudentGrade
from trainer.grading.book.lateness import Rule
from trainer.grading.book.roster import Claim, Matched, Person
from trainer.grading.book.terms import Settings
from trainer.grading.intake import gradescope
from trainer.grading.intake.gradescope import Entry
from trainer.grading.intake.names import MOODLE, Child


@dataclass
class Beside:
    """All of it for one batch."""

    people: Sequence[Person] | None = None
    comments: Mapping[str, str] = field(default_factory=dict)
    rule: Rule | None = None
    listed: Mapping[str, Entry] = field(default_factory=dict)
    matched: Matched = field(default_factory=Matched)
    # Of whom there is a rule for lateness, and no time.
    timeless: list[str] = field(default_factory=list)
    # Who has a deadline of their own, and is no student of this batch.
    missing_extended: list[str] = field(default_factory=list)
    # Of whom there is a comment that nobody gets, and why.
    unheard: dict[str, str] = field(default_factory=dict)
    # What lies among the submissions and is nobody's.
    left: Sequence[str] = ()

    def match(self, children: Mapping[str, Child]) -> None:
        """Find out which student is who."""
        if self.people is not None:
            claims = [self._claim(each) for each in children.values()]
            self.matched = roster.matched(self.people, claims)
        self._look_for_extended({*children})
        self._look_for_commented({*children})

    def called(self, student: str) -> str:
        """Name a student as the roster does, too, where what was handed in is called otherwise."""
        people = self.matched.people.get(student, ())
        if all(each.is_called(student) for each in people if each.name):
            return student
        return f"{student} ({', '.join(each.name or each.id for each in people)})"

    def _look_for_extended(self, students: set[str]) -> None:
        extended = self.rule.extensions if self.rule else {}
        if self.people is not None:
            require_known(extended, {*students, *(person.id for person in self.people)})
            for who in extended.keys() & self.matched.strangers.keys():
                self.matched.strangers[who] += ", and [late.extensions] gives more time"
        # Without a roster they may hand in later.
        self.missing_extended = sorted(extended.keys() - students) if self.people is None else []

    def _look_for_commented(self, students: set[str]) -> None:
        people = self.people or ()
        theirs = {each.id for whose in self.matched.people.values() for each in whose}
        for who in self.comments.keys() - students - theirs:
            in_roster = any(each.id == who for each in people)
            nothing = "in the roster, and nothing handed in is certainly theirs"
            self.unheard[who] = nothing if in_roster else "nobody is called so"

    def _claim(self, child: Child) -> Claim:
        name = child.paths[0].name
        if entry := self.listed.get(name):
            known = (each.get("sid") or each.get("email") or "" for each in entry.people)
            named = (each.get("name", "") for each in entry.people)
            said = tuple(one or other for one, other in zip(known, named, strict=True))
            return Claim(child.student, said)
        # Moodle numbers those who take part in a task, by no number that a school knows.
        of_moodle = MOODLE.fullmatch(name)
        return Claim(child.student, (child.student,), bool(of_moodle), child.canvas)

    def on(self, grade: StudentGrade, child: Child) -> StudentGrade:
        """Put it beside a grade."""
        people = self.matched.people.get(grade.student, ())
        names = (grade.student, *(person.id for person in people))
        comment = "\n".join(filter(None, map(self.comments.get, dict.fromkeys(names))))
        at = self._time(grade, child, people)
        if self.rule and at is None and grade.handed_in:
            self.timeless.append(grade.student)
        told = at.isoformat(timespec="seconds") if at else ""
        return self._late(replace(grade, comment=comment, handed_in_at=told), at, names)

    def _late(self, grade: StudentGrade, at: datetime | None, names: Sequence[str]) -> StudentGrade:
        if not self.rule:
            return replace(grade, late_days=0, percent_off=0, extended_to="")
        rule = self.rule.of(names)
        days, off = (rule.days(at), rule.penalty(at)) if at else (0, 0)
        own = rule.deadline.isoformat(" ", "minutes") if rule.deadline > self.rule.deadline else ""
        return replace(grade, late_days=days, percent_off=off, extended_to=own)

    def _time(self, grade: StudentGrade, child: Child, people: Sequence[Person]) -> datetime | None:
        source = self.rule.time if self.rule else "archive"
        if source == "archive":
            return lateness.at(grade.packed_at)
        if source == "roster":
            return max(filter(None, (lateness.at(each.submitted) for each in people)), default=None)
        if source == "gradescope":
            return lateness.at(self.listed.get(child.paths[0].name, Entry()).at)
        return max(filter(None, (lateness.in_name(p.name) for p in child.paths)), default=None)


def beside(settings: Settings, rule: Rule | None) -> Beside:
    """Read what an instructor gave along, before anything is graded."""
    return Beside(
        roster.read(Path(settings.roster)) if settings.roster else None,
        comments.read(Path(settings.comments)) if settings.comments else {},
        rule,
        gradescope.listed(Path(settings.submissions)),
    )
