"""Temporary files of this process: under one roof, which goes with it, however it ends."""

import atexit
import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
# A roof that holds this file, with a lock on it, is some living process's.
LIVING = "living"
_ROOF = re.compile(r"taxi-streams-\d+-\w+")
_roofs: dict[tuple[int, Path], Path] = {}
_locks = []


def claim() -> Path:
    """Let all temporary files of this process lie under a roof; give it."""
    there = Path(tempfile.gettempdir())
    if there in _roofs.values():
        return there
    made = _roof(there)
    tempfile.tempdir = str(made)
    return made


def fast_roof() -> Path:
    """Give a roof in memory, where the machine has such a place."""
    return _roof(IN_MEMORY) if IN_MEMORY.is_dir() else claim()


def _roof(place: Path) -> Path:
    # A fork has a life of its own.
    known = _roofs.get((os.getpid(), place))
    if known and known.is_dir():
        return known
    sweep(place)
    roof = Path(tempfile.mkdtemp(prefix=f"taxi-streams-{os.getpid()}-", dir=place))
    _roofs[os.getpid(), place] = roof
    _lock(roof)
    atexit.register(_remove, roof, os.getpid())
    return roof


def _lock(roof: Path) -> None:
    """Lock first, name it then: whoever finds the file without a lock knows its process is dead."""
    import fcntl

    lock = (roof / "locking").open("w")
    # A sandbox refuses locks, and ends with all that is in it.
    with contextlib.suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (roof / "locking").rename(roof / LIVING)
    _locks.append(lock)


def sweep(place: Path) -> None:
    """Take away what processes left that were killed."""
    for roof in place.glob("taxi-streams-*"):
        if _ROOF.fullmatch(roof.name) and _is_dead(roof):
            shutil.rmtree(roof, ignore_errors=True)


def _is_dead(roof: Path) -> bool:
    import fcntl

    try:
        with (roof / LIVING).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except OSError:
        return False


def _remove(roof: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(roof, ignore_errors=True)
