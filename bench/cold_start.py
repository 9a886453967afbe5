"""How long from a cold `trainer.session()` to the first result of a windowed streaming query?

uv run python -m bench.cold_start

Three ways in turn, several rounds, each in a process of its own: Spark as it comes; with a Java
that compiles lightly; and so with the archive too, which is what learners get.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from trainer import session
from trainer.spark import quick_start

ROUNDS = 5
WAYS = {
    "plain": ("off", True),
    "light compiler": ("off", False),
    "light compiler, archive": ("on", False),
}


def first_result(peak: bool) -> float:
    """Start a session and a windowed query; give the seconds until its first rows are here."""
    from trainer.running.rehearsal import run, ticks, windowed

    arrivals = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        stream = windowed(ticks(session(ui=False, peak=peak), Path(scratch)))
        run(stream, Path(scratch, "checkpoint"), lambda rows: arrivals.append(time.perf_counter()))
    return arrivals[0] - began


def measure(use_archive: str, peak: bool) -> float:
    """Take one measurement in a process of its own."""
    command = [sys.executable, "-m", "bench.cold_start", "peak" if peak else "light"]
    environment = os.environ | {"TRAINER_ARCHIVE": use_archive}
    return float(subprocess.check_output(command, env=environment, text=True))


def main() -> None:
    """Measure all ways in turn and print seconds and ratios."""
    if not quick_start.path().exists():
        quick_start.make()
    seconds = {way: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way, settings in WAYS.items():
            seconds[way].append(measure(*settings))
    table = Table("", "median s", "fastest", "slowest", "times as fast")
    plain = statistics.median(seconds["plain"])
    for way, taken in seconds.items():
        median = statistics.median(taken)
        cells = (median, min(taken), max(taken), plain / median)
        table.add_row(way, *(f"{cell:.2f}" for cell in cells))
    Console().print(table)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(first_result(peak=sys.argv[1] == "peak"))
    else:
        main()
