"""What a submission may use, and the control groups that enforce it where they can be written."""

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Limits:
    """Bounds for one submission: memory and scratch disk in bytes, and processes with threads."""

    memory: int = 3 * 2**30
    disk: int = 2**29
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
        """Take it away, once its processes have ended."""
        for folder in self.folders:
            try:
                folder.rmdir()
            except OSError:
                # Its last processes are still ending; an empty group costs nothing.
                continue


def _own(controller: str = "") -> Path:
    """Find the group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return ROOT / controller / path.strip("/")
    raise OSError(f"no control group {controller!r}")


def _unified(name: str, limits: Limits) -> list[Path]:
    return [_made(_own() / name, {"memory.max": limits.memory, "pids.max": limits.processes})]


def _divided(name: str, limits: Limits) -> list[Path]:
    return [
        _made(_own("memory") / name, {"memory.limit_in_bytes": limits.memory}),
        _made(_own("pids") / name, {"pids.max": limits.processes}),
    ]


def _made(folder: Path, settings: dict[str, int]) -> Path:
    folder.mkdir()
    try:
        for file, value in settings.items():
            (folder / file).write_text(str(value))
    except OSError:
        folder.rmdir()
        raise
    return folder


def can_be_written() -> bool:
    """Tell whether control groups can be made here."""
    try:
        ControlGroup(f"trainer-try-{os.getpid()}", Limits()).remove()
    except OSError:
        return False
    return True
