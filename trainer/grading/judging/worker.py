"""One of the processes that judge: trusted, without Spark, ended with the batch."""

import contextlib
import os
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from trainer.checking.graders import at_a_glance
from trainer.checking.verdict import Kind, Verdict
from trainer.course.exercise import find
from trainer.grading.intake.collect import Submission
from trainer.grading.judging.judge import judging
from trainer.grading.judging.portable import portable
from trainer.grading.sandbox.launch import end_with_parent
from trainer.grading.sandbox.limits import Limits


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
    secret: tuple[Path, ...] = ()


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
    if not end_with_parent():
        threading.Thread(target=_look_after, args=(parent,), daemon=True).start()
    if os.getppid() == parent:
        # A pipe whose other end is closed: the batch has ended.
        with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
            _judge_all(pipe)


def _look_after(parent: int) -> None:
    """End this process tidily when its parent has ended, where the kernel doesn't do it."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _judge_all(pipe: Connection) -> None:
    while True:
        job = pipe.recv()
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
        for stem, text in job.submission.files.items():
            (folder / f"{stem}.py").write_bytes(text)
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
        secret=job.secret,
    )
    with contextlib.closing(verdicts):
        for stem, verdict in verdicts:
            if _stopping:
                raise SystemExit
            if verdict.kind is Kind.CRASHED and not verdict.checks:
                raise GraderFailed(verdict.message)
            now = time.monotonic()
            found[stem] = Judged(portable(verdict, folder), now - began)
            began = now
    return found
