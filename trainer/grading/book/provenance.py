"""What a grade rests on: hashes of graders and kit, versions, the seed of each student."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise
from trainer.spark import java

PACKAGES = ("taxi-streams", "pyspark", "pyarrow", "pytest")


def seed_for(secret: str, student: str) -> int:
    """Derive a student's seed from the secret one, which it does not give away."""
    return int.from_bytes(hashlib.sha256(f"{secret}\0{student}".encode()).digest()[:6])


def grader_hash(exercise: Exercise, extra: Path | None) -> str:
    """Hash all that decides on an exercise, and all that explains its verdicts."""
    files = [exercise.grader, exercise.issued, exercise.solution, exercise.misconceptions]
    return _hash_of([*files, extra] if extra else files)


def kit_hash() -> str:
    """Hash the machinery."""
    return _hash_of(sorted(f for name in ("trainer", "datagen") for f in _sources(ROOT / name)))


def versions() -> dict[str, str]:
    """Name the versions that matter."""
    packages = {name: version(name) for name in PACKAGES}
    return packages | {"python": platform.python_version(), "java": java.choose().java.build}


def key(parts: Mapping[str, object]) -> str:
    """Hash what a grade depends on: as long as it stays the same, so does the grade."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _sources(folder: Path) -> Iterable[Path]:
    # Stubs as issued are hashed with their own exercise.
    return (file for file in folder.rglob("*.py") if file.parent.name != "issued")


def _hash_of(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        text = file.read_bytes() if file.exists() else b""
        found.update(f"{file.name} {len(text)}\n".encode() + text)
    return found.hexdigest()[:16]
