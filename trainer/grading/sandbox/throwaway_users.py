"""Users that exist for one runner only, where root starts it: numbers that nobody else has."""

import contextlib
import itertools
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil

from trainer.course.clone import ROOT
from trainer.course.problem import Problem
from trainer.grading.sandbox import bubblewrap

FIRST = 1_000_000_000
EACH = 100
PLACES = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))
SECONDS_TO_END = 10
_numbers = itertools.count()
KILL_ALL = """
import os, signal, sys
uid = int(sys.argv[1])
os.setgroups([])
os.setgid(uid)
os.setuid(uid)
os.kill(-1, signal.SIGKILL)
"""


def next_uid() -> int:
    """Give the number of a user that no other runner has, of this judge or another."""
    return FIRST + EACH * os.getpid() + next(_numbers) % EACH


def give(folder: Path, uid: int) -> None:
    """Give a folder and all in it to that user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


def end(uid: int) -> None:
    """End all processes of that user, however they hid, and take away the files they left."""
    until = time.monotonic() + SECONDS_TO_END
    while not _killed_at_once(uid) and time.monotonic() < until:
        _kill_one_by_one(uid)
    for path in (path for place in PLACES if place.is_dir() for path in place.iterdir()):
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == uid:
                _remove(path)


def _killed_at_once(uid: int) -> bool:
    """Kill them as that user, whom nobody escapes, but who may stop or kill this killer."""
    command = [sys.executable, "-I", "-S", "-c", KILL_ALL, str(uid)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=2)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode >= 0


def _kill_one_by_one(uid: int) -> None:
    """Kill them as root, whom they can't stop, though a new one may be overlooked."""
    for each in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if uid in each.uids():
                each.kill()


def _remove(path: Path) -> None:
    if stat.S_ISDIR(path.lstat().st_mode):
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def require_entry() -> None:
    """Say where a stranger cannot enter, though Python, Java or the kit lies there."""
    for place in (*bubblewrap.programs(), ROOT / "trainer", ROOT / "datagen"):
        for folder in (place, *place.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                raise Problem(
                    f"At level user a submission runs as another user, who cannot enter {folder}, "
                    f"where {place} lies. Install bubblewrap, or put Python and the kit where "
                    "everyone can read them."
                )
