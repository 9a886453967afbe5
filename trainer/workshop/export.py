"""All checks of a class as CSV, for a spreadsheet."""

from collections.abc import Sequence
from datetime import datetime

from trainer.course.csv_table import text_of
from trainer.workshop import course_words
from trainer.workshop.board import Board

COLUMNS = ("learner", "time", "exercise", "verdict", "rule", "idea")
# A spreadsheet takes what begins so for something to calculate.
CALCULATES = ("=", "+", "-", "@", "\t", "\r")


def table(board: Board) -> str:
    """Write a line for each check, learner by learner, in the order in which they were made."""
    lines: list[Sequence[object]] = [COLUMNS]
    for learner in sorted(board.learners.values(), key=lambda each: each.name.casefold()):
        checks = [each for some in learner.checks.values() for each in some]
        for each in sorted(checks, key=lambda check: check.at):
            time = datetime.fromtimestamp(each.at).isoformat(sep=" ", timespec="seconds")
            rule = course_words.rule(each.exercise, each.rule)
            lines.append(
                (_inert(learner.name), time, each.exercise, each.verdict, rule, each.idea or "")
            )
    return text_of(lines)


def _inert(name: str) -> str:
    return f"'{name}" if name.startswith(CALCULATES) else name
