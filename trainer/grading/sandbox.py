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

from trainer import archive, java
from trainer.clone import ROOT
from trainer.grading import limits
from trainer.grading.limits import ControlGroup, Limits
from trainer.problem import Problem

# From the best to none.
LEVELS = ("bubblewrap+cgroup", "bubblewrap", "user", "none")
NOBODY = 65534
LOOK_EVERY = 0.5
# What a program needs of /etc, and nothing that is anyone's secret.
ETC = ("alternatives", "hosts", "ld.so.cache", "localtime", "nsswitch.conf")


@cache
def best() -> str:
    """Name the best level that works on this machine."""
    if _bubblewrap_works():
        return LEVELS[0] if limits.can_be_written() else LEVELS[1]
    return "user"


def _bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    trial = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--uid", "1000", "true"]
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
    return level


@dataclass
class Sandbox:
    """Starts runners for one submission at one level, watches over them, ends them."""

    level: str
    submission: Path
    limits: Limits = field(default_factory=Limits)

    def start(self) -> subprocess.Popen:
        """Start a runner; its standard input and output lead to the judge."""
        group = self._group()
        process = subprocess.Popen(
            self._command(),
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=self._before(group),
            cwd=tempfile.gettempdir(),
        )
        process.group = group
        threading.Thread(target=self._watch, args=(process,), daemon=True).start()
        return process

    def end(self, process: subprocess.Popen) -> None:
        """End a runner with everything it started."""
        everyone = _family(process)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for each in everyone:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        if process.group:
            process.group.remove()

    def _group(self) -> ControlGroup | None:
        if self.level != LEVELS[0]:
            return None
        return ControlGroup(f"trainer-{os.getpid()}-{time.monotonic_ns()}", self.limits)

    def _before(self, group: ControlGroup | None) -> Callable[[], None]:
        """What the new process does to itself before it becomes the runner."""

        def prepare() -> None:
            _die_with_the_judge()
            if group:
                group.join()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if self.level == "user":
                resource.setrlimit(resource.RLIMIT_FSIZE, (self.limits.disk,) * 2)
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(NOBODY)
                    os.setuid(NOBODY)
                    resource.setrlimit(resource.RLIMIT_NPROC, (self.limits.processes,) * 2)

        return prepare

    def _command(self) -> list[str]:
        runner = [sys.executable, "-P", "-m", "trainer.grading.runner"]
        if self.level.startswith("bubblewrap"):
            return [*_bubblewrap(self.submission, self.limits), *runner, "/submission"]
        return [*runner, str(self.submission)]

    def _watch(self, process: subprocess.Popen) -> None:
        """End a runner that takes more memory, or more processes, than it may."""
        while process.poll() is None:
            memory = threads = 0
            for each in _family(process):
                with contextlib.suppress(psutil.Error):
                    memory += each.memory_info().rss
                    threads += each.num_threads()
            if memory > self.limits.memory or threads > 2 * self.limits.processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            time.sleep(LOOK_EVERY)


def _family(process: subprocess.Popen) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(process.pid)
        return [parent, *parent.children(recursive=True)]
    return []


def _die_with_the_judge() -> None:
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """What a runner is told of its surroundings: where Java and the archive are, no more."""
    kept = ("PATH", "JAVA_HOME", "LANG", "TRAINER_ARCHIVE", "TRAINER_CACHE", "XDG_CACHE_HOME")
    given = {name: os.environ[name] for name in kept if name in os.environ}
    return {
        "TRAINER_CACHE": str(archive.folder()),
        **given,
        "HOME": "/tmp",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _bubblewrap(submission: Path, limits: Limits) -> list[str]:
    """Give a view of the machine without a network, without secrets, and without the answers."""
    command = ["bwrap", "--die-with-parent", "--new-session", "--unshare-all"]
    command += ["--uid", "1000", "--gid", "1000", "--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp", "/run"):
        command += ["--size", str(limits.disk // 2), "--tmpfs", place]
    command += ["--ro-bind", str(_passwd()), "/etc/passwd"]
    for folder in _system_folders():
        command += _shown(folder)
    command += ["--ro-bind", str(submission), "/submission", "--chdir", "/tmp", "--"]
    return command


def _system_folders() -> list[Path]:
    """What a runner reads: the system, this Python and its packages, the kit less its answers."""
    python = Path(sys.executable)
    folders = [Path("/", name) for name in ("usr", "bin", "sbin", "lib", "lib64")]
    folders += [Path("/etc", name) for name in ETC]
    folders += sorted(Path("/etc").glob("java-*"))
    folders += [Path(sys.prefix), Path(sys.base_prefix), python.resolve().parents[1]]
    folders += [java.choose().java.program.resolve().parents[1]]
    folders += [ROOT / "trainer", ROOT / "datagen", ROOT / "data"]
    folders += [archive.path()]
    return [folder for folder in dict.fromkeys(folders) if folder.exists()]


def _shown(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)]


@cache
def _passwd() -> Path:
    """Write the one account there is in a sandbox: Spark asks who it is."""
    file = Path(tempfile.mkdtemp(prefix="taxi-streams-"), "passwd")
    file.write_text("student:x:1000:1000::/tmp:/bin/sh\n")
    return file
