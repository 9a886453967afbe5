"""Users that exist for one runner only, where root starts it: numbers that nobody else has."""

import contextlib
import itertools
import os
import shutil
import signal
import stat
from pathlib import Path

from trainer.clone import ROOT
from trainer.grading import view
from trainer.problem import Problem

FIRST = 1_000_000_000
EACH = 100
PLACES = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))
_numbers = itertools.count()


def next_uid() -> int:
    """Give the number of a user that no other runner has, of this judge or another."""
    return FIRST + EACH * os.getpid() + next(_numbers) % EACH


def become(uid: int) -> None:
    """Turn this process, root's, into that user's."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def give(folder: Path, uid: int) -> None:
    """Give a folder and all in it to that user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


def end(uid: int) -> None:
    """End all processes of that user, however they hid, and take away the files they left."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            become(uid)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(child, 0)
    for path in (path for place in PLACES if place.is_dir() for path in place.iterdir()):
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == uid:
                _remove(path)


def _remove(path: Path) -> None:
    if stat.S_ISDIR(path.lstat().st_mode):
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def require_entry() -> None:
    """Say where a stranger cannot enter, though Python, Java or the kit lies there."""
    for place in (*view.programs(), ROOT / "trainer", ROOT / "datagen"):
        for folder in (place, *place.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                raise Problem(
                    f"At level user a submission runs as another user, who cannot enter {folder}, "
                    f"where {place} lies. Install bubblewrap, or put Python and the kit where "
                    "everyone can read them."
                )
