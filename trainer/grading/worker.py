"""One of the processes that judge: trusted, without Spark, ended with the batch."""

import contextlib
import ctypes
import os
import re
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from trainer.answer import AnswerError
from trainer.exercise import find
from trainer.grading.collect import Submission
from trainer.grading.judge import judging
from trainer.grading.limits import Limits
from trainer.grading.remote import NoRunner
from trainer.recording import Run, outputs
from trainer.verdict import Check, Kind, Verdict, at_a_glance

MOST_ROWS_KEPT = 2_500
MOST_TEXT_KEPT = 100_000
SCRIPTED = ("restart_after", "output_mode", "schemas")
NOT_PRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")


@dataclass(frozen=True)
class Job:
    """One student's answers to judge, and how."""

    submission: Submission
    stems: tuple[str, ...]
    level: str
    seed: int
    seconds: float
    limits: Limits
    extra: dict[str, Path]


@dataclass(frozen=True)
class Judged:
    """The verdict on one answer, and how long it took."""

    verdict: Verdict
    seconds: float


class GraderFailed(Exception):
    """The grader could not do its work; no fault of the submission."""


def work(pipe: Connection, parent: int) -> None:
    """Judge what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() == parent:
        with contextlib.suppress(KeyboardInterrupt):
            _judge_all(pipe)


def _judge_all(pipe: Connection) -> None:
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            answer = judged(job)
        except Exception as error:
            answer = GraderFailed(f"{type(error).__name__}: {error}")
        pipe.send(answer)


_stopping = False


def _stop(*_: object) -> None:
    # pytest ends a test for an interrupt; what then ends this process is in `judged`.
    global _stopping
    _stopping = True
    raise KeyboardInterrupt


def judged(job: Job) -> dict[str, Judged]:
    """Judge one student's answers."""
    with tempfile.TemporaryDirectory(prefix="submission-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        for stem, text in job.submission.files.items():
            file = folder / f"{stem}.py"
            file.write_bytes(text)
            file.chmod(0o644)
        found = _without_running(job, folder)
        found |= _by_running(job, [stem for stem in job.stems if stem not in found], folder)
    return {stem: found[stem] for stem in job.stems}


def _without_running(job: Job, folder: Path) -> dict[str, Judged]:
    found = {}
    for stem in job.stems:
        if stem not in job.submission.files:
            found[stem] = Judged(Verdict(Kind.UNTOUCHED, "Nothing was handed in for it."), 0)
        elif verdict := at_a_glance(find(stem), folder / f"{stem}.py"):
            found[stem] = Judged(verdict, 0)
    return found


def _by_running(job: Job, stems: Sequence[str], folder: Path) -> dict[str, Judged]:
    found, began = {}, time.monotonic()
    if not stems:
        return found
    verdicts = judging(
        folder,
        [find(stem) for stem in stems],
        level=job.level,
        seed=job.seed,
        seconds=job.seconds,
        limits=job.limits,
        extra=job.extra,
    )
    with contextlib.closing(verdicts):
        for stem, verdict in verdicts:
            if _stopping:
                raise SystemExit
            _require_that_it_was_judged(verdict)
            now = time.monotonic()
            found[stem] = Judged(_plain(verdict, folder), now - began)
            began = now
    return found


def _require_that_it_was_judged(verdict: Verdict) -> None:
    for check in verdict.checks:
        if isinstance(check.error, NoRunner):
            raise check.error
    if verdict.kind is Kind.CRASHED and not verdict.checks:
        raise GraderFailed(verdict.message)


def _plain(verdict: Verdict, folder: Path) -> Verdict:
    """Make a verdict small and plain, so that it can travel."""
    made = {id(run): _as_given(run) for check in verdict.checks for run in check.runs}
    checks = tuple(
        replace(
            check,
            error=_plain_error(check, folder),
            runs=tuple(made[id(run)] for run in check.runs if _is_small(run)),
        )
        for check in verdict.checks
    )
    return Verdict(verdict.kind, readable(verdict.message, folder), checks)


def _as_given(run: Run) -> Run:
    """Write a scenario's options as a run in one process has them: outcomes are known by these."""
    given = {"output_mode": "append"} | dict(run.scenario.options)
    options = {name: given[name] for name in SCRIPTED if given.get(name)}
    return replace(run, scenario=replace(run.scenario, options=options))


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
