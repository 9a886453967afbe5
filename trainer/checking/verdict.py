"""The five verdicts on an answer, and the checks that led to them."""

from dataclasses import dataclass
from enum import StrEnum

from trainer.checking.runs import Run


class Kind(StrEnum):
    """What can be said of an answer; only `correct` counts as solved."""

    UNTOUCHED = "untouched"
    UNFINISHED = "unfinished"
    CRASHED = "crashed"
    WRONG = "wrong"
    CORRECT = "correct"


@dataclass(frozen=True)
class Check:
    """One test's outcome: the fact it checks, and what went wrong if something did."""

    name: str
    fact: str
    passed: bool
    error: BaseException | None = None
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The verdict on one answer, in a word and in a sentence, with its checks.

    `code` is what the answer is made of, without comments: an idea may be true of some code only.
    """

    kind: Kind
    message: str
    checks: tuple[Check, ...] = ()
    code: str = ""
