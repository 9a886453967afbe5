"""The machines of a Spark cluster, as the one who grades sees them: so many places to judge at."""

import logging
import re
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from py4j.protocol import Py4JError

from trainer.course import safe_file
from trainer.course.problem import Problem
from trainer.grading.cluster.task import (
    Kit,
    Machine,
    Parcel,
    Returned,
    Unfit,
    judged_there,
    look_around,
)
from trainer.grading.judging.crew import Answer
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Job, Judged
from trainer.grading.pages.explain import Explanations
from trainer.grading.sandbox.sandbox import choose
from trainer.spark.session import cluster_context

if TYPE_CHECKING:
    from pyspark import SparkContext

PORT = 7077
SECONDS_TO_ANSWER = 10
SECONDS_FOR_A_WORKER = 180
# Between two looks at how many there are.
SECONDS_TO_COME = 2
LONGEST_CAUSE = 300
UNFIT = re.compile(rf"{Unfit.__qualname__}: (.+)")
SETTINGS = {
    "spark.app.name": "taxi streams, grading",
    # What takes memory is the judges and their runners, which Spark knows nothing of.
    "spark.executor.memory": "512m",
    # A machine that can't grade is asked no more, and a task that failed there goes elsewhere.
    "spark.excludeOnFailure.enabled": "true",
    # A machine that says nothing for so long is given up.
    "spark.network.timeout": "60s",
    "spark.executor.heartbeatInterval": "5s",
}


@dataclass
class Cluster:
    """A Spark cluster on which submissions are judged, each by a task of its own."""

    master: str
    context: "SparkContext"
    kit: Kit
    # By student, until the verdicts are booked.
    came: dict[str, Returned] = field(default_factory=dict)
    # Somebody was there who judges, when it was looked last.
    manned: bool = False

    @classmethod
    @contextmanager
    def at(cls, master: str, most: int | None) -> Iterator["Cluster"]:
        """Reach a cluster, and let go of it in the end; `most` is how many are judged at a time."""
        _require_an_answer(master)
        bounds = {"spark.cores.max": str(most)} if most else {}
        context = cluster_context(master, SETTINGS | bounds)
        try:
            yield cls(master, context, Kit.here())
        finally:
            context.stop()

    def places(self) -> int:
        """Say how many are judged at a time, with the workers that there are now."""
        places = self.context._jsc.sc().schedulerBackend().totalCoreCount()
        if not places and self.manned:
            what = f"No worker of {self.master} is left; what waits is judged when one comes"
            logging.getLogger(__name__).warning(what)
        self.manned = places > 0
        return places

    def require_there(self, error: Exception) -> None:
        """Stop all if it is not one submission that failed, but the cluster that let go of us."""
        with suppress(Py4JError, OSError, AttributeError):
            if not self.context._jsc.sc().isStopped():
                return
        what = f"The cluster {self.master} let go of this batch ({_cause(error)})"
        raise Problem(f"{what}. What was graded is kept; the same command goes on from there.")

    def level(self, wanted: str | None, require: bool) -> str:
        """Choose the level of the sandbox: the best that all machines have, or what was asked."""
        machines = self._machines()
        for each in machines:
            if each.lacks:
                raise Problem(
                    f"{each.name} has {each.lacks}: a grade from there would be another than from "
                    "here. Set up the same kit on all machines."
                )
        return choose(wanted, require, partial(_hindrance, machines))

    def _machines(self) -> list[Machine]:
        """Wait for the first workers, and look at the machines they are on."""
        places = self._settled()
        look = partial(_look_around, kit=self.kit)
        # At all places at once: so none is left out.
        looking = self.context.range(places, numSlices=places).barrier().mapPartitions(look)
        try:
            return sorted(looking.collect(), key=lambda each: each.name)
        except (Py4JError, OSError) as error:
            raise Problem(
                f"The workers of {self.master} could not be looked at ({_cause(error)})."
            ) from None

    def _settled(self) -> int:
        """Wait until workers are there, and no more come for a moment; give their places."""
        until, before = time.monotonic() + SECONDS_FOR_A_WORKER, 0
        while not (now := self.places()) or now != before:
            if not now and time.monotonic() > until:
                raise Problem(
                    f"No worker of {self.master} had room within {SECONDS_FOR_A_WORKER} s. Its web "
                    "page (port 8080) shows the workers, and what they do."
                )
            before = now
            time.sleep(SECONDS_TO_COME)
        return now

    def hire(self) -> "Place":
        """Give one who judges: a worker of the cluster takes what it is asked."""
        return Place(self)

    def explainer(self, pictures: Path) -> "Delivered":
        """Give what the workers found, who explain what they judge."""
        return Delivered(self, pictures)


