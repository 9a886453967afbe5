"""How a batch is graded: its settings, kept beside the grades so that each can be replayed."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

from trainer.course import safe_file
from trainer.course.exercise import Exercise, exercises, find
from trainer.course.problem import Problem
from trainer.grading.book import provenance
from trainer.grading.book.catalogue import Listed, catalogue, extra_grader
from trainer.grading.book.shape import shaped
from trainer.grading.intake.collect import Submission
from trainer.grading.sandbox.limits import Limits

FILE = "batch.json"


@dataclass(frozen=True)
class Settings:
    """What was asked for: who is graded, on what, by which rules."""

    submissions: str
    exercises: tuple[str, ...] = ()
    seed: str = ""
    tests: str | None = None
    timeout: float = 300
    memory: int = Limits.memory
    sandbox: str = "none"
    weights: str | None = None
    partial: bool = False
    feedback: str = "public"
    formats: tuple[str, ...] = ("csv", "json")
    roster: str | None = None
    comments: str | None = None

    def save(self, folder: Path) -> None:
        """Write them where the grades are; the seed is nobody else's business."""
        text = json.dumps(asdict(self), indent=1) + "\n"
        safe_file.write(folder / FILE, text, mode=0o600)


def settings_in(folder: Path) -> Settings:
    """Read the settings of a batch."""
    file = folder / FILE
    if not file.exists():
        raise Problem(f"No batch was graded into {folder}: there is no {FILE} in it.")
    try:
        return shaped(json.loads(file.read_text(encoding="utf-8")), Settings)
    except (OSError, ValueError, RecursionError) as error:
        raise Problem(
            f"{file} can't be read ({error}). It holds a batch's settings and its seed: put a copy "
            "of it back; or delete it and grade again, with --seed if you know the seed, or else "
            "all are graded anew."
        ) from None


def seed_in(folder: Path) -> str:
    """Give the seed of an earlier batch, or draw one."""
    exists = (folder / FILE).exists()
    return (settings_in(folder).seed if exists else "") or secrets.token_hex(8)


@dataclass(frozen=True)
class Terms:
    """Settings, and what follows from them and from the graders as they are now."""

    settings: Settings
    limits: Limits = field(default_factory=Limits)
    outs: tuple[Path, ...] = ()

    @property
    def secret(self) -> tuple[Path, ...]:
        """Places that no submission may see: others' answers, an instructor's tests, the grades."""
        own = self.settings
        given = (own.submissions, own.tests, own.weights, own.roster, own.comments)
        return (*(Path(place) for place in given if place), *self.outs)

    @cached_property
    def exercises(self) -> Sequence[Exercise]:
        """The exercises that are graded, in the order of the course."""
        return sorted({find(name) for name in self.settings.exercises}) or exercises()

    @cached_property
    def tests(self) -> Path | None:
        """The folder of an instructor's own graders."""
        return Path(self.settings.tests) if self.settings.tests else None

    @cached_property
    def extra(self) -> dict[str, Path]:
        """An instructor's own graders, by exercise."""
        found = {each.stem: extra_grader(self.tests, each) for each in self.exercises}
        return {stem: file for stem, file in found.items() if file}

    @cached_property
    def checks(self) -> dict[str, list[Listed]]:
        """All checks, by exercise."""
        return catalogue(self.exercises, self.tests)

    @cached_property
    def hidden(self) -> dict[str, frozenset[str]]:
        """The checks whose rows no student may see, by exercise."""
        return {
            stem: frozenset(check.name for check in checks if check.extra or check.seeded)
            for stem, checks in self.checks.items()
        }

    @cached_property
    def provenance(self) -> dict[str, object]:
        """What all grades of this batch rest on."""
        graders = {
            each.stem: provenance.grader_hash(each, self.extra.get(each.stem))
            for each in self.exercises
        }
        return {
            "graders": graders,
            "kit": provenance.kit_hash(),
            "versions": provenance.versions(),
            "seconds": self.settings.timeout,
            "memory": self.settings.memory,
            "sandbox": self.settings.sandbox,
        }

    def seed_for(self, student: str) -> int:
        """Give a student's own seed."""
        return provenance.seed_for(self.settings.seed, student)

    def provenance_of(self, submission: Submission) -> dict[str, object]:
        """Give all that one student's grade rests on."""
        return {"submission": submission.digest, **self.provenance}

    def key_of(self, submission: Submission) -> str:
        """Name a grade by what it rests on."""
        parts = self.provenance_of(submission) | {"seed": self.seed_for(submission.student)}
        return provenance.key(parts)


def terms(settings: Settings, *outs: Path | None) -> Terms:
    """Set the terms; `outs` are the folders with the grades of this batch and of earlier ones."""
    limits = replace(Limits(), memory=settings.memory)
    return Terms(settings, limits, tuple(out.resolve() for out in outs if out))
