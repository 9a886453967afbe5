"""What tests of the kit share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.kit.browser import CHROMIUM
from trainer.course.clone import ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A learner's own copy of the kit, so that nobody's stubs are touched."""
    return copied(tmp_path / "kit")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, one for all of a file's tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def copied(kit: Path) -> Path:
    """Copy the kit as a learner gets it: nothing is solved yet."""
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "progress.json*", "mine", ".class", "__pycache__"
    )
    shutil.copytree(ROOT, kit, ignore=ignored)
    for issued in (kit / "trainer" / "course" / "issued").glob("ch*.py"):
        shutil.copyfile(issued, kit / "exercises" / issued.name)
    return kit
