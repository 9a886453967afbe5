"""Becomes a runner: a small program that binds itself by all that a runner is bound by.

Where threads live, nothing may be done between a fork and the program that follows: this program is
what follows. It loads nothing of the kit: `python -I -S launch.py SETTINGS COMMAND…`.
"""

import ctypes
import json
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
JOIN_SESSION_KEYRING = 1


def end_with_parent() -> bool:
    """Have the kernel end this process with its parent; tell whether this kernel does that."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (AttributeError, OSError, TypeError):
        return False
    return prctl(PR_SET_PDEATHSIG, signal.SIGKILL) == 0


def main(settings: str, *command: str) -> None:
    """Join control groups, take limits and a keyring, and run a command in its own place."""
    # Not on Windows, where this module must load all the same: to say what works there.
    import resource

    given = json.loads(settings)
    for file in given["groups"]:
        Path(file).write_text(str(os.getpid()))
    # What bounds the judge is not meant for its runner.
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    for name, most in given["limits"].items():
        _, highest = resource.getrlimit(getattr(resource, name))
        most = most if highest == resource.RLIM_INFINITY else min(most, highest)
        resource.setrlimit(getattr(resource, name), (most, most))
    if given["keyctl"]:
        # Or what one leaves in the keyring of this session lies there for the next.
        ctypes.CDLL(None).syscall(given["keyctl"], JOIN_SESSION_KEYRING, None)
    end_with_parent()
    if os.getppid() == given["judge"]:
        os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
