"""A class-data-sharing archive: the classes Spark loads, kept, so that the next start is quick."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import distribution, version
from pathlib import Path

import platformdirs

from trainer.spark import java

KEPT = 3
SILENT = ("-Xshare:auto", "-Xlog:disable", "-Xlog:all=off")


def folder() -> Path:
    """Name the cache folder that holds the archives."""
    return Path(os.environ.get("TRAINER_CACHE") or platformdirs.user_cache_dir("taxi-streams"))


def path() -> Path:
    """Name the archive that fits this Java, this Spark, and the places where they lie."""
    chosen = java.choose().java
    spark = version("pyspark")
    # As it is installed: a task of Spark's finds another copy of its Python first, in a zip.
    installed = distribution("pyspark").locate_file("pyspark/__init__.py")
    places = f"{chosen.program} {installed}"
    key = hashlib.sha256(places.encode()).hexdigest()[:8]
    return folder() / f"spark-{spark}-java-{chosen.build}-{key}.jsa"


def base() -> Path:
    """Name the archive that ours builds on, for a Java cut to size, which comes without one."""
    return path().with_suffix(".base")


def options() -> list[str]:
    """Give the JVM options that use the archive; none where it can't be used.

    TRAINER_ARCHIVE=off does without; TRAINER_ARCHIVE=make:FILE writes one when the JVM ends.
    """
    wanted = os.environ.get("TRAINER_ARCHIVE", "on")
    found = [str(file) for file in (base(), path()) if os.access(file, os.R_OK)]
    if wanted.startswith("make:"):
        below = [f"-XX:SharedArchiveFile={base()}"] if base().exists() else []
        return [*SILENT, *below, f"-XX:ArchiveClassesAtExit={wanted.removeprefix('make:')}"]
    if wanted == "off" or str(path()) not in found:
        return []
    return [*SILENT, f"-XX:SharedArchiveFile={os.pathsep.join(found)}"]


def rehearse(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run the rehearsal, a short lesson, in a process and a JVM of its own."""
    return subprocess.run(
        [sys.executable, "-m", "trainer.running.rehearsal"],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def make() -> subprocess.CompletedProcess[str]:
    """Make the archive that fits, out of a rehearsal; OSError where the folder can't be written."""
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="making-") as scratch:
        draft = Path(scratch, "draft.jsa")
        _make_base()
        rehearsal = rehearse(TRAINER_ARCHIVE=f"make:{draft}")
        if draft.exists():
            draft.replace(target)
            _forget_the_oldest()
    return rehearsal


def _make_base() -> None:
    program = java.choose().java.program.resolve()
    if not any(program.parents[1].glob("lib/**/classes*.jsa")) and not base().exists():
        dump = [program, "-Xshare:dump", f"-XX:SharedArchiveFile={base()}", "-Xlog:disable"]
        subprocess.run(dump, capture_output=True)


def _forget_the_oldest() -> None:
    """Each is almost 200 MB; old clones leave theirs behind, and a run cut short its draft."""
    newest_first = sorted(folder().glob("spark-*.jsa"), key=lambda file: -file.stat().st_mtime)
    for old in newest_first[KEPT:]:
        old.unlink(missing_ok=True)
        old.with_suffix(".base").unlink(missing_ok=True)
    for draft in folder().glob("making-*"):
        if time.time() - draft.stat().st_mtime > 3600:
            shutil.rmtree(draft, ignore_errors=True)


def make_in_the_background() -> None:
    """Make the archive, where there is none that fits, while the learner does something else."""
    if not path().exists():
        subprocess.Popen(
            [sys.executable, "-m", "trainer.spark.quick_start"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


if __name__ == "__main__":
    make()
