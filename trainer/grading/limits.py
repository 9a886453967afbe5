"""What a submission may use, and the control groups that enforce it where they can be written."""

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
SECONDS_TO_END = 5


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

    def join(self) -> None:
        """Put the calling process into it, and with it all that it starts."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

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
        for folder in self.folders:
            with contextlib.suppress(OSError):
                found |= set(map(int, (folder / "cgroup.procs").read_text().split()))
        return found - {0, os.getpid()}


def _removed(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _own(controller: str = "") -> Path:
    """Find the group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return ROOT / controller / path.strip("/")
    raise OSError(f"no control group {controller!r}")


def _unified(name: str, limits: Limits) -> list[Path]:
    """Make it beside our own: in version 2 a group that has processes shares out nothing."""
    own = _own()
    beside = own.parent if own != ROOT else own
    made = _made(beside / name, {"memory.max": limits.memory, "pids.max": limits.processes})
    with contextlib.suppress(OSError):
        (made / "memory.swap.max").write_text("0")
    return [made]


def _divided(name: str, limits: Limits) -> list[Path]:
    wanted = {
        "memory": {"memory.limit_in_bytes": limits.memory},
        "pids": {"pids.max": limits.processes},
        # However many processes a submission starts, together they weigh as much as two.
        "cpu": {"cpu.shares": 2048},
    }
    made = []
    try:
        for controller, settings in wanted.items():
            made.append(_made(_own(controller) / name, settings))
    except OSError:
        for folder in made:
            folder.rmdir()
        raise
    return made


def _made(folder: Path, settings: dict[str, int]) -> Path:
    _sweep(folder.parent)
    folder.mkdir()
    try:
        for file, value in settings.items():
            (folder / file).write_text(str(value))
    except OSError:
        folder.rmdir()
        raise
    return folder


def _sweep(place: Path) -> None:
    """Take away the empty groups of judges that were killed before they could do so."""
    for folder in place.glob("trainer-*-*"):
        judge = folder.name.split("-")[1]
        if judge.isdigit() and not Path("/proc", judge).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def can_be_written() -> bool:
    """Tell whether control groups can be made here, and joined."""
    try:
        group = ControlGroup(f"trainer-{os.getpid()}-try", Limits())
    except OSError:
        return False
    try:
        return _can_be_joined(group)
    finally:
        group.remove()


def _can_be_joined(group: ControlGroup) -> bool:
    child = os.fork()
    if child == 0:
        try:
            group.join()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
