"""The kit as it goes into a bundle: as committed, nothing of the instructor's in it."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.exercise import exercises
from trainer.course.git import git, holds, names

# What a clone gathers and nobody else should get, where there is no git to ask.
OWN = {".git", ".venv", ".class", "mine", "uv.lock", "jars", ".bundle.json"}
MADE = {"__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".ruff_cache", ".hypothesis"}
ISSUED = ROOT / "trainer" / "course" / "issued"


def is_a_clone() -> bool:
    """Say whether git knows what of this folder is the course's."""
    return (ROOT / ".git").exists() and holds("rev-parse", "HEAD")


def state() -> str:
    """Say which state of the course goes into the bundle."""
    if not is_a_clone():
        return "as it lies here (this folder is no clone)"
    changed = names("diff", "--name-only", "HEAD")
    left = f"; {len(changed)} files changed here since are not in it" if changed else ""
    return f"as committed ({git('rev-parse', '--short', 'HEAD').strip()}){left}"


def write(archive: Path) -> None:
    """Write the kit, its exercises as they were issued."""
    stubs = {each.stub.relative_to(ROOT).as_posix(): each.stem for each in exercises()}
    with tarfile.open(archive, "w:gz", compresslevel=6) as out:
        for entry, data in _committed() if is_a_clone() else _lying_here():
            if stem := stubs.get(entry.name):
                data = (ISSUED / f"{stem}.py").read_bytes()
                entry.size = len(data)
            out.addfile(entry, io.BytesIO(data))


def _committed() -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    text = git("archive", "--format=tar", "HEAD")
    packed = io.BytesIO(text.encode("utf-8", "surrogateescape"))
    with tarfile.open(fileobj=packed) as committed:
        for entry in committed:
            if entry.isfile():
                yield entry, committed.extractfile(entry).read()


def _lying_here() -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    for path in sorted(ROOT.rglob("*")):
        place = path.relative_to(ROOT)
        mine = place.parts[0] in OWN or place.name.startswith("progress.json")
        if path.is_file() and not mine and not MADE & {*place.parts}:
            entry = tarfile.TarInfo(place.as_posix())
            entry.size = path.stat().st_size
            entry.mode = path.stat().st_mode & 0o777
            yield entry, path.read_bytes()
