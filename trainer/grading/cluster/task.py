"""What happens on a machine of the cluster: a submission is judged there as it would be here."""

import os
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from trainer.grading.book import provenance
from trainer.grading.judging.crew import Answer, Process
from trainer.grading.judging.worker import GraderFailed, Job, Judged
from trainer.grading.pages.explain import Explainer, Explanations
from trainer.grading.sandbox import sandbox


class Unfit(Exception):
    """A machine that would not grade as the others do."""


@dataclass(frozen=True)
class Kit:
    """What a grade rests on that a machine brings."""

    kit: str
    versions: Mapping[str, str]

    @classmethod
    def here(cls) -> "Kit":
        """Look at this machine."""
        return cls(provenance.kit_hash(), provenance.versions())

    def lacks(self, wanted: "Kit") -> str:
        """Say what is another here than there; nothing if all is the same."""
        if self.kit != wanted.kit:
            return "another version of the kit"
        differ = (name for name in wanted.versions if self.versions[name] != wanted.versions[name])
        return next((f"{n} {self.versions[n]}, not {wanted.versions[n]}" for n in differ), "")


@dataclass(frozen=True)
class Machine:
    """A machine of the cluster: what it would grade with, and what hinders each sandbox there."""

    name: str
    lacks: str
    hindrances: Mapping[str, str]


@dataclass(frozen=True)
class Parcel:
    """A job as it travels: with the texts of an instructor's own tests, and not their places."""

    job: Job
    tests: Mapping[str, tuple[str, bytes]]
    kit: Kit

    @classmethod
    def of(cls, job: Job, kit: Kit) -> "Parcel":
        """Pack a job."""
        texts = {
            # Their checks are known by the folder's name, and by the file's.
            stem: (f"{file.parent.name}/{file.name}", file.read_bytes())
            for stem, file in job.extra.items()
        }
        return cls(job, texts, kit)


def look_around(kit: Kit) -> Machine:
    """Tell what this machine has."""
    hindrances = {level: sandbox.hindrance(level) for level in sandbox.LEVELS}
    return Machine(socket.gethostname(), Kit.here().lacks(kit), hindrances)


@dataclass(frozen=True)
class Returned:
    """What comes back: verdicts, what explains those that are wrong, and the pictures for it."""

    answer: Answer
    explanations: Explanations = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def judged_there(parcel: Parcel) -> Returned:
    """Judge a submission on this machine, in a process that stays for those that follow."""
    lacks = _seen(parcel.job.level).lacks(parcel.kit)
    if lacks:
        # Raised, not given back: so Spark asks another machine, and in the end this one no more.
        raise Unfit(f"{socket.gethostname()} has {lacks}")
    with tempfile.TemporaryDirectory(prefix="tests-") as folder:
        extra = {}
        for stem, (name, text) in parcel.tests.items():
            extra[stem] = Path(folder, name)
            extra[stem].parent.mkdir(exist_ok=True)
            extra[stem].write_bytes(text)
        job = replace(parcel.job, extra=extra, secret=(*parcel.job.secret, *_of_spark()))
        return _explained(job, _judge().asked(job))


def _explained(job: Job, answer: Answer) -> Returned:
    """Explain here what is wrong: the one who keeps the grades has enough to do with a thousand."""
    if isinstance(answer, GraderFailed):
        return Returned(answer)
    explainer, pictures = _explainer()
    found = {stem: each for stem, each in explainer.explain_all(job, answer).items() if each}
    drawn = {}
    for file in pictures.iterdir():
        drawn[file.name] = file.read_bytes()
        file.unlink()
    return Returned({stem: _slim(each) for stem, each in answer.items()}, found, drawn)


def _slim(judged: Judged) -> Judged:
    """Leave out the rows, by which a verdict is explained: nobody looks at them any more."""
    checks = tuple(replace(check, runs=()) for check in judged.verdict.checks)
    return replace(judged, verdict=replace(judged.verdict, checks=checks))


@cache
def _seen(level: str) -> Kit:
    """Look at this machine once, and see to it that submissions can be shut in as they must be."""
    if why := sandbox.hindrance(level):
        raise Unfit(f"{socket.gethostname()} has no sandbox {level} ({why})")
    return Kit.here()


@cache
def _judge() -> Process:
    return Process()


@cache
def _explainer() -> tuple[Explainer, Path]:
    # Spark clears its own folders when all is graded, however this process ends.
    pictures = Path(tempfile.mkdtemp(prefix="pictures-", dir=_local_folders()[0]))
    return Explainer(pictures), pictures


def _local_folders() -> list[Path]:
    folders = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return [Path(folder) for folder in folders if folder] or [Path(tempfile.gettempdir())]


def _of_spark() -> list[Path]:
    """Name where Spark keeps what it logs and ships on this machine."""
    return [Path.cwd(), *_local_folders()]
