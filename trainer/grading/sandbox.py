"""Where a submission runs: shut in as well as this machine allows."""

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psutil

from trainer import archive
from trainer.grading import limits, strangers, view
from trainer.grading.limits import ControlGroup, Limits
from trainer.problem import Problem

# From the best to none.
LEVELS = ("bubblewrap+cgroup", "bubblewrap", "user", "none")
RUNNER = (sys.executable, "-P", "-s", "-m", "trainer.grading.runner")
LOOK_EVERY = 0.5
# Loaded before any fork: another thread may hold the loader's lock when a runner is forked.
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


@cache
def best() -> str:
    """Name the best level that works on this machine."""
    if _bubblewrap_works():
        return LEVELS[0] if limits.can_be_written() else LEVELS[1]
    return "user"


def _bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    trial = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--uid", "1000"]
    trial += [sys.executable, "-c", ""]
    return subprocess.run(trial, capture_output=True).returncode == 0


def choose(wanted: str | None, require: bool) -> str:
    """Choose the level: the best there is, or the one that was asked for."""
    level = wanted or best()
    if level not in LEVELS:
        raise Problem(f"No sandbox level {level!r}; there are {', '.join(LEVELS)}.")
    if require and level != LEVELS[0]:
        raise Problem(
            f"--require-sandbox wants {LEVELS[0]}; here it is {level}. Install bubblewrap, and run "
            "where control groups can be written (as root, or in a delegated group)."
        )
    if level == "user" and os.geteuid() == 0:
        strangers.require_entry()
    return level


@dataclass
class Sandbox:
    """Starts runners for one submission at one level, watches over them, ends them."""

    level: str
    submission: Path
    limits: Limits = field(default_factory=Limits)
    program: tuple[str, ...] = RUNNER

    def start(self) -> subprocess.Popen:
        """Start a runner; its standard input and output lead to the judge."""
        shut_in = self.level.startswith("bubblewrap")
        group = self._group()
        stranger = strangers.next_uid() if self.level == "user" and os.geteuid() == 0 else None
        scratch = None if shut_in else self._scratch(stranger)
        try:
            process = subprocess.Popen(
                self._command(scratch),
                env=_environment(scratch or Path("/tmp")),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=self._before(group, stranger),
                cwd=scratch or "/",
            )
        except BaseException:
            _tidy(group, scratch, stranger)
            raise
        process.group, process.scratch, process.stranger = group, scratch, stranger
        if not group:
            threading.Thread(target=self._watch, args=(process,), daemon=True).start()
        return process

    def end(self, process: subprocess.Popen) -> None:
        """End a runner with everything it started, and leave nothing of it."""
        _kill(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        _tidy(process.group, process.scratch, process.stranger)

    def _group(self) -> ControlGroup | None:
        if self.level != LEVELS[0]:
            return None
        return ControlGroup(f"trainer-{os.getpid()}-{time.monotonic_ns()}", self.limits)

    def _scratch(self, stranger: int | None) -> Path:
        """Make a runner's home, with a copy of the answers: what it may write to is its own."""
        scratch = Path(tempfile.mkdtemp(prefix="taxi-streams-"))
        shutil.copytree(self.submission, scratch / "submission", symlinks=True)
        if stranger:
            strangers.give(scratch, stranger)
        return scratch

    def _before(self, group: ControlGroup | None, stranger: int | None) -> Callable[[], None]:
        """What the new process does to itself before it becomes the runner."""

        def prepare() -> None:
            if group:
                group.join()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if self.level == "user":
                resource.setrlimit(resource.RLIMIT_FSIZE, (self.limits.disk,) * 2)
            if stranger:
                strangers.become(stranger)
                # Counted for each user; this one has nothing else.
                resource.setrlimit(resource.RLIMIT_NPROC, (self.limits.processes,) * 2)
            # Last: a change of user would undo it.
            if sys.platform == "linux":
                LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        return prepare

    def _command(self, scratch: Path | None) -> list[str]:
        if scratch is None:
            return [*view.bubblewrap(self.submission, self.limits), *self.program, "/submission"]
        return [*self.program, str(scratch / "submission")]

    def _watch(self, process: subprocess.Popen) -> None:
        """End a runner that takes more memory, disk or processes than it may."""
        while process.poll() is None:
            memory = threads = 0
            for each in _family(process):
                with contextlib.suppress(psutil.Error):
                    memory += each.memory_info().rss
                    threads += each.num_threads()
            disk = _size(process.scratch) if process.scratch else 0
            much = (self.limits.memory, self.limits.processes, self.limits.disk)
            if any(used > most for used, most in zip((memory, threads, disk), much, strict=True)):
                _kill(process)
            time.sleep(LOOK_EVERY)


def _kill(process: subprocess.Popen) -> None:
    everyone = _family(process)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
    for each in everyone:
        with contextlib.suppress(psutil.Error):
            each.kill()
    process.wait()


def _tidy(group: ControlGroup | None, scratch: Path | None, stranger: int | None) -> None:
    if group:
        group.remove()
    if stranger:
        strangers.end(stranger)
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _family(process: subprocess.Popen) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(process.pid)
        return [parent, *parent.children(recursive=True)]
    return []


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
        "TRAINER_CACHE": str(archive.folder().resolve()),
        "HOME": str(home),
        "TMPDIR": str(home),
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
    }
