"""How long does a learner wait between saving an answer and reading what is wrong with it?

uv run python -m bench.loop

Four waits, over all exercises: a warm check of the right answer; recognising each first
misconception once it is graded; `trainer check` in a cold terminal; and, what one would do without
it, a cold `pytest` of the same grader.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from trainer import session
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import misconceptions
from trainer.checking.recognition import misconception
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, exercises

IGNORED = (".git", ".venv", "progress.json*", "__pycache__", "notebooks")


def seconds(work: Callable[[], object]) -> float:
    """Time one piece of work."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def warm(exercise: Exercise) -> float:
    """Check the right answer a second time in a warm session."""
    verdict_on(exercise, exercise.solution)
    return seconds(lambda: verdict_on(exercise, exercise.solution))


def recognised(exercise: Exercise) -> float:
    """Find out which misconception a wrong answer comes from."""
    wrong = misconceptions(exercise)[0].__name__
    verdict = verdict_on(exercise, exercise.misconceptions, function=wrong)
    return seconds(lambda: misconception(exercise, verdict))


@contextmanager
def solved_clone() -> Iterator[Path]:
    """Give a copy of the kit in which every exercise is solved."""
    with tempfile.TemporaryDirectory() as scratch:
        kit = Path(scratch, "kit")
        shutil.copytree(ROOT, kit, ignore=shutil.ignore_patterns(*IGNORED))
        shutil.copytree(kit / "solutions", kit / "exercises", dirs_exist_ok=True)
        yield kit


def cold(kit: Path, *command: str) -> float:
    """Run a command in a process of its own, in a copy of the kit."""
    environment = os.environ | {"PYTHONPATH": str(kit)}
    whole = [sys.executable, "-m", *command]
    return seconds(lambda: subprocess.check_output(whole, cwd=kit, env=environment))


def measure(exercise: Exercise, kit: Path) -> tuple[float, ...]:
    """Take all four measurements for an exercise."""
    grader = f"tests/exercises/{exercise.grader.name}"
    return (
        warm(exercise),
        recognised(exercise),
        cold(kit, "trainer.cli", "check", exercise.name),
        cold(kit, "pytest", "-q", grader, "--impl=exercises"),
    )


def main() -> None:
    """Measure all exercises and print seconds and ratios."""
    chosen = [each for each in exercises() if each.stem in sys.argv[1:] or not sys.argv[1:]]
    table = Table("seconds", "warm", "recognised", "cold check", "cold pytest", "check / pytest")
    session(ui=False)
    found = []
    with solved_clone() as kit:
        for exercise in chosen:
            found.append(measure(exercise, kit))
            add(table, exercise.stem, found[-1])
    columns = list(zip(*found, strict=True))
    add(table, "median", [statistics.median(column) for column in columns])
    add(table, "slowest", [max(column) for column in columns])
    Console().print(table)


def add(table: Table, name: str, taken: tuple[float, ...] | list[float]) -> None:
    """Add a line, with the ratio of the two cold ways."""
    table.add_row(name, *(f"{each:.2f}" for each in taken), f"{taken[2] / taken[3]:.2f}")


if __name__ == "__main__":
    main()
