"""A learner's evening in the terminal: `trainer watch`, driven through tmux."""

import contextlib
import io
import os
import pty
import shutil
import subprocess
import sys
import termios
import threading
import time
import uuid

import pytest
from rich.console import Console

from trainer.course.exercise import find
from trainer.learner import watch
from trainer.learner.progress import Progress

PATIENCE = 180
WRONG = """
from pyspark.sql import DataFrame
from datagen.geo import is_in_nyc

def cleanse(rides: DataFrame) -> DataFrame:
    return rides.filter(is_in_nyc("start_lon", "start_lat"))
"""
KILLS_ITS_WORKER = """
import os
from pyspark.sql import DataFrame

def cleanse(rides: DataFrame) -> DataFrame:
    return rides.mapInPandas(lambda frames: os._exit(1), rides.schema)
"""


class Terminal:
    """A terminal of its own in which a command runs."""

    def __init__(self, folder, command):
        """Start the command in a folder, in a tmux server that nobody else uses."""
        self.tmux = ["tmux", "-L", f"trainer-{uuid.uuid4().hex[:8]}"]
        size = ["-x", "120", "-y", "50"]
        environment = {k: v for k, v in os.environ.items() if k != "TMUX"}
        subprocess.run(
            [*self.tmux, "new-session", "-d", *size, "-c", str(folder), command],
            check=True,
            env=environment,
        )
        self._do("set-option", "-g", "history-limit", "5000")

    def _do(self, *arguments):
        return subprocess.run([*self.tmux, *arguments], capture_output=True, text=True).stdout

    def press(self, key):
        """Press a key."""
        self._do("send-keys", key)

    def screen(self):
        """Give all that was printed."""
        return self._do("capture-pane", "-p", "-J", "-S", "-")

    def wait_for(self, text, times=1):
        """Wait until a text stands on the screen, so many times."""
        until = time.monotonic() + PATIENCE
        # What is long goes on in the next line.
        while " ".join(self.screen().split()).count(" ".join(text.split())) < times:
            assert time.monotonic() < until, f"no {text!r} in:\n{self.screen()}"
            time.sleep(0.1)

    def close(self):
        """End it."""
        self._do("kill-server")


@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed here")
def test_an_evening_with_watch(clone):
    """Untouched, syntax error, a dead worker, wrong, hint, correct, next, list, quit."""
    stub = clone / "exercises" / "ch01a_ride_cleansing.py"
    command = f"PYTHONPATH={clone} {sys.executable} -m trainer.cli watch; echo ENDED $?; sleep 600"
    with contextlib.closing(Terminal(clone, command)) as terminal:
        terminal.wait_for("Edit exercises/ch01a_ride_cleansing.py")
        terminal.wait_for("[q]uit")
        terminal.press("c")
        terminal.wait_for("ch01a_ride_cleansing: untouched")
        stub.write_text("def cleanse(rides:\n")
        terminal.wait_for("ch01a_ride_cleansing: crashed")
        terminal.wait_for("is not Python: SyntaxError")
        stub.write_text(KILLS_ITS_WORKER)
        terminal.wait_for("Your function ended the Python process that it ran in.")
        stub.write_text(WRONG)
        terminal.wait_for("ch01a_ride_cleansing: wrong")
        terminal.wait_for("You kept rides that start in the city.")
        terminal.wait_for("The smallest case found")
        terminal.wait_for("[q]uit", times=5)
        terminal.press("hl")
        terminal.wait_for("Hint 1: ")
        terminal.wait_for("✗  ch01a_ride_cleansing")
        shutil.copyfile(find("ride_cleansing").solution, stub)
        terminal.wait_for("ch01a_ride_cleansing: correct")
        terminal.press("n")
        terminal.wait_for("Edit exercises/ch01b_quarantine.py")
        terminal.press("l")
        terminal.wait_for("✓  ch01a_ride_cleansing")
        terminal.press("q")
        terminal.wait_for("ENDED 0")


@pytest.fixture
def keyboard(monkeypatch):
    """Press keys on a terminal that is this process's own input."""
    ours, theirs = pty.openpty()
    with open(theirs, closefd=False) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)

        def press(keys):
            while termios.tcgetattr(theirs)[3] & termios.ICANON:
                time.sleep(0.05)
            os.write(ours, keys.encode())

        yield press
    os.close(ours)
    os.close(theirs)


def test_each_of_some_keys_typed_at_once_counts(keyboard, monkeypatch, tmp_path):
    """None waits for the next one, and an arrow among them asks for nothing."""
    monkeypatch.setattr(watch, "session", lambda: None)
    console = Console(file=io.StringIO(), width=120)
    watching = threading.Thread(
        target=watch.watch, args=(console, Progress(tmp_path / "progress.json")), daemon=True
    )
    watching.start()
    keyboard("\x1b[Chn")
    until = time.monotonic() + PATIENCE
    while (told := console.file.getvalue()).count("[q]uit") < 3:
        assert time.monotonic() < until, told
        time.sleep(0.05)
    # At the start, and after what comes next.
    assert told.count("Edit exercises/ch01a_ride_cleansing.py") == 1
    assert told.count("Edit exercises/ch01b_quarantine.py") == 1
    assert told.count("Hint 1: ") == 1
    keyboard("q")
    watching.join(PATIENCE)
    assert not watching.is_alive()


def test_a_key_pressed_during_a_check_is_heard_at_once_and_the_last_one_counts(
    keyboard, monkeypatch, tmp_path
):
    """Who presses h and h again while nothing seems to happen doesn't want two hints."""
    checking, go_on = threading.Event(), threading.Event()

    def check_one(*_):
        checking.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(watch, "session", lambda: None)
    monkeypatch.setattr(watch, "check_one", check_one)
    console = Console(file=io.StringIO(), width=120)
    watching = threading.Thread(
        target=watch.watch, args=(console, Progress(tmp_path / "progress.json")), daemon=True
    )

    def wait_for(text):
        until = time.monotonic() + PATIENCE
        while text not in console.file.getvalue():
            assert time.monotonic() < until, console.file.getvalue()
            time.sleep(0.05)

    watching.start()
    keyboard("c")
    assert checking.wait(PATIENCE)
    keyboard("hh")
    wait_for("[h]int: as soon as this check is done\n")
    keyboard("lx")
    wait_for("[l]ist: as soon as this check is done\n")
    go_on.set()
    wait_for(f"0 of {len(watch.exercises())} solved")
    keyboard("q")
    watching.join(PATIENCE)
    assert not watching.is_alive()
    told = console.file.getvalue()
    assert (told.count("[h]int: as soon"), told.count("Hint 1: ")) == (1, 0)


def test_one_exercise_alone_can_be_watched(monkeypatch, tmp_path):
    """What is saved in others is none of its business, until one goes on to the next."""
    stamps = dict.fromkeys(watch.exercises(), (1, 1))
    monkeypatch.setattr(watch, "look", lambda: dict(stamps))
    first, second, *_ = watch.exercises()
    watching = watch.Watch(
        Console(file=io.StringIO()), Progress(tmp_path / "progress.json"), only=second
    )
    stamps |= {first: (2, 2), second: (2, 2)}
    assert watching.exercise == second
    assert watching.saved() == [second]
    third = watch.exercises()[2]
    watching.show_next()
    stamps |= {first: (3, 3), third: (3, 3)}
    assert watching.exercise == third
    assert watching.saved() == [third]
