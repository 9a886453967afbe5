"""What one of the processes that judge does: it is trusted, and has no Spark."""

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trainer.checking.graders import at_a_glance
from trainer.checking.verdict import Kind, Verdict
from trainer.course.exercise import find
from trainer.grading.intake.collect import Submission
from trainer.grading.judging.judge import judging
from trainer.grading.judging.portable import portable
from trainer.grading.sandbox import apart
from trainer.grading.sandbox.limits import Limits
from trainer.running.answer import Overloaded


@dataclass(frozen=True)
class Job:
    """One student's answers to judge, and how.

    `hidden` are the checks, by exercise, whose rows are no learner's business.
    """

    submission: Submission
    stems: tuple[str, ...]
    level: str
    seed: int
    seconds: float
    limits: Limits
    extra: dict[str, Path]
    secret: tuple[Path, ...] = ()
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """The verdict on one answer, and how long it took."""

    verdict: Verdict
    seconds: float


class GraderFailed(Exception):
    """The grader could not do its work; no fault of the submission."""


class GraderStuck(GraderFailed):
    """The grader ended or hung over this submission; it would again."""


def judged(job: Job) -> dict[str, Judged]:
    """Judge one student's answers."""
    with tempfile.TemporaryDirectory(prefix="submission-") as scratch:
        folder = Path(scratch)
        for name, text in job.submission.texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)
        found = _without_running(job, folder)
        found |= _by_running(job, [stem for stem in job.stems if stem not in found], folder)
    return {stem: found[stem] for stem in job.stems}


def _without_running(job: Job, folder: Path) -> dict[str, Judged]:
    found = {}
    for stem in job.stems:
        if stem not in job.submission.files:
            found[stem] = Judged(absent(job.submission, stem), 0)
        elif verdict := at_a_glance(find(stem), folder / f"{stem}.py"):
            found[stem] = Judged(verdict, 0)
    return found


def absent(submission: Submission, stem: str) -> Verdict:
    """Give the verdict on an exercise for which nothing was found, and why nothing was."""
    if submission.unread and not submission.files:
        why = f"What was handed in could not be read: {submission.unread[0]}"
        return Verdict(Kind.UNTOUCHED, why)
    meant = [place for place, likely in submission.unmatched.items() if likely == stem]
    if meant:
        what = "neither its name nor a function in it says so, and it was left out"
        return Verdict(Kind.UNTOUCHED, f"{meant[0]} may be meant for it, but {what}.")
    return Verdict(Kind.UNTOUCHED, "Nothing was handed in for it.")


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
            if apart.stopping:
                raise SystemExit
            overloaded = any(isinstance(check.error, Overloaded) for check in verdict.checks)
            if overloaded or (verdict.kind is Kind.CRASHED and not verdict.checks):
                raise GraderFailed(verdict.message)
            now = time.monotonic()
            found[stem] = Judged(portable(verdict, folder), now - began)
            began = now
    return found
