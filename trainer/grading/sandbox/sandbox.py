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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psutil

from trainer.course.problem import Problem
from trainer.grading.sandbox import bubblewrap, launch
from trainer.grading.sandbox.family import Family
from trainer.grading.sandbox.limits import ControlGroup, Limits
from trainer.grading.sandbox.strangers import stranger
from trainer.grading.sandbox.system_calls import filter_program, number
from trainer.spark import quick_start

# From the best to none.
LEVELS = ("bubblewrap+cgroup", "bubblewrap", "none")
INSTALL = "`apt install bubblewrap libseccomp2`"
PYTHON = (sys.executable, "-P", "-s")
RUNNER = (*PYTHON, "-m", "trainer.grading.judging.runner")
# What it takes to talk: packages and the kit can be read, by whoever it is that runs.
TRIAL = "import trainer.grading.judging.protocol"
LAUNCHER = (sys.executable, "-I", "-S", launch.__file__)
LOOK_EVERY = 0.5
SECONDS_FOR_A_TRIAL = 60
LONGEST_COMPLAINT = 300
MOST_FILES = 2048


def best() -> str:
    """Name the best level that works on this machine: `none`, if nothing shuts submissions in."""
    return next((level for level in LEVELS[:-1] if works(level)), LEVELS[-1])


def works(level: str) -> bool:
    """Tell whether a program comes to its end at this level, here and now."""
    return not hindrance(level)


@cache
def hindrance(level: str) -> str:
    """Say why no program comes to its end at this level; nothing if one does."""
    with tempfile.TemporaryDirectory(prefix="trial-") as empty:
        sandbox = Sandbox(level, Path(empty), program=(*PYTHON, "-c", TRIAL))
        try:
            process = sandbox.start()
        except (OSError, subprocess.SubprocessError) as error:
            return f"{type(error).__name__}: {error}"
        try:
            if process.wait(SECONDS_FOR_A_TRIAL) == 0:
                return ""
            return complaint(process) or f"it ended with exit code {process.returncode}"
        except subprocess.TimeoutExpired:
            return f"nothing came to its end within {SECONDS_FOR_A_TRIAL} s"
        finally:
            sandbox.end(process)


def complaint(process: subprocess.Popen) -> str:
    """Give the last line that a runner wrote before it became one, and shut its mouth."""
    os.set_blocking(process.stderr.fileno(), False)
    with contextlib.suppress(OSError):
        lines = (process.stderr.read(2**16) or b"").decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1][:LONGEST_COMPLAINT] if said else ""
    return ""


def choose(wanted: str | None, require: bool, hinders: Callable[[str], str] | None = None) -> str:
    """Choose the level: the best there is, or the one that was asked for.

    `hinders` says of a level why it does not work; nothing if it does. By default it is this
    machine that is asked.
    """
    hinders = hinders or hindrance
    if wanted not in (None, *LEVELS):
        raise Problem(f"No sandbox level {wanted!r}; there are {', '.join(LEVELS)}.")
    level = wanted or next((each for each in LEVELS[:-1] if not hinders(each)), LEVELS[-1])
    if require and level != LEVELS[0]:
        why = hinders(LEVELS[0])
        if not why:
            raise Problem(f"--require-sandbox wants {LEVELS[0]}, and --sandbox says {level}.")
        raise Problem(
            f"--require-sandbox wants {LEVELS[0]}; here it is {level}: {why}. {INSTALL}, and run "
            "where control groups can be written (as root, or in a delegated group)."
        )
    if level == "none" and not wanted:
        raise _does_not_work("No sandbox works here", hinders(LEVELS[1]))
    if why := hinders(level):
        raise _does_not_work(f"Sandbox level {level} does not work here", why)
    return level


def _does_not_work(what: str, why: str) -> Problem:
    return Problem(
        f"{what} ({why}). {INSTALL}, and run where bubblewrap may make name spaces: "
        "as root, or as any user where the kernel lets them. "
        "--sandbox none is for answers that you trust."
    )


