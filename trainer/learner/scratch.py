"""Temporary folders of a notebook's kernel: all in one place, which goes when the kernel does."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import psutil

PREFIX = "taxi-streams-kernel-"


def settle() -> None:
    """Let all temporary files of this process lie in one folder, which goes when it ends."""
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of kernels that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
