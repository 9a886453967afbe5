"""A process and all that it started, known by who they are: a number may be another's by now."""

import contextlib
import os
import signal
import subprocess
import threading

import psutil

# A process that the kernel itself holds up is not worth waiting for any longer.
SECONDS_TO_END = 10


class Family:
    """The family of a process that was just started, and that nobody else waits for."""

    def __init__(self, process: subprocess.Popen) -> None:
        """Know the process, while its number is its own for certain."""
        self.process, self.first = process, psutil.Process(process.pid)
        self.lock = threading.Lock()

    def lives(self) -> bool:
        """Tell whether the process runs; one that has ended keeps its number until `end`."""
        with contextlib.suppress(psutil.Error):
            return self.first.is_running() and self.first.status() != psutil.STATUS_ZOMBIE
        return False

    def members(self) -> list[psutil.Process]:
        """Give the process and all that descend from it."""
        with contextlib.suppress(psutil.Error):
            if self.first.is_running():
                return [self.first, *self.first.children(recursive=True)]
        return []

    def kill(self) -> None:
        """Kill them all."""
        with self.lock:
            self._kill()

    def end(self) -> None:
        """Kill them all, and wait for the process, which gives its number back."""
        with self.lock, contextlib.suppress(subprocess.TimeoutExpired):
            self._kill()
            self.process.wait(SECONDS_TO_END)

    def _kill(self) -> None:
        everyone = self.members()
        # Once it was waited for, its group's number may be another's too.
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        for each in everyone:
            with contextlib.suppress(psutil.Error):
                # Asked anew: psutil would signal a number whose process it has seen gone.
                if each.is_running():
                    each.kill()
