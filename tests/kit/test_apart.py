"""Work done in a process of its own: bounded, replaced when it fails, ended with its parent."""

import ctypes
import multiprocessing
import os
import time
from multiprocessing.connection import Connection

import psutil
import pytest

from trainer.grading.sandbox import apart
from trainer.grading.sandbox.apart import Apart, Failed, Lost

LONG = 600


def does(what: str) -> object:
    """Do what is asked for."""
    if what == "hang":
        time.sleep(LONG)
    if what == "end":
        os._exit(3)
    if what == "take too much":
        return bytearray(2**30)
    if what == "raise":
        raise IndexError("out of range")
    if what == "give too much":
        # Small here, and too large once it is written out.
        return ["x" * 2**20] * 2 + [bytes(2**20) for _ in range(180)]
    return what, os.getpid()


@pytest.fixture
def process():
    """Give one with little memory."""
    made = Apart(does, memory=2**28)
    yield made
    made.dismiss()


def test_work_is_done_elsewhere_one_after_the_other(process):
    """In one process, which is not this one."""
    first, second = process.ask("a", 60), process.ask("b", 60)
    assert (first[0], second[0]) == ("a", "b")
    assert first[1] == second[1] != os.getpid()


@pytest.mark.parametrize(
    ("what", "error", "why"),
    [
        ("hang", Lost, "did not come to an end within 1 s"),
        ("end", Lost, "its process ended"),
        ("take too much", Failed, "MemoryError"),
        ("give too much", Failed, "MemoryError"),
        ("raise", Failed, "IndexError: out of range"),
    ],
)
def test_what_fails_is_told_and_the_next_is_done(process, what, error, why):
    """In the same process if it still lives, else in another."""
    _, before = process.ask("a", 60)
    with pytest.raises(Failed, match=why) as caught:
        process.ask(what, 1 if what == "hang" else 60)
    assert type(caught.value) is error
    _, after = process.ask("b", 60)
    assert (before == after) == (error is Failed)


def test_who_was_dismissed_does_nothing_any_more(process):
    """And leaves no process."""
    _, number = process.ask("a", 60)
    process.dismiss()
    assert not psutil.pid_exists(number)
    with pytest.raises(Lost):
        process.ask("b", 60)


def serve_without_prctl(pipe: Connection, parent: int) -> None:
    """Work as on a system whose C library has no `prctl`."""
    ctypes.CDLL = lambda name: object()
    apart.serve(pipe, parent, does, 2**30, None)


def start_one(pipe: Connection, last: str) -> None:
    """Start one, give it two things to do, and tell its number once it has done the first."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    started = context.Process(target=serve_without_prctl, args=(theirs, os.getpid()))
    started.start()
    theirs.close()
    for number, each in enumerate(("a", last)):
        ours.send(each)
        assert number or ours.recv() == ("a", started.pid)
    pipe.send(started.pid)
    time.sleep(LONG)


@pytest.mark.parametrize("last", ["a", "hang"])
def test_it_ends_with_its_parent_where_the_kernel_does_not_see_to_it(last):
    """At work or waiting for some, though its parent was killed."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    parent = context.Process(target=start_one, args=(theirs, last))
    parent.start()
    theirs.close()
    child = psutil.Process(ours.recv())
    parent.kill()
    parent.join()
    gone, _ = psutil.wait_procs([child], timeout=20)
    assert gone == [child]
