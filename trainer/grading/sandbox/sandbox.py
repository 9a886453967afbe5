"""Where a submission runs: shut in as well as this machine allows."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psutil

from trainer.course.problem import Problem
from trainer.grading.sandbox import bubblewrap, launch, throwaway_users
from trainer.grading.sandbox.family import Family
from trainer.grading.sandbox.limits import ControlGroup, Limits
from trainer.spark import quick_start

# From the best to none.
LEVELS = ("bubblewrap+cgroup", "bubblewrap", "user", "none")
RUNNER = (sys.executable, "-P", "-s", "-m", "trainer.grading.judging.runner")
LAUNCHER = (sys.executable, "-I", "-S", launch.__file__)
LOOK_EVERY = 0.5
SECONDS_FOR_A_TRIAL = 60


def best() -> str:
    """Name the best level that works on this machine: `none`, if nothing shuts submissions in."""
    return next((level for level in LEVELS[:-1] if works(level)), "none")


@cache
def works(level: str) -> bool:
    """Tell whether a program comes to its end at this level, here and now."""
    with tempfile.TemporaryDirectory(prefix="trial-") as empty:
        sandbox = Sandbox(level, Path(empty), program=(sys.executable, "-I", "-S", "-c", ""))
        try:
            process = sandbox.start()
        except OSError:
            return False
        try:
            return process.wait(SECONDS_FOR_A_TRIAL) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            sandbox.end(process)


def choose(wanted: str | None, require: bool) -> str:
    """Choose the level: the best there is, or the one that was asked for."""
    if wanted not in (None, *LEVELS):
        raise Problem(f"No sandbox level {wanted!r}; there are {', '.join(LEVELS)}.")
    level = wanted or best()
    if require and level != LEVELS[0]:
        raise Problem(
            f"--require-sandbox wants {LEVELS[0]}; here it is {level}. Install bubblewrap, and run "
            "where control groups can be written (as root, or in a delegated group)."
        )
    nothing_works = level == "none" and not wanted
    if _as_root() and (level == "user" or nothing_works):
        throwaway_users.require_entry()
    if nothing_works or not works(level):
        raise _does_not_work(wanted)
    return level


def _does_not_work(wanted: str | None) -> Problem:
    what = f"Sandbox level {wanted} does not work" if wanted else "No sandbox works"
    return Problem(
        f"{what} here. Install bubblewrap (`apt install bubblewrap`), and run where it may "
        "make name spaces; or run as another user than root, where root may not become another. "
        "--sandbox none is for answers that you trust."
    )


def require_secrecy(level: str, secret: Sequence[Path]) -> None:
    """Refuse secret places that submissions would see, before the first is started."""
    if level.startswith("bubblewrap"):
        bubblewrap.bubblewrap(Path("/"), Limits(), secret)


def _as_root() -> bool:
    return os.geteuid() == 0


@dataclass
class Sandbox:
    """Starts runners for one submission at one level, watches over them, ends them.

    `secret` are places that no submission may see, besides the kit.
    """

    level: str
    submission: Path
    limits: Limits = field(default_factory=Limits)
    program: tuple[str, ...] = RUNNER
    secret: tuple[Path, ...] = ()

    def start(self) -> subprocess.Popen:
        """Start a runner; its standard input and output lead to the judge."""
        shut_in = self.level.startswith("bubblewrap")
        group = self._group()
        stranger = throwaway_users.next_uid() if self.level == "user" and _as_root() else None
        scratch = None if shut_in else Path(tempfile.mkdtemp(prefix="taxi-streams-"))
        try:
            if scratch:
                self._furnish(scratch, stranger)
            process = subprocess.Popen(
                [*LAUNCHER, self._bounds(group, stranger), *self._command(scratch)],
                env=_environment(scratch or Path("/tmp")),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd=scratch or "/",
            )
        except BaseException:
            _tidy(group, scratch, stranger)
            raise
        process.group, process.scratch, process.stranger = group, scratch, stranger
        process.family = Family(process)
        if not group:
            threading.Thread(target=self._watch, args=(process,), daemon=True).start()
        return process

    def end(self, process: subprocess.Popen) -> None:
        """End a runner with everything it started, and leave nothing of it."""
        process.family.end()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        _tidy(process.group, process.scratch, process.stranger)

    def _group(self) -> ControlGroup | None:
        if self.level != LEVELS[0]:
            return None
        return ControlGroup(f"trainer-{os.getpid()}-{time.monotonic_ns()}", self.limits)

    def _furnish(self, scratch: Path, stranger: int | None) -> None:
        """Make it a runner's home, with a copy of the answers: what it may write to is its own."""
        shutil.copytree(self.submission, scratch / "submission", symlinks=True)
        if stranger:
            throwaway_users.give(scratch, stranger)

    def _bounds(self, group: ControlGroup | None, stranger: int | None) -> str:
        """What binds a runner, for the program that becomes it."""
        limits = {"RLIMIT_CORE": 0}
        if self.level == "user":
            limits["RLIMIT_FSIZE"] = self.limits.disk
        if stranger:
            # Counted for each user; this one has nothing else.
            limits["RLIMIT_NPROC"] = self.limits.processes
        bounds = {"groups": [str(door) for door in group.doors] if group else [], "limits": limits}
        return json.dumps(bounds | {"stranger": stranger, "judge": os.getpid()})

    def _command(self, scratch: Path | None) -> list[str]:
        if scratch is None:
            shut_in = bubblewrap.bubblewrap(self.submission, self.limits, self.secret)
            return [*shut_in, *self.program, "/submission"]
        return [*self.program, str(scratch / "submission")]

    def _watch(self, process: subprocess.Popen) -> None:
        """End a runner that takes more memory, disk or processes than it may."""
        while process.family.lives():
            memory = threads = 0
            for each in process.family.members():
                with contextlib.suppress(psutil.Error):
                    memory += each.memory_info().rss
                    threads += each.num_threads()
            disk = _size(process.scratch) if process.scratch else 0
            much = (self.limits.memory, self.limits.processes, self.limits.disk)
            if any(used > most for used, most in zip((memory, threads, disk), much, strict=True)):
                process.family.kill()
            time.sleep(LOOK_EVERY)


def _tidy(group: ControlGroup | None, scratch: Path | None, stranger: int | None) -> None:
    if group:
        group.remove()
    if stranger:
        throwaway_users.end(stranger)
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            size += path.lstat().st_blocks * 512
    return size


def _environment(home: Path) -> dict[str, str]:
    """What a runner is told of its surroundings: where Java and the archive are, no more."""
    kept = ("PATH", "JAVA_HOME", "LANG", "TRAINER_ARCHIVE", "XDG_CACHE_HOME")
    given = {name: os.environ[name] for name in kept if name in os.environ}
    return {
        **given,
        "TRAINER_CACHE": str(quick_start.folder().resolve()),
        "HOME": str(home),
        "TMPDIR": str(home),
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
    }
