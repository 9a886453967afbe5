"""How does grading scale on a cluster? `uv run python -m bench.grade --cluster`.

First for real: the same submissions by `--jobs 2`, and by a master and two workers that are started
on this machine. Then, from the times that were measured there, a simulation of up to 1,000 workers:
some of them slow, some that die.
"""

import heapq
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table

from bench.grade import EXERCISES, folder_of
from tests.kit.machines import cluster_of
from trainer.course.exercise import find
from trainer.grading.batch import judge_all
from trainer.grading.book import points
from trainer.grading.book.grades import StudentGrade
from trainer.grading.book.terms import Settings, Terms, terms
from trainer.grading.cluster.cluster import Cluster
from trainer.grading.handed_in import submissions
from trainer.grading.pages.bars import Grading
from trainer.grading.sandbox.sandbox import best
from trainer.grading.workplace import Here, Workplace

WORKERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
HOUR = 3600
# So many of each submission: what a cluster takes to begin is not what it takes to grade.
COPIES = 3
console = Console()


@dataclass(frozen=True)
class Measured:
    """What a batch took: all of it, each submission at its worker, and each at the one who books.

    `dispatch` is what one who hands out work spends on each, beside many others.
    """

    seconds: float
    tasks: Sequence[float]
    booking: float
    dispatch: float = 0.0


class Watched(Grading):
    """Notes how long each submission took where it was judged, and how long it took to book it."""

    def __init__(self, students: Sequence[str]) -> None:
        """Note nothing yet."""
        super().__init__([], {each: [] for each in students}, 2, Console(quiet=True))
        self.tasks: list[float] = []
        self.booking: list[float] = []

    def judged(self, student: str, times: Mapping[str, float]) -> None:
        """Look at the clock when verdicts come."""
        super().judged(student, times)
        self.tasks.append(sum(times.values()))
        self.came = time.perf_counter()

    def tell(self, grade: StudentGrade) -> None:
        """Look at the clock when all is written."""
        super().tell(grade)
        self.booking.append(time.perf_counter() - self.came)


def measure(where: Workplace, made: Terms, out: Path) -> Measured:
    """Grade a folder, but for its pages."""
    handed_in = submissions(made)
    worth = points.read(None, False, {})
    began = time.perf_counter()
    with Watched([each.student for each in handed_in]) as bar:
        judge_all(made, handed_in, out, worth, where, bar)
    return Measured(time.perf_counter() - began, bar.tasks, mean(bar.booking))


def dispatched(where: Cluster, count: int = 400, threads: int = 16) -> float:
    """Give the seconds that handing out one task takes, of many that do nothing."""
    with ThreadPoolExecutor(threads) as pool:
        began = time.perf_counter()
        list(pool.map(lambda _: where.context.range(1, numSlices=1).count(), range(count)))
        return (time.perf_counter() - began) / count


@dataclass(frozen=True)
class World:
    """What a simulated cluster is like: some workers are slow, and each dies now and then."""

    slow: float = 0.05
    how_slow: float = 3.0
    hours_between_deaths: float = 8.0
    # Until a machine that says nothing is given up, and until another has taken its place.
    noticed_after: float = 60.0
    back_after: float = 300.0


def simulated(
    tasks: Sequence[float], number: int, workers: int, one: Measured, world: World, seed: int = 1
) -> tuple[float, float]:
    """Grade so many submissions; give the seconds it takes, and the share that the driver works.

    Work is handed out one by one, and booked one by one, by a single process; a submission whose
    worker dies is begun anew at the head of the line.
    """
    drawn = random.Random(seed)
    speeds = [world.how_slow if drawn.random() < world.slow else 1.0 for _ in range(workers)]
    dies = [drawn.expovariate(1 / (world.hours_between_deaths * HOUR)) for _ in range(workers)]
    waiting = [drawn.choice(tasks) for _ in range(number)]
    free = [(0.0, worker) for worker in range(workers)]
    heapq.heapify(free)
    handing = booking = last = worked = 0.0
    came: list[float] = []
    while waiting:
        now, worker = heapq.heappop(free)
        seconds = waiting.pop() * speeds[worker]
        handing = begin = max(now, handing) + one.dispatch
        if begin + seconds > dies[worker] >= begin:
            waiting.append(seconds / speeds[worker])
            dead = dies[worker]
            back = dead + max(world.noticed_after, world.back_after)
            dies[worker] = back + drawn.expovariate(1 / (world.hours_between_deaths * HOUR))
            heapq.heappush(free, (back, worker))
            continue
        heapq.heappush(free, (begin + seconds, worker))
        heapq.heappush(came, begin + seconds)
    while came:
        booking = max(booking, heapq.heappop(came)) + one.booking
        worked += one.booking
    last = max(last, booking)
    return last, worked / last


def told(one: Measured, number: int) -> Table:
    """Tell how long so many submissions take, by the number of workers."""
    columns = ("workers", "minutes", "times one worker", "of what is ideal", "bound by")
    table = Table(*columns, title=f"{number:,} submissions, simulated")
    first = None
    for workers in WORKERS:
        seconds, busy = simulated(one.tasks, number, workers, one, World())
        first = first or seconds
        gained = first / seconds
        table.add_row(
            f"{workers:,}",
            f"{seconds / 60:,.1f}",
            f"{gained:,.1f}",
            f"{gained / workers:.0%}",
            bound_by(one, number, workers, seconds, busy),
        )
    return table


def bound_by(one: Measured, number: int, workers: int, seconds: float, busy: float) -> str:
    """Say what keeps it from being faster."""
    if busy > 0.9:
        return "the one process that books grades"
    if number * one.dispatch > 0.9 * seconds:
        return "handing out"
    if number < 3 * workers or max(one.tasks) * World().how_slow > seconds / 2:
        return "the slowest submission on a slow machine"
    return "workers"


def main() -> None:
    """Measure here, then simulate."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "submissions")
        folder.mkdir()
        for name, copy in product(EXERCISES, range(COPIES)):
            folder_of(find(name), folder, f"-{copy}")
        settings = Settings(str(folder), EXERCISES, seed="1", sandbox=best(), timeout=60)
        made = terms(settings)
        here = measure(Here(2), made, Path(scratch, "here"))
        with cluster_of(2, Path(scratch)) as master, Cluster.at(master, None) as where:
            where.level(settings.sandbox, False)
            there = measure(where, made, Path(scratch, "there"))
            there = replace(there, dispatch=dispatched(where))
    table = Table(
        "", "submissions/h", "times --jobs 2", "s at a worker", "ms booked", "ms handed out"
    )
    for name, each in {"--jobs 2": here, "--on, two workers": there}.items():
        table.add_row(
            name,
            f"{len(each.tasks) * HOUR / each.seconds:,.0f}",
            f"{here.seconds / each.seconds:.2f}",
            f"{mean(each.tasks):.1f}",
            f"{1000 * each.booking:.0f}",
            f"{1000 * each.dispatch:.1f}",
        )
    console.print(table)
    for number in (1_000, 10_000):
        console.print(told(there, number))