class Delivered:
    """Explanations that came with the verdicts."""

    def __init__(self, cluster: Cluster, pictures: Path) -> None:
        """Put pictures into a folder."""
        self.cluster, self.pictures = cluster, pictures

    def explain_all(self, job: Job, answer: Mapping[str, Judged]) -> Explanations:
        """Give those of one student, once."""
        came = self.cluster.came.pop(job.submission.student, Returned(answer))
        for name, drawn in came.pictures.items():
            safe_file.write(self.pictures / name, drawn)
        return came.explanations

    def close(self) -> None:
        """Nothing goes on."""


class Place:
    """Has submissions judged by whichever worker is free: to die costs it time, and no grade."""

    def __init__(self, cluster: Cluster) -> None:
        """Be one of many."""
        self.cluster = cluster

    def asked(self, job: Job) -> Answer:
        """Have one judged; whatever comes of it."""
        parcel = Parcel.of(job, self.cluster.kit)
        task = self.cluster.context.range(1, numSlices=1).map(lambda _: judged_there(parcel))
        try:
            (came,) = task.collect()
        except (Py4JError, OSError) as error:
            self.cluster.require_there(error)
            return _failure(error)
        if came.explanations:
            self.cluster.came[job.submission.student] = came
        return came.answer

    def dismiss(self) -> None:
        """End what is going on, wherever."""
        self.cluster.context.cancelAllJobs()


def _look_around(_: Iterator[int], kit: Kit) -> Iterator[Machine]:
    """Look at a machine, once for all the places on it."""
    from pyspark import BarrierTaskContext

    task = BarrierTaskContext.get()
    hosts = [each.address.split(":")[0] for each in task.getTaskInfos()]
    own = task.partitionId()
    if hosts.index(hosts[own]) == own:
        yield look_around(kit)


def _hindrance(machines: Sequence[Machine], level: str) -> str:
    return next((f"{why}, on {m.name}" for m in machines if (why := m.hindrances[level])), "")


def _failure(error: Exception) -> GraderFailed:
    """Turn Spark's words into a failure: a machine that would not, or workers that died of it."""
    if found := UNFIT.search(str(error)):
        return GraderFailed(found[1])
    return GraderStuck(f"no worker came to its end with it: {_cause(error)}")


def _cause(error: Exception) -> str:
    """Give what is at the root of Spark's pages: the line that says why."""
    lines = [line.strip() for line in str(error).splitlines()]
    reasons = [line for line in lines if line and not line.startswith(("at ", "Driver stack"))]
    return next((each for each in reasons if "Reason:" in each), reasons[-1])[:LONGEST_CAUSE]


def _require_an_answer(master: str) -> None:
    """Refuse at once what is no cluster, or none that answers: Spark would try for a minute."""
    parts = urlsplit(master)
    hosts = parts.netloc.split(",")
    if parts.scheme != "spark" or not parts.netloc:
        raise Problem(f"--on {master}: expected a Spark cluster's address, as spark://host:{PORT}.")
    for each in hosts:
        host, _, port = each.partition(":")
        with suppress(OSError, ValueError):
            number = int(port or PORT)
            socket.create_connection((host, number), SECONDS_TO_ANSWER).close()
            return
    raise Problem(f"--on {master}: nothing answers there. Is the cluster's master running?")
