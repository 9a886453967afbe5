"""Temporary files go with the process that made them, however it ends."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from trainer.course.clone import ROOT
from trainer.spark.scratch import sweep

USES_IT = """
import sys, tempfile
from trainer.spark import scratch
roof = scratch.claim()
print(roof, tempfile.mkdtemp(), tempfile.mkdtemp(dir=scratch.fast_roof()), flush=True)
assert scratch.claim() == roof
sys.stdin.read()
"""


@pytest.fixture
def start(tmp_path):
    """Start processes that make temporary folders in a place of the test's own."""
    started = []

    def one(code=USES_IT):
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, [Path(name) for name in process.stdout.readline().split()]

    yield one
    for process in started:
        process.kill()
        process.communicate()


def test_all_of_a_process_lies_under_its_roof(start, tmp_path):
    """What anybody makes with tempfile, too; and it goes when the process ends."""
    process, (roof, folder, fast) = start()
    assert roof.parent == tmp_path and folder.parent == roof
    assert folder.is_dir() and fast.is_dir()
    process.communicate()
    assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []
    assert not fast.exists()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_a_killed_process_left_goes_with_the_next_start(start, tmp_path, how):
    """And what the living have stays."""
    killed, (left, *_, fast) = start()
    _, (there, *_) = start()
    killed.send_signal(how)
    killed.communicate()
    assert left.is_dir() and fast.is_dir()
    _, (third, *_) = start()
    assert sorted(tmp_path.iterdir()) == sorted([there, third])
    assert not fast.exists()


def test_what_is_nobodys_roof_is_left_alone(tmp_path):
    """Folders that only look like one, and one that is being made."""
    for name in ("taxi-streams-grade-abc", "taxi-streams-1-abc", "other"):
        (tmp_path / name).mkdir()
    sweep(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_fork_does_not_take_its_parents_roof_away(start):
    """It ends, and the parent's files are still there."""
    forks = USES_IT.replace(
        "print(", "import os\nif os.fork() == 0:\n    sys.exit()\nos.wait()\nprint("
    )
    process, (roof, *_) = start(forks)
    assert roof.is_dir()
    assert process.poll() is None
    assert Path(tempfile.gettempdir()).is_dir()