def require_secrecy(level: str, secret: Sequence[Path]) -> None:
    """Refuse secret places that submissions would see, before the first is started."""
    if level.startswith("bubblewrap"):
        bubblewrap.bubblewrap(Path("/"), Limits(), secret)


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
        group = self._group()
        shut_in = self.level.startswith("bubblewrap")
        scratch = None if shut_in else Path(tempfile.mkdtemp(prefix="taxi-streams-"))
        try:
            with contextlib.ExitStack() as handing:
                user, handed = None, []
                if scratch:
                    command = self._beside_its_judge(scratch)
                else:
                    _open_to_all(self.submission)
                    user = stranger()
                    contents = (filter_program(), bubblewrap.accounts(user).encode())
                    handed = [handing.enter_context(_to_read(content)) for content in contents]
                    command = self._shut_in(user, bubblewrap.Handed(*handed))
                process = subprocess.Popen(
                    [*LAUNCHER, self._bounds(group, user), *command],
                    env=_environment(scratch or Path("/tmp")),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    cwd=scratch or "/",
                    pass_fds=handed,
                )
        except BaseException:
            _tidy(group, scratch)
            raise
        process.group, process.scratch = group, scratch
        process.family = Family(process)
        if not group:
            threading.Thread(target=self._watch, args=(process,), daemon=True).start()
        return process

    def end(self, process: subprocess.Popen) -> None:
        """End a runner with everything it started, and leave nothing of it."""
        process.family.end()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        _tidy(process.group, process.scratch)

    def _group(self) -> ControlGroup | None:
        if self.level != LEVELS[0]:
            return None
        return ControlGroup(f"trainer-{os.getpid()}-{time.monotonic_ns()}", self.limits)

    def _shut_in(self, user: int | None, handed: bubblewrap.Handed) -> list[str]:
        around = bubblewrap.bubblewrap(self.submission, self.limits, self.secret, user, handed)
        return [*around, *self.program, "/submission"]

    def _beside_its_judge(self, scratch: Path) -> list[str]:
        """Copy the answers: what it may write to is its own."""
        shutil.copytree(self.submission, scratch / "submission", symlinks=True)
        return [*self.program, str(scratch / "submission")]

    def _bounds(self, group: ControlGroup | None, user: int | None) -> str:
        """What binds a runner, for the program that becomes it."""
        # Each open socket holds memory that no process seems to have.
        limits = {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": MOST_FILES}
        if user:
            # Counted for each user; this one has nothing else.
            limits["RLIMIT_NPROC"] = self.limits.processes
        return json.dumps(
            {
                "groups": [str(door) for door in group.doors] if group else [],
                "limits": limits,
                "keyctl": number("keyctl") if self.level.startswith("bubblewrap") else None,
                "judge": os.getpid(),
            }
        )

    def _watch(self, process: subprocess.Popen) -> None:
        """End a runner that takes more memory, disk or processes than it may."""
        while process.family.lives():
            memory = threads = 0
            for each in process.family.members():
                with contextlib.suppress(psutil.Error):
                    memory += _held(each)
                    threads += each.num_threads()
            disk = _size(process.scratch) if process.scratch else 0
            much = (self.limits.memory, self.limits.processes, self.limits.disk)
            if any(used > most for used, most in zip((memory, threads, disk), much, strict=True)):
                process.family.kill()
            time.sleep(LOOK_EVERY)


@contextlib.contextmanager
def _to_read(content: bytes) -> Iterator[int]:
    """Open something to be read once; it is small enough for a pipe."""
    reading, writing = os.pipe()
    try:
        try:
            os.write(writing, content)
        finally:
            os.close(writing)
        yield reading
    finally:
        os.close(reading)


def _open_to_all(folder: Path) -> None:
    """Let a stranger read the answers."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def _tidy(group: ControlGroup | None, scratch: Path | None) -> None:
    if group:
        group.remove()
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _held(process: psutil.Process) -> int:
    """Give what a process holds, with what the kernel needs to keep account of it.

    Any of its threads tells; one that has ended says nothing, and the first may have.
    """
    if not Path("/proc/self/task").exists():
        return process.memory_info().rss
    threads = Path("/proc", str(process.pid), "task").glob("*/status")
    return next(filter(None, map(_told, threads)), 0)


def _told(status: Path) -> int:
    with contextlib.suppress(OSError):
        lines = status.read_text().splitlines()
        found = (line.split() for line in lines if line.startswith(("VmRSS:", "VmPTE:", "VmSwap:")))
        return sum(1024 * int(words[1]) for words in found)
    return 0


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
