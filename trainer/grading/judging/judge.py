"""The trusted side: runs the graders on one submission, which it never imports."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from trainer.checking.graders import verdict_on
from trainer.checking.pytest_plugin import ELSEWHERE
from trainer.checking.runs import Start
from trainer.checking.verdict import Verdict
from trainer.course.exercise import Exercise
from trainer.grading.judging.remote import Remote
from trainer.grading.sandbox.limits import Limits
from trainer.grading.sandbox.sandbox import Sandbox


class Bench:
    """Makes the runs of a grader start at a runner instead of in this process."""

    def __init__(self, remote: Remote, exercise: Exercise) -> None:
        """Run an exercise's scenarios remotely."""
        self.remote, self.exercise = remote, exercise

    def pytest_configure(self, config: pytest.Config) -> None:
        """Take the place of this process."""
        config.stash[ELSEWHERE] = self.start

    def start(self, columns: str | Mapping[str, str], limit: float) -> Start:
        """Give what starts runs that are held to a contract."""
        return partial(self.remote.start, self.exercise, columns, limit)


def judge(folder: Path, chosen: Sequence[Exercise], **options: object) -> dict[str, Verdict]:
    """Judge the answers in a folder, one file for each exercise, in one sandbox for all."""
    return dict(judging(folder, chosen, **options))


def judging(
    folder: Path,
    chosen: Sequence[Exercise],
    *,
    level: str,
    seed: int,
    seconds: float = 300,
    limits: Limits | None = None,
    extra: Mapping[str, Path] | None = None,
    secret: Sequence[Path] = (),
) -> Iterator[tuple[str, Verdict]]:
    """Judge one exercise after the other; `extra` are files with further tests, by stem.

    `secret` are places that the submission may not see, besides the kit.
    """
    remote = Remote(Sandbox(level, folder, limits or Limits(), secret=tuple(secret)), seconds)
    try:
        for exercise in chosen:
            path, bench = folder / f"{exercise.stem}.py", Bench(remote, exercise)
            further = (extra or {}).get(exercise.stem)
            verdict = verdict_on(exercise, path, seed=seed, plugins=[bench], extra=further)
            if remote.fault:
                raise remote.fault
            yield exercise.stem, verdict
    finally:
        remote.stop()
