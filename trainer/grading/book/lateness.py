"""Who was late, and what that costs: a rule in the file of points."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from trainer.course.problem import Problem
from trainer.grading.book import extensions
from trainer.grading.book.given import require_known

DAY = timedelta(days=1)
# Where a time of submission is taken from.
SOURCES = ("archive", "name", "gradescope", "roster")
DEADLINE = "deadline = 2026-11-20T23:59:00+01:00"
NUMBERS = ("grace_minutes", "percent_a_day", "most_percent")
PERCENT = NUMBERS[1:]
MOST_GRACE = 366 * 24 * 60
# As Blackboard and Brightspace write the time into a name; Canvas writes only that it was late.
BLACKBOARD = re.compile(r"_attempt_(\d{4})-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)", re.IGNORECASE)
D2L = re.compile(r" - ([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}) (\d{1,2})(\d\d) ([AP]M) - ")


@dataclass(frozen=True)
class Rule:
    """A deadline, and what each day that was begun after it takes off, in percent."""

    deadline: datetime
    grace_minutes: float = 0
    percent_a_day: float = 0
    most_percent: float = 100
    time: str = "archive"
    # Deadlines of single students, by student or id.
    extensions: Mapping[str, datetime] = field(default_factory=dict)

    def of(self, names: Iterable[str]) -> "Rule":
        """Give the rule as it is for those who hand in together: the latest of their deadlines."""
        own = (self.extensions[name] for name in names if name in self.extensions)
        return replace(self, deadline=max((self.deadline, *own)))

    def days(self, at: datetime) -> int:
        """Count the days that were begun after the deadline; within the grace, none."""
        if at - self.deadline <= timedelta(minutes=self.grace_minutes):
            return 0
        return math.ceil((at - self.deadline) / DAY)

    def penalty(self, at: datetime) -> float:
        """Give how many percent are taken off what was handed in then."""
        return min(self.days(at) * self.percent_a_day, self.most_percent)


def rule(given: object, file: Path) -> Rule | None:
    """Read the rule from a table of a file of points."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise Problem(f"{file} has late = {given!r}; expected a table: [late] and {DEADLINE}.")
    require_known(given, [*Rule.__dataclass_fields__], f"{file}, in [late],")
    deadline = _deadline(given.get("deadline"), file)
    for name in NUMBERS:
        value = given.get(name, 0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value < math.inf:
            raise Problem(f"{file} has {name} = {value!r} in [late]; expected a number, 0 or more.")
    for name in PERCENT:
        if given.get(name, 0) > 100:
            raise Problem(f"{file} takes more than all by {name} = {given[name]}; at most 100.")
    if (grace := given.get("grace_minutes", 0)) > MOST_GRACE:
        raise Problem(f"{file} has grace_minutes = {grace}; expected at most a year.")
    if given.get("time", "archive") not in SOURCES:
        raise Problem(f"{file} takes the time from {given['time']!r}; {' or '.join(SOURCES)}?")
    own = extensions.read(given.get("extensions", {}), deadline, file)
    return Rule(**{**given, "deadline": deadline, "extensions": own})


def _deadline(given: object, file: Path) -> datetime:
    """Read the deadline; which hour it is, no machine's clock decides."""
    if given is None:
        raise Problem(f"{file} has a [late] without a deadline; expected {DEADLINE}.")
    if not isinstance(given, datetime):
        told = f"{file} has deadline = {str(given)!r} in [late]"
        raise Problem(f"{told}; expected a time, not in quotation marks: {DEADLINE}.")
    if given.tzinfo is None:
        told = f"{file} has a deadline without its time zone; write {given.isoformat()}+01:00"
        raise Problem(f"{told}, with the hours that its clock is ahead of UTC.")
    return given


def aware(time: datetime) -> datetime:
    """Take a time without a zone for one of this machine's."""
    return time if time.tzinfo else time.astimezone()


def at(text: str) -> datetime | None:
    """Read a time as an archive or a list has it; None where it says none."""
    try:
        return aware(datetime.fromisoformat(text.strip().removesuffix(" UTC")))
    except (ValueError, OverflowError, OSError):
        return None


def in_name(name: str) -> datetime | None:
    """Read the time that a platform wrote into a name."""
    try:
        if found := BLACKBOARD.search(name):
            return aware(datetime(*map(int, found.groups())))
        if found := D2L.search(name):
            return aware(datetime.strptime(" ".join(found.groups()), "%b %d %Y %I %M %p"))
    except (ValueError, OverflowError, OSError):
        return None
    return None
