"""A Spark cluster for tests: its master and its workers are processes of this machine."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from trainer.grading.cluster import machine

PATIENCE = 120
HERE = "127.0.0.1"
Command = tuple[list[str], dict[str, str]]


@contextmanager
def _daemon(log: Path, command: Command) -> Iterator[subprocess.Popen]:
    """Run a master or a worker."""
    arguments, environment = command
    environment = environment | {"SPARK_LOCAL_IP": HERE}
    with log.open("w") as output:
        process = subprocess.Popen(
            arguments, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def wait_for(log: Path, pattern: str) -> re.Match:
    """Wait until a daemon has said something."""
    until = time.monotonic() + PATIENCE
    while not (found := re.search(pattern, log.read_text())):
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)
    return found


@contextmanager
def cluster_of(workers: int, place: Path) -> Iterator[str]:
    """Start a master and so many workers of one place each; give the master's address."""
    with ExitStack() as daemons:
        log = place / "master.log"
        daemons.enter_context(_daemon(log, machine.master(HERE, 0, 0)))
        address = wait_for(log, r"Starting Spark master at (spark://\S+)")[1]
        for number in range(workers):
            log, work = place / f"worker{number}.log", place / f"work{number}"
            daemons.enter_context(_daemon(log, machine.worker(address, 1, HERE, work)))
            wait_for(log, "Successfully registered with master")
        yield address
