"""Makes verdicts small and plain, so that they can travel and be shown anywhere."""

import re
from dataclasses import replace
from pathlib import Path

from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Verdict
from trainer.running.answer import AnswerError
from trainer.running.result import outputs

MOST_ROWS_KEPT = 2_500
MOST_TEXT_KEPT = 100_000
NOT_PRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")


def portable(verdict: Verdict, folder: Path) -> Verdict:
    """Make a verdict small and plain, so that it can travel."""
    checks = tuple(
        replace(
            check,
            error=_plain_error(check, folder),
            runs=tuple(run for run in check.runs if _is_small(run)),
        )
        for check in verdict.checks
    )
    return Verdict(verdict.kind, readable(verdict.message, folder), checks)


def _plain_error(check: Check, folder: Path) -> BaseException | None:
    error = check.error
    if error is None:
        return None
    kind = type(error) if isinstance(error, AnswerError) else AssertionError
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return kind(readable(lines[0], folder))


def _is_small(run: Run) -> bool:
    results = outputs(run.outcome).values()
    rows = sum(len(result.rows) for result in results)
    return rows <= MOST_ROWS_KEPT and all(
        len(repr(row)) <= MOST_TEXT_KEPT for result in results for row in result.rows
    )


def readable(text: str, folder: Path | None = None) -> str:
    """Make a message one that can be shown anywhere, and the same each time."""
    if folder:
        text = text.replace(str(folder), "/submission")
    return NOT_PRINTABLE.sub("�", ADDRESS.sub("0x…", text))[:600]
