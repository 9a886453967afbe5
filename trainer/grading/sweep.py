"""Takes away the control groups of judges that were killed before they could."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psutil

from trainer.grading import limits


def sweep() -> None:
    """Remove the groups whose judge has ended; one in use can't be removed, nor is it."""
    for folder in _left():
        with contextlib.suppress(OSError):
            folder.rmdir()


def _left() -> Iterator[Path]:
    for controller in ("", "memory", "pids"):
        with contextlib.suppress(OSError):
            own = limits._own(controller)
            for folder in (*own.glob("trainer-*-*"), *own.parent.glob("trainer-*-*")):
                judge = folder.name.split("-")[1]
                if judge.isdigit() and not psutil.pid_exists(int(judge)):
                    yield folder
