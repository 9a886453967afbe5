"""How many submissions an hour does the grader judge, and what does the sandbox cost?

uv run python -m bench.grade [JOBS]
uv run python -m bench.grade --cluster    # two workers, and a simulation: see bench/cluster.py

One folder of correct, wrong, crashing and hanging answers to two exercises, judged in turn: the
naive way, a plain pytest process with a plain Spark for each; by the grader without a sandbox; and
by the grader in the best sandbox that this machine has.
"""

import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.plain_session import STARTED
from tests.kit.course import alternatives, alternatives_file, as_submitted
from trainer.checking.misconceptions import misconceptions
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, find
from trainer.grading.judging import judge
from trainer.grading.judging.remote import Remote
from trainer.grading.sandbox.sandbox import best
from trainer.spark import quick_start

EXERCISES = ("ride_cleansing", "hourly_tips")
# What one run may take: for a hanging answer, in either way.
LIMIT = 20


@dataclass(frozen=True)
class Handed:
    """A submission: a file, and what it should be judged."""

    exercise: Exercise
    folder: Path
    correct: bool


@dataclass(frozen=True)
class Judged:
    """What came of a submission: correct or not, and the seconds that went into it."""

    correct: bool
    starting: float
    seconds: float


def folder_of(exercise: Exercise, place: Path, end: str = "") -> list[Handed]:
    """Write the submissions for one exercise; `end` is put to their names."""
    solution = exercise.solution.read_text()
    alternative = alternatives(exercise)[0]
    wrong = [each.__name__ for each in misconceptions(exercise)[:3]]
    texts = {
        "reference": solution,
        "alternative": as_submitted(exercise, alternatives_file(exercise), alternative),
        "again": f"{solution}\n# The same, by another student.\n",
        **{name: as_submitted(exercise, exercise.misconceptions, name) for name in wrong},
        "crashing": f"def {exercise.function}(stream):\n    return stream.nowhere\n",
        "hanging": f"def {exercise.function}(stream):\n    while True:\n        pass\n",
    }
    handed = []
    for name, text in texts.items():
        folder = place / f"{name}-{exercise.stem}{end}"
        folder.mkdir()
        (folder / f"{exercise.stem}.py").write_text(text)
        handed.append(Handed(exercise, folder, name in ("reference", "alternative", "again")))
    return handed


def naive(handed: Handed) -> Judged:
    """Judge by a pytest process of its own, with Spark as it comes."""
    began = time.perf_counter()
    file = handed.folder / f"{handed.exercise.stem}.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "bench.plain_session"]
    command += [str(handed.exercise.grader), f"--impl={file}", f"--limit={LIMIT}"]
    environment = os.environ | {"TRAINER_ARCHIVE": "off"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    starting = float(re.search(rf"{STARTED} ([\d.]+)", done.stdout)[1])
    return Judged(done.returncode == 0, starting, time.perf_counter() - began)


class Timed(Remote):
    """A runner whose start is timed, as far as the judge has to wait for it."""

    waited = 0.0

    def _make_ready(self) -> None:
        began = time.perf_counter()
        super()._make_ready()
        Timed.waited += time.perf_counter() - began


def by_the_grader(handed: Handed, level: str) -> Judged:
    """Judge as the grader does, at one level of isolation."""
    judge.Remote, Timed.waited = Timed, 0.0
    began, exercise = time.perf_counter(), handed.exercise
    found = judge.judge(handed.folder, [exercise], level=level, seed=1, seconds=LIMIT)
    verdict = found[exercise.stem]
    return Judged(verdict.kind == "correct", Timed.waited, time.perf_counter() - began)


def without_sandbox(handed: Handed) -> Judged:
    """Judge at level none."""
    return by_the_grader(handed, "none")


def in_the_best_sandbox(handed: Handed) -> Judged:
    """Judge at the best level of this machine."""
    return by_the_grader(handed, best())


def measure(
    way: Callable[[Handed], Judged], pool: Executor, handed: list[Handed]
) -> tuple[float, list[Judged]]:
    """Judge all submissions; give the seconds it took, and insist on the right verdicts."""
    began = time.perf_counter()
    with pool:
        judged = list(pool.map(way, handed))
    seconds = time.perf_counter() - began
    for each, found in zip(handed, judged, strict=True):
        if found.correct != each.correct:
            raise SystemExit(f"{each.folder.name} came out as correct={found.correct}")
    return seconds, judged


def main() -> None:
    """Measure all ways in one run and print submissions an hour, and ratios."""
    if sys.argv[1:] == ["--cluster"]:
        from bench import cluster

        cluster.main()
        return
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count()
    if not quick_start.path().exists():
        quick_start.make()
    spawn = multiprocessing.get_context("spawn")
    ways = {
        "a pytest process each": (naive, ThreadPoolExecutor(jobs)),
        "the grader, level none": (without_sandbox, ProcessPoolExecutor(jobs, spawn)),
        f"the grader, level {best()}": (in_the_best_sandbox, ProcessPoolExecutor(jobs, spawn)),
    }
    title = f"{jobs} at a time"
    table = Table("", "submissions/h", "times naive", "s each", "starting Java", title=title)
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        handed = [one for name in EXERCISES for one in folder_of(find(name), Path(scratch))]
        first = None
        for name, (way, pool) in ways.items():
            seconds, judged = measure(way, pool, handed)
            first = first or seconds
            busy = sum(each.seconds for each in judged)
            share = sum(each.starting for each in judged) / busy
            cells = (f"{len(handed) * 3600 / seconds:.0f}", f"{first / seconds:.2f}")
            table.add_row(name, *cells, f"{busy / len(handed):.1f}", f"{share:.0%}")
    Console().print(table)


if __name__ == "__main__":
    main()
