"""Whatever a learner does to a stub: one clear line, and the loop goes on."""

import io
from functools import partial

import pytest
from rich.console import Console

from trainer.checking.report import examine
from trainer.course.exercise import Exercise, find
from trainer.learner.in_terminal import check_one
from trainer.learner.progress import Progress

CLEANSING = find("ride_cleansing")
GEO = "from datagen.geo import is_in_nyc\n"
RIGHT = """
    here = is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat")
    return rides.filter(here)
"""
BROKEN = {
    "deleted": (None, "crashed  There is no ch01a_ride_cleansing.py; `trainer reset"),
    "empty": ("", "wrong  ch01a_ride_cleansing.py has no function cleanse"),
    "renamed function": ("def clean(rides):\n    return rides\n", "wrong  ch01a_ride_cleansing.py"),
    "tabs and spaces": (
        "def cleanse(rides):\n\tx = 1\n        return rides\n",
        "crashed  ch01a_ride_cleansing.py is not Python: TabError",
    ),
    "syntax error": ("def cleanse(rides\n", "crashed  ch01a_ride_cleansing.py is not Python"),
    "invalid UTF-8": (b"x = 'caf\xe9'\n", "crashed  ch01a_ride_cleansing.py is not Python"),
    "null bytes": (b"def cleanse(rides):\n\0\n", "crashed  ch01a_ride_cleansing.py is not Python"),
    "raises at the top": ("1 / 0\n", "crashed  ch01a_ride_cleansing.py cannot be loaded: ZeroDiv"),
    "exits at the top": ("exit()\n", "crashed  ch01a_ride_cleansing.py cannot be loaded: SystemE"),
    "not installed": ("import flink\n", "crashed  ch01a_ride_cleansing.py cannot be loaded: Modu"),
    "returns None": ("def cleanse(rides):\n    rides.filter('is_start')\n", "wrong  Your function"),
    "no parameter": ("def cleanse():\n    return 1\n", "wrong  Your function takes no parameters"),
    "another parameter": (
        "def cleanse(fares):\n    return fares\n",
        "wrong  Your function takes fares; expected rides.",
    ),
    "exits inside": ("def cleanse(rides):\n    exit()\n", "crashed  SystemExit"),
    "a class": (
        "class cleanse:\n    pass\n",
        "wrong  cleanse in ch01a_ride_cleansing.py is a type; expected",
    ),
}


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """Check a stub with this text; give all that was printed."""
    stub = tmp_path / f"{CLEANSING.stem}.py"
    monkeypatch.setattr(Exercise, "stub", property(lambda exercise: stub))

    def check(text, limit=90):
        monkeypatch.setattr("trainer.learner.in_terminal.examine", partial(examine, limit=limit))
        if text is not None:
            CLEANSING.stub.write_bytes(text if isinstance(text, bytes) else text.encode())
        console = Console(file=io.StringIO(), width=100)
        check_one(CLEANSING, Progress(tmp_path / "progress.json"), console)
        return console.file.getvalue()

    return check


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stub_gets_one_clear_line(checked, name):
    """The verdict in a line, what to do in another, and no traceback."""
    text, told = BROKEN[name]
    lines = checked(text).splitlines()
    assert len(lines) == 2, lines
    assert told in lines[0].replace("ch01a_ride_cleansing: ", "")
    assert len(lines[0]) < 300


@pytest.mark.parametrize(
    "head",
    [
        "\ufeff",
        "print('x' * 5_000_000)\n",
        "# -*- coding: latin-1 -*-\n",
        "import sys\nsys.argv = []\n",
    ],
    ids=["byte-order mark", "prints megabytes", "latin-1", "changes sys.argv"],
)
def test_what_does_no_harm_is_correct(checked, head):
    """Neither a byte-order mark nor megabytes on the screen make an answer wrong."""
    printed = checked(f"{head}{GEO}def cleanse(rides):\n    print('y' * 1_000_000){RIGHT}")
    assert printed.startswith("✓ ch01a_ride_cleansing: correct")
    assert len(printed) < 1000


def test_an_endless_loop_ends(checked):
    """After some seconds, in which others wait for an answer too."""
    loops = "def cleanse(rides):\n    while True:\n        pass\n"
    lines = checked(loops, limit=2).splitlines()
    assert "crashed  Your function had not returned after 2 seconds." in lines[0]
    assert len(lines) == 2


def test_a_stub_with_windows_line_ends_is_untouched(checked):
    """An editor that saves it so has not answered it."""
    issued = CLEANSING.issued.read_text()
    assert "untouched" in checked(issued.replace("\n", "\r\n"))
