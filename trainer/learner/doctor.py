"""What can go wrong on a machine, looked at one by one."""

import contextlib
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement

from trainer.course.clone import EXERCISES, ROOT
from trainer.course.problem import Problem
from trainer.spark import java, quick_start

ROWS_OF_THE_REHEARSAL = "16"
GIGABYTE = 1e9
PORTS = {"JupyterLab": 8888, "Spark's page": 4040}


@dataclass(frozen=True)
class Finding:
    """What one check found. A note is something a learner can work with; a failure is not."""

    verdict: Literal["ok", "note", "fail"]
    says: str
    # The same for whoever sets up a class: without a path in it.
    brief: str = ""


def python() -> Finding:
    """The Python that runs the kit, against those that PySpark says it knows."""
    found = f"Python {platform.python_version()} on {platform.system()} ({sys.executable})"
    brief = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    classifiers = metadata.metadata("pyspark").get_all("Classifier")
    known = re.findall(r"Python :: (3\.\d+)", " ".join(classifiers))
    if f"3.{sys.version_info.minor}" not in known:
        return Finding("note", f"{found}; PySpark was made for {', '.join(known)}.", brief)
    return Finding("ok", found, brief)


def packages() -> Finding:
    """The packages the kit was tested with, in the versions it was tested with."""
    wanted = [Requirement(line) for line in metadata.requires("taxi-streams") or []]
    wrong = [
        f"{each.name} {_version(each.name) or 'is missing'} (expected {each.specifier})"
        for each in wanted
        if not each.specifier.contains(_version(each.name) or "0")
    ]
    if wrong:
        return Finding("fail", f"{', '.join(wrong)}. Run `uv sync`, which puts that right.")
    spark = _version("pyspark")
    return Finding("ok", f"{len(wanted)} packages as tested, PySpark {spark} among them")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def java_found() -> Finding:
    """The Java that Spark will run on."""
    choice = java.choose()
    brief = f"Java {choice.java.build}"
    found = f"{brief} from {choice.java.origin}"
    if choice.passed_over:
        return Finding("note", f"{'; '.join(choice.passed_over)}. Using {found} instead.", brief)
    return Finding("ok", found, brief)


def memory() -> Finding:
    """Memory for a Java and its Python workers."""
    import psutil

    free = psutil.virtual_memory().available / GIGABYTE
    if free < 2:
        return Finding(
            "fail", f"{free:.1f} GB of memory free, expected 2 GB: close something large."
        )
    return Finding("ok", f"{free:.1f} GB free", f"memory {free:.1f} GB")


def disk() -> Finding:
    """Room for state, checkpoints and the quick-start archive."""
    free = shutil.disk_usage(tempfile.gettempdir()).free / GIGABYTE
    if free < 1:
        return Finding("fail", f"{free:.1f} GB free in {tempfile.gettempdir()}, expected 1 GB.")
    return Finding("ok", f"{free:.0f} GB free in {tempfile.gettempdir()}", f"disk {free:.0f} GB")


def folders() -> Finding:
    """The folders that a learner's work and Spark's checkpoints go to."""
    shut = [str(path) for path in (EXERCISES, Path(tempfile.gettempdir())) if not _writable(path)]
    if shut:
        return Finding(
            "fail", f"can't write in {' and '.join(shut)}: clone the kit where you can write."
        )
    return Finding("ok", f"{EXERCISES.relative_to(ROOT)}/ and {tempfile.gettempdir()} writable")


def _writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def spark() -> Finding:
    """A streaming query with windows, and one with a stateful processor that runs in Python."""
    began = time.monotonic()
    rehearsal = _rehearse_and_keep_the_classes()
    if rehearsal.stdout.strip() != ROWS_OF_THE_REHEARSAL:
        return Finding("fail", f"a first streaming query failed: {_last_line(rehearsal)}")
    took = time.monotonic() - began
    says = f"started, ran two stateful streaming queries and stopped in {took:.0f} s"
    return Finding("ok", says, f"Spark {took:.0f} s")


def _rehearse_and_keep_the_classes() -> subprocess.CompletedProcess[str]:
    if not quick_start.path().exists():
        with contextlib.suppress(OSError):
            return quick_start.make()
    return quick_start.rehearse()


def quick_start_found() -> Finding:
    """The archive that halves Spark's start, made by the check before where there was none."""
    file = quick_start.path()
    if file.exists():
        return Finding("ok", f"archive of {file.stat().st_size / 1e6:.0f} MB in {file.parent}")
    if not _writable(file.parent):
        remedy = "Set TRAINER_CACHE to a folder where you can write"
        return Finding("note", f"can't write in {file.parent}: Spark starts slowly. {remedy}.")
    return Finding("note", "this Java makes no archive: Spark starts slowly, all else is the same.")


def _last_line(process: subprocess.CompletedProcess[str]) -> str:
    """Give the line of a traceback that says what happened, less the exception's module."""
    lines = [
        line
        for line in process.stderr.splitlines()
        if re.match(r"[\w.]+(Error|Exception|Problem)\b", line)
    ]
    said = (lines or process.stderr.strip().splitlines() or ["it said nothing"])[-1]
    return re.sub(r"^([\w]+\.)+", "", said)


def ports() -> Finding:
    """The ports that JupyterLab and Spark's own page like best."""
    taken = [port for port in PORTS.values() if not _free(port)]
    if taken:
        return Finding(
            "note",
            f"port {' and '.join(map(str, taken))} taken: JupyterLab and Spark's page take the "
            "next free one and print it.",
        )
    wanted = [f"{port} ({name})" for name, port in PORTS.items()]
    return Finding("ok", f"{' and '.join(wanted)} free")


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def sandbox() -> Finding:
    """Bubblewrap, which only those who grade other people's answers need."""
    program = shutil.which("bwrap")
    if not program:
        return Finding(
            "note",
            "no bubblewrap; only grading wants it (`apt install bubblewrap libseccomp2` on Linux).",
        )
    trial = [program, "--ro-bind", "/", "/", "--unshare-net", "--unshare-pid"]
    trial += [sys.executable, "-c", ""]
    tried = subprocess.run(trial, capture_output=True, text=True)
    if tried.returncode:
        return Finding(
            "note", f"bubblewrap can't work here ({tried.stderr.strip()}); only grading wants it."
        )
    return Finding("ok", "bubblewrap works (for grading)")


CHECKS: dict[str, Callable[[], Finding]] = {
    "Python": python,
    "packages": packages,
    "Java": java_found,
    "memory": memory,
    "disk": disk,
    "folders": folders,
    "Spark": spark,
    "quick start": quick_start_found,
    "ports": ports,
    "sandbox": sandbox,
}


def examine(starting: Callable[[str], object] = lambda name: None) -> Iterator[tuple[str, Finding]]:
    """Run every check in turn; `starting` is told which one comes next."""
    for name, check in CHECKS.items():
        starting(name)
        try:
            yield name, check()
        except Problem as problem:
            yield name, Finding("fail", str(problem))
        except Exception as error:
            yield name, Finding("fail", f"this check broke, please report it: {error!r}")
