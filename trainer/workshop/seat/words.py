"""What the board and a learner's machine agree on: the form of an event, and lengths."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass

PORT = 8765
LONGEST_NAME = 40
LONGEST_LINE = 200
LARGEST_BODY = 64 * 1024
MOST_EVENTS = 50
TAKEN_OFF = "The instructor took you off the class; `trainer class join` joins again."
# The time that a clock may have stood still, or a laptop have been shut, before it was sent.
OLDEST = 30 * 24 * 3600
KINDS = ("check", "help", "fine")
VERDICTS = ("untouched", "unfinished", "crashed", "wrong", "correct")
WORD = re.compile(r"[A-Za-z_]\w{0,99}", re.ASCII)
ID = re.compile(r"[0-9a-f]{32}")
TOKEN = re.compile(r"[0-9A-Za-z_-]{32,64}")
# A letter may have an accent, or two; a tower of them would stand over its neighbours.
TOWER = re.compile(
    r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff]{2})"
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff]+"
)

# What steers a terminal is taken out whole, not its first sign alone: ESC [31m, ESC ]0;title BEL.
STEERS = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)


class Malformed(ValueError):
    """What came is not what was agreed on; the message says what is wrong with it."""


@dataclass(frozen=True)
class Event:
    """What a learner's machine tells: a check's outcome in names only, or that help is wanted.

    `rule` is the name of a grader's test, and `idea` that of a misconception. `age` is how many
    seconds ago it was when it was sent: clocks of laptops differ, and so no time of day is told.
    """

    id: str
    kind: str
    age: float
    exercise: str | None = None
    verdict: str | None = None
    rule: str | None = None
    idea: str | None = None

    def told(self) -> dict:
        """Give it as it is sent."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def event_of(given: object) -> Event:
    """Read an event that came over the network; nothing but what was agreed on gets through."""
    if not isinstance(given, Mapping) or not given.keys() <= Event.__dataclass_fields__.keys():
        raise Malformed("an event has other fields than agreed on")
    _is(given, "id", ID)
    if given.get("kind") not in KINDS:
        raise Malformed("an event is of no known kind")
    age = given.get("age")
    if isinstance(age, bool) or not isinstance(age, int | float) or not 0 <= age <= OLDEST:
        raise Malformed("an event's age is no number of seconds")
    for name in ("exercise", "rule", "idea"):
        if given.get(name) is not None:
            _is(given, name, WORD)
    is_check, verdict = given["kind"] == "check", given.get("verdict")
    if is_check and (verdict not in VERDICTS or not given.get("exercise")):
        raise Malformed("a check has an exercise and a verdict")
    if not is_check and verdict is not None:
        raise Malformed("only a check has a verdict")
    return Event(**given)


def _is(given: Mapping, name: str, pattern: re.Pattern) -> None:
    value = given.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Malformed(f"an event's {name} is no word as agreed on")


def clean(text: object, longest: int) -> str:
    """Give a line as it may be shown: in one line, so long at most, without what can't be seen.

    Control characters could steer a terminal, and marks of direction turn a page around.
    """
    composed = unicodedata.normalize("NFC", text if isinstance(text, str) else "")[: 4 * longest]
    spaced = " ".join(STEERS.sub("", composed).split())
    seen = "".join(each for each in spaced if unicodedata.category(each)[0] != "C")
    return TOWER.sub(r"\1", seen)[:longest].strip()
