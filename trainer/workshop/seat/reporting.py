"""What a check tells the board: names of what came out, and never code or rows."""

import contextlib
import re
from pathlib import Path

from trainer.checking.report import Report
from trainer.course.docstrings import docstrings
from trainer.workshop.seat.courier import courier
from trainer.workshop.seat.membership import FOLDER, membership
from trainer.workshop.seat.outbox import Outbox


def begun() -> None:
    """Let the courier set out while a check runs: whether a board is there is known at its end."""
    courier()


def checked(report: Report, folder: Path = FOLDER) -> None:
    """Tell the board what came out of a check; without a class nothing happens."""
    if not membership(folder):
        return
    # What the class sees of a check must never keep a learner from seeing it.
    with contextlib.suppress(OSError):
        Outbox(folder).put("check", **outcome(report))
        if folder == FOLDER and (carrier := courier()):
            carrier.call()


def outcome(report: Report) -> dict[str, str | None]:
    """Give a check's outcome in names: exercise, verdict, the rule that failed, the idea."""
    return {
        "exercise": report.exercise.stem,
        "verdict": str(report.verdict.kind),
        "rule": _test_of(report.rule.name) if report.rule else None,
        "idea": idea_of(report),
    }


def _test_of(check: str) -> str:
    """Name the test of a check, whatever folder it lies in and with whatever it was called."""
    return re.sub(r"\[.*", "", check.rpartition("/")[2])


def idea_of(report: Report) -> str | None:
    """Name the misconception whose words a report tells."""
    if not report.misconception:
        return None
    said = docstrings(report.exercise.misconceptions)
    told = {" ".join(text.split()): name for name, text in reversed(said.items())}
    return told.get(report.misconception)
