"""What a submission may use, and the control groups that enforce it where they can be written."""

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
# Of version 1, which has a tree of groups for each.
CONTROLLERS = ("memory", "pids", "cpu")
# Of what its sockets hold.
SOCKETS = 128 * 2**20
SECONDS_TO_END = 15


@dataclass(frozen=True)
class Limits:
    """Bounds for one submission: memory and scratch disk in bytes, and processes with threads."""

    memory: int = 3 * 2**30
    disk: int = 2**30
    processes: int = 600


class ControlGroup:
    """A control group of its own for one runner; version 2 or version 1, whichever is here."""

    def __init__(self, name: str, limits: Limits) -> None:
        """Make it; OSError where this machine does not let us."""
        unified = (ROOT / "cgroup.controllers").exists()
        self.folders = _unified(name, limits) if unified else _divided(name, limits)

    @property
    def doors(self) -> list[Path]:
        """The files to which a process writes its number to join, with all that it starts."""
        return [folder / "cgroup.procs" for folder in self.folders]

    def remove(self) -> None:
        """End whatever is left in it, and take it away."""
        until = time.monotonic() + SECONDS_TO_END
        while self.folders and time.monotonic() < until:
            for number in self._processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            self.folders = [folder for folder in self.folders if not _removed(folder)]
            time.sleep(0.005 if self.folders else 0)

    def _processes(self) -> set[int]:
        found = set()
        for door in self.doors:
            with contextlib.suppress(OSError):
                found |= set(map(int, door.read_text().split()))
        return found - {0, os.getpid()}


def _removed(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def own(controller: str = "") -> Path:
    """Find the group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return ROOT / controller / path.strip("/")
    raise OSError(f"no control group {controller!r}")


def _unified(name: str, limits: Limits) -> list[Path]:
    """Make it beside our own: in version 2 a group that has processes shares out nothing."""
    ours = own()
    beside = ours.parent if ours != ROOT else ours
    made = _made(beside / name, {"memory.max": limits.memory, "pids.max": limits.processes})
    with contextlib.suppress(OSError):
        (made / "memory.swap.max").write_text("0")
    return [made]


def _divided(name: str, limits: Limits) -> list[Path]:
    # However many processes a submission starts, together they weigh as much as two.
    wanted = (
        {"memory.limit_in_bytes": limits.memory},
        {"pids.max": limits.processes},
        {"cpu.shares": 2048},
    )
    made = []
    try:
        for controller, settings in zip(CONTROLLERS, wanted, strict=True):
            made.append(_made(own(controller) / name, settings))
        # Version 2 counts it as memory; there may be kernels of version 1 without it.
        with contextlib.suppress(OSError):
            (made[0] / "memory.kmem.tcp.limit_in_bytes").write_text(str(SOCKETS))
    except OSError:
        for folder in made:
            folder.rmdir()
        raise
    return made


def _made(folder: Path, settings: dict[str, int]) -> Path:
    sweep(folder.parent)
    folder.mkdir()
    try:
        for file, value in settings.items():
            (folder / file).write_text(str(value))
    except OSError:
        folder.rmdir()
        raise
    return folder


def sweep(place: Path) -> None:
    """Take away the groups in a folder whose judge was killed; one in use can't be taken away."""
    for folder in place.glob("trainer-*-*"):
        judge = folder.name.split("-")[1]
        if judge.isdigit() and not Path("/proc", judge).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
