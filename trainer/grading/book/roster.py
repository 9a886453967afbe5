"""Who is in a course: a roster in CSV, and which submission is whose."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from trainer.course.csv_table import lines_of
from trainer.course.problem import Problem
from trainer.grading.book.given import headings

MOST = 20_000
# What columns are called, by schools' own lists and by platforms' exports.
HEADINGS = {
    "id": ("id", "student id", "sid", "sis user id", "id number", "user id"),
    "name": ("name", "full name", "student", "student name"),
    "email": ("e-mail", "email", "email address", "mail"),
    "canvas": ("canvas id", "canvas user id"),
    "section": ("section", "sections", "group"),
    "login": ("login", "sis login id", "username"),
    "submitted": ("submitted", "handed in", "submitted at"),
}
# As Canvas's gradebook calls its own number of a student where a school's stands beside it, and
# what it calls a line that is nobody's.
CANVAS, SIS, POSSIBLE = "id", "sis user id", "Points Possible"
EXPECTED = "expected a first line such as id,name,e-mail,section"
# A name that looked like another's has got a mark: see intake/names.py.
MARK = re.compile(r"~[0-9a-f]{10}$")
PARTS = re.compile(r"[^\w.@+-]+|_")


@dataclass(frozen=True)
class Person:
    """One line of a roster: `id` is the school's, `canvas` the number that Canvas itself gave."""

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    login: str = ""
    submitted: str = ""
    canvas: str = ""

    @property
    def ids(self) -> set[str]:
        """All by which a platform may know this person, and nobody else."""
        return {each.casefold() for each in (self.id, self.email, self.login) if each}

    @property
    def names(self) -> set[str]:
        """The name, with whichever of its words first: Canvas begins with the last name.

        Canvas leaves out letters with accents, too.
        """
        bare = "".join(letter for letter in self.name if letter.isascii())
        return {*_orders(self.name), *_orders(bare)}

    def is_called(self, text: str) -> bool:
        """Tell whether a text says this person's name, in whichever order."""
        return "".join(_words(MARK.sub("", text))) in self.names


@dataclass(frozen=True)
class Claim:
    """What a submission's place says of whose it is; `by_name` where its numbers say nothing.

    `canvas` is a number of Canvas's own: with a school's it has nothing to do.
    """

    student: str
    said: tuple[str, ...] = ()
    by_name: bool = False
    canvas: str = ""


@dataclass
class Matched:
    """Which student of a batch is who; who is nobody of the roster, and why; and who is missing."""

    people: dict[str, tuple[Person, ...]] = field(default_factory=dict)
    strangers: dict[str, str] = field(default_factory=dict)
    absent: list[Person] = field(default_factory=list)


def read(file: Path) -> list[Person]:
    """Read a roster."""
    first = headings(file, "a roster", EXPECTED)
    columns = _columns(first)
    lines = lines_of(file, "a roster", EXPECTED)
    if len(lines) > MOST:
        raise Problem(f"{file} is larger than any roster; {EXPECTED}.")
    if not columns.keys() >= {"id", "name"}:
        found = ", ".join(filter(None, first)) or "no line"
        raise Problem(f"{file} has {found[:100]}; {EXPECTED}.")
    columns.pop("", None)
    people = [
        Person(
            **{name: " ".join((line[heading] or "").split()) for name, heading in columns.items()}
        )
        for line in lines
    ]
    people = [
        replace(each, id=each.id or each.canvas)
        for each in people
        if each.id or each.canvas or each.name not in ("", POSSIBLE)
    ]
    if not people:
        raise Problem(f"{file} has a heading and nobody under it; expected a line for each person.")
    _require_ids(people, file)
    return people


def _columns(first: Iterable[str]) -> dict[str, str]:
    """Say by which heading each column goes: the first, where two are called the same."""
    plain = {heading: " ".join(heading.casefold().replace("_", " ").split()) for heading in first}
    columns: dict[str, str] = {}
    for heading, words in plain.items():
        name = next((name for name, known in HEADINGS.items() if words in known), "")
        if words == CANVAS and SIS in plain.values():
            name = "canvas"
        columns.setdefault(name, heading)
    return columns


def _require_ids(people: Iterable[Person], file: Path) -> None:
    seen = set()
    for each in people:
        if not each.id or each.id.casefold() in seen:
            why = f"the id {each.id} twice" if each.id else f"{each.name} without an id"
            raise Problem(f"{file} has {why}; each line needs an id of its own.")
        seen.add(each.id.casefold())


def matched(people: Collection[Person], claims: Iterable[Claim]) -> Matched:
    """Join submissions to people, by id, e-mail or name; only where it is certain."""
    known = _Known(people)
    found, owners = Matched(), defaultdict(list)
    for claim in claims:
        try:
            whose = tuple(known.whose(said, claim) for said in claim.said)
        except _Unclear as why:
            found.strangers[claim.student] = str(why)
            continue
        found.people[claim.student] = whose
        for person in whose:
            owners[person].append(claim.student)
    for person, students in owners.items():
        if students[1:]:
            for student in students:
                found.people.pop(student, None)
                why = f"{person.name or person.id} handed in {len(students)} times: "
                found.strangers[student] = why + ", ".join(students)
    there = {person for whose in found.people.values() for person in whose}
    found.absent = [each for each in people if each not in there and each not in owners]
    return found


class _Unclear(Exception):
    """Why a submission is nobody's for certain."""


class _Known:
    """All people of a roster, by all that one may be called."""

    def __init__(self, people: Iterable[Person]) -> None:
        self.ids, self.names, self.short = defaultdict(set), defaultdict(set), defaultdict(set)
        self.canvas = defaultdict(set)
        for each in people:
            self.canvas[each.canvas].add(each)
            self.short[each.email.casefold().partition("@")[0]].add(each)
            for known in each.ids:
                self.ids[known].add(each)
            for known in each.names:
                self.names[known].add(each)

    def whose(self, said: str, claim: Claim) -> Person:
        """Tell whose it is; what stands before an e-mail's @ counts where nothing else is known."""
        said = MARK.sub("", said)
        parts = [each.casefold() for each in (said, *PARTS.split(said)) if each]
        if claim.by_name or claim.canvas:
            parts = []
        by_id = {person for part in parts for person in self.ids.get(part, ())}
        if claim.canvas:
            by_id = self.canvas.get(claim.canvas, set())
        named = self.names.get("".join(_words(said)), set())
        if len(by_id) == 1 and named and not by_id & named:
            raise _Unclear("its id is one person's, its name another's")
        short = {person for part in parts for person in self.short.get(part, ())}
        certain = by_id & named or by_id or named or short
        if len(certain) == 1:
            return next(iter(certain))
        if certain:
            raise _Unclear(f"it may be {' or '.join(sorted(each.id for each in certain)[:4])}")
        if claim.canvas:
            raise _Unclear(f"nobody has this name, or {claim.canvas} as canvas id")
        raise _Unclear("nobody has this id, e-mail or name")


def _orders(name: str) -> set[str]:
    """Give a name with whichever of its words first."""
    last, comma, first = name.partition(",")
    words = _words(f"{first} {last}" if comma else name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def _words(text: str) -> list[str]:
    """Take a name apart: without accents, digits, signs, and what platforms say of lateness."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [word for word in re.findall(r"[^\W\d_]+", plain) if word != "late"]
