"""Work done in a process of its own: bounded in time and memory, and replaced when it fails.

What strangers made is never read, compared or drawn in the process that keeps the grades.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from trainer.grading.sandbox.launch import end_with_parent

MEMORY = 2**30
SECONDS_TO_TIDY_UP = 15


class Failed(Exception):
    """Something went wrong in the process, which goes on."""


class Lost(Failed):
    """The process ended, or did not come to an end in time."""


class Apart:
    """A process that does one kind of work, started when it is first needed.

    `prepare` is called once in it, before its memory is bounded: for what starts a Java.
    """

    def __init__(
        self, does: Callable, *, memory: int = MEMORY, prepare: Callable[[], object] | None = None
    ) -> None:
        """Start nothing yet."""
        self.does, self.memory, self.prepare = does, memory, prepare
        self.process, self.pipe = None, None
        self.dismissed, self.lock = False, threading.Lock()

    def ask(self, work: object, seconds: float) -> object:
        """Have something done within so many seconds; Failed if it can't be."""
        try:
            self._start()
            self.pipe.send(work)
            if self.pipe.poll(seconds):
                answer = self.pipe.recv()
            else:
                answer = Lost(f"it did not come to an end within {seconds:.0f} s")
        except (EOFError, OSError):
            answer = Lost("its process ended")
        if isinstance(answer, Lost):
            self.stop()
        if isinstance(answer, Failed):
            raise answer
        return answer

    def ask_anew(self, work: object, seconds: float) -> object:
        """Ask, and once more in a new process where an old one failed: others have used it up."""
        used = self.process is not None
        try:
            return self.ask(work, seconds)
        except Lost:
            raise
        except Failed:
            self.stop()
            if not used:
                raise
        return self.ask(work, seconds)

    def _start(self) -> None:
        with self.lock:
            if self.dismissed:
                raise EOFError
            if self.process is None:
                context = multiprocessing.get_context("spawn")
                self.pipe, theirs = context.Pipe()
                given = (theirs, os.getpid(), self.does, self.memory, self.prepare)
                self.process = context.Process(target=serve, args=given, daemon=True)
                self.process.start()
                theirs.close()

    def dismiss(self) -> None:
        """End the process for good."""
        with self.lock:
            self.dismissed = True
        self.stop()

    def stop(self) -> None:
        """End the process and what it started; kindly first, so that it can tidy up."""
        with self.lock:
            process, self.process = self.process, None
        if process is not None:
            process.terminate()
            process.join(SECONDS_TO_TIDY_UP)
            process.kill()
            process.join(SECONDS_TO_TIDY_UP)
            with contextlib.suppress(OSError):
                self.pipe.close()


def serve(
    pipe: Connection,
    parent: int,
    does: Callable,
    memory: int,
    prepare: Callable[[], object] | None,
) -> None:
    """Do what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    if not end_with_parent():
        threading.Thread(target=_look_after, args=(parent,), daemon=True).start()
    if os.getppid() == parent:
        # A pipe whose other end is closed: the batch has ended.
        with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
            _do_all(pipe, does, memory, prepare)


def _look_after(parent: int) -> None:
    """End this process tidily when its parent has ended, where the kernel doesn't do it."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _do_all(
    pipe: Connection, does: Callable, memory: int, prepare: Callable[[], object] | None
) -> None:
    # Not on Windows, where this module must load all the same: to say what works there.
    import resource

    if prepare:
        prepare()
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, most))
    while True:
        work = pipe.recv()
        try:
            answer = does(work)
        except Exception as error:
            answer = Failed(f"{type(error).__name__}: {error}")
        try:
            pipe.send(answer)
        except MemoryError:
            pipe.send(Failed("MemoryError: the answer is too large"))


stopping = False


def _stop(*_: object) -> None:
    # What the work has to say of that is for nobody.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # Some libraries take an interrupt for their own: who calls one looks here afterwards.
    global stopping
    stopping = True
    raise KeyboardInterrupt
