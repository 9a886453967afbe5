"""What tests of the kit share."""

import shutil
from pathlib import Path

import pytest

from trainer.course.clone import ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A learner's own copy of the kit, so that nobody's stubs are touched."""
    return copied(tmp_path / "kit")


def copied(kit: Path) -> Path:
    """Copy the kit as a learner gets it: nothing is solved yet."""
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "progress.json*", "mine", ".class", "__pycache__"
    )
    shutil.copytree(ROOT, kit, ignore=ignored)
    for issued in (kit / "trainer" / "course" / "issued").glob("ch*.py"):
        shutil.copyfile(issued, kit / "exercises" / issued.name)
    return kit
