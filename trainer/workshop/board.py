"""What the class is doing, as its events say: in memory, made anew from the file at each start."""

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Happened:
    """An event as the board keeps it, with the time at which it was by the board's own clock."""

    at: float
    came: float
    kind: str
    exercise: str | None = None
    verdict: str | None = None
    rule: str | None = None
    idea: str | None = None


@dataclass(frozen=True)
class Standing:
    """How a learner stands with an exercise: the last verdict, and since when it is the same."""

    verdict: str
    rule: str | None
    idea: str | None
    since: float
    last: float
    checks: int
    solved: bool


@dataclass
class Learner:
    """A learner, and all that came from their machine."""

    number: int
    name: str
    joined: float
    known: set[str] = field(default_factory=set)
    checks: dict[str, list[Happened]] = field(default_factory=dict)
    standings: dict[str, Standing] = field(default_factory=dict)
    ideas: set[tuple[str, str]] = field(default_factory=set)
    asked: float | None = None
    asked_about: str | None = None
    last: float = 0.0
    handed_in: float | None = None
    off: bool = False

    def happened(self, name: str, event: Happened) -> bool:
        """Take in an event, unless it is known; tell whether it was new."""
        if name in self.known:
            return False
        self.known.add(name)
        self.last = max(self.last, event.at)
        if event.kind in ("off", "back"):
            self.off = event.kind == "off"
        if event.kind == "check":
            checks = self.checks.setdefault(event.exercise, [])
            bisect.insort(checks, event, key=lambda each: each.at)
            self.standings[event.exercise] = standing(checks)
            if event.idea:
                self.ideas.add((event.exercise, event.idea))
        else:
            wanted = event.kind == "help"
            self.asked = event.at if wanted else None
            self.asked_about = event.exercise if wanted else None
        return True

    @property
    def at_work(self) -> str | None:
        """The exercise that was last checked."""
        return max(self.standings, key=lambda stem: self.standings[stem].last, default=None)


def standing(checks: list[Happened]) -> Standing:
    """Sum up the checks of an exercise, the oldest first."""
    newest = checks[-1]
    alike = 0
    for each in reversed(checks):
        if (each.verdict, each.rule) != (newest.verdict, newest.rule):
            break
        alike += 1
    return Standing(
        newest.verdict,
        newest.rule,
        newest.idea,
        since=checks[-alike].at,
        last=newest.at,
        checks=len(checks),
        solved=any(each.verdict == "correct" for each in checks),
    )


class Board:
    """All learners of a class, and what the instructor told them."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.everyone: dict[int, Learner] = {}
        self.by_token: dict[str, Learner] = {}
        self.lines: dict[int, str] = {}
        # Those among them that only say what was released.
        self.announced: set[int] = set()
        self.released: dict[str, list[str]] = {"hints": [], "solution": []}
        # Learners of whom something is new, for the pages that are open.
        self.changed: set[int] = set()

    @property
    def learners(self) -> dict[int, Learner]:
        """All who are in the class: without those whom the instructor took off it."""
        return {number: each for number, each in self.everyone.items() if not each.off}

    def joined(self, number: int, token: str, name: str, at: float) -> Learner:
        """Take in a learner, or one's new name."""
        if known := self.by_token.get(token):
            known.name = name
        else:
            known = self.everyone[number] = self.by_token[token] = Learner(number, name, at)
        self.changed.add(known.number)
        return known

    def happened(self, number: int, name: str, event: Happened) -> None:
        """Take in an event of a learner."""
        if self.everyone[number].happened(name, event):
            self.changed.add(number)

    def handed_in(self, number: int, at: float) -> None:
        """Note since when there is what a learner handed in."""
        self.everyone[number].handed_in = at
        self.changed.add(number)

    def free(self, name: str, token: str) -> str:
        """Give a name that nobody else has: this one, or with a number behind it."""
        others = (each for key, each in self.by_token.items() if key != token and not each.off)
        taken = {each.name.casefold() for each in others}
        names = _numbered(name)
        return next(each for each in names if each.casefold() not in taken)

    @property
    def said(self) -> str:
        """What the instructor said last; what was released since takes nothing away from it."""
        own = self.lines.keys() - self.announced
        return self.lines[max(own)] if own else ""

    def lines_after(self, number: int, most: int) -> list[dict]:
        """Give the newest lines that came after one."""
        new = [each for each in sorted(self.lines) if each > number][-most:]
        return [{"number": each, "text": self.lines[each]} for each in new]


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        number += 1
        yield f"{name} ({number})"
