"""Makes verdicts small and plain, so that they can travel and be shown anywhere."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.running.answer import AnswerError
from trainer.running.result import outputs

MOST_ROWS_KEPT = 2_500
# Of all runs of an exercise; an honest one has a tenth of that.
MOST_TEXT_KEPT = 2_000_000
MOST_CODE_KEPT = 100_000
NOT_PRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")


def portable(verdict: Verdict, folder: Path) -> Verdict:
    """Make a verdict small and plain, so that it can travel: with runs only to explain a fault."""
    # The runs of checks that failed come first: they are what is shown.
    wanted = sorted(verdict.checks, key=lambda check: check.passed)
    kept = _small([run for check in wanted for run in check.runs])
    if verdict.kind is not Kind.WRONG:
        kept = set()
    checks = tuple(
        replace(
            check,
            error=_plain_error(check, folder),
            runs=tuple(run for run in check.runs if id(run) in kept),
        )
        for check in verdict.checks
    )
    message = readable(verdict.message, folder)
    return replace(verdict, message=message, checks=checks, code=verdict.code[:MOST_CODE_KEPT])


def _plain_error(check: Check, folder: Path) -> BaseException | None:
    error = check.error
    if error is None:
        return None
    kind = type(error) if isinstance(error, AnswerError) else AssertionError
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return kind(readable(lines[0], folder))


def _small(runs: Sequence[Run]) -> set[int]:
    """Choose the runs that are small enough, one by one and all together."""
    kept: set[int] = set()
    left = MOST_TEXT_KEPT
    for run in runs:
        rows = [row for result in outputs(run.outcome).values() for row in result.rows]
        if id(run) in kept or len(rows) > MOST_ROWS_KEPT:
            continue
        size = sum(len(repr(row)) for row in rows)
        if size <= left:
            kept.add(id(run))
            left -= size
    return kept


def readable(text: str, folder: Path | None = None) -> str:
    """Make a message one that can be shown anywhere, and the same each time."""
    if folder:
        text = text.replace(str(folder), "/submission")
    return NOT_PRINTABLE.sub("�", ADDRESS.sub("0x…", text))[:600]
