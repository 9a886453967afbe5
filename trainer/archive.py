"""A class-data-sharing archive: the JVM's loaded classes, kept, so that the next start is quick."""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs
import pyspark

from trainer import java

SILENT = ("-Xshare:auto", "-Xlog:disable", "-Xlog:all=off")


def folder() -> Path:
    """Name the cache folder that holds the archives."""
    return Path(os.environ.get("TRAINER_CACHE") or platformdirs.user_cache_dir("taxi-streams"))


def path() -> Path:
    """Name the archive that fits this Java, this Spark, and the place where Spark lies."""
    build = java.choose().java.build
    home = Path(pyspark.__file__).parent
    place = hashlib.sha256(f"{java.choose().java.program}{home}".encode()).hexdigest()[:8]
    return folder() / f"spark-{pyspark.__version__}-java-{build}-{place}.jsa"


def options() -> list[str]:
    """Give the JVM options that use the archive; none where it can't be used."""
    wanted = os.environ.get("TRAINER_ARCHIVE", "on")
    if wanted.startswith("make:"):
        return [*SILENT, f"-XX:ArchiveClassesAtExit={wanted.removeprefix('make:')}"]
    archive = path()
    usable = wanted != "off" and archive.is_file() and os.access(archive, os.R_OK)
    return [*SILENT, f"-XX:SharedArchiveFile={archive}"] if usable else []


def make() -> Path:
    """Make the archive by running a rehearsal in a JVM of its own; replaces one that is there."""
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        draft = Path(scratch, "draft.jsa")
        subprocess.run(
            [sys.executable, "-m", "trainer.rehearsal"],
            env=os.environ | {"TRAINER_ARCHIVE": f"make:{draft}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        draft.replace(target)
    return target
