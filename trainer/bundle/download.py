"""Wheels for other machines than this one, downloaded by pip and told as they come."""

import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from trainer.bundle import pins
from trainer.bundle.platforms import PYTHONS, Platform
from trainer.bundle.store import Store
from trainer.course.clone import ROOT
from trainer.course.problem import Problem

PIP = "pip==26.3"
Tell = Callable[[str], object]


def pinned(
    wanted: Sequence[pins.Pin], platform: Platform, python: str, store: Store, tell: Tell
) -> list[Path]:
    """Give the wheels of these pins for one platform and Python, their sums as in the lock."""
    kept = {pin: store.fitting(pin, platform.wheel_tags(python)) for pin in wanted}
    found = [wheel for wheel in kept.values() if wheel]
    for some in pins.rounds([pin for pin in wanted if not kept[pin]]):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            lines = [pin.line() for pin in some]
            wish = [*lines, *_of(platform, python)]
            listed.write("\n".join(lines))
            listed.flush()
            asked = ["--no-deps", "--require-hashes", "--requirement", listed.name]
            found += _download(wish, asked, platform, python, store, tell)
    return found


def tools(platform: Platform, store: Store, tell: Tell) -> list[Path]:
    """Give uv for one platform, and what builds the kit there: the same for every Python."""
    named, python = pins.build_tools(), PYTHONS[0]
    asked = ["--constraint", str(ROOT / "constraints.txt"), *named]
    return _download([*named, *_of(platform, python)], asked, platform, python, store, tell)


def _of(platform: Platform, python: str) -> list[str]:
    tags = [f"--platform={tag}" for tag in platform.tags]
    # Its last release: some packages leave the first ones out.
    return [f"--python-version={python}.99", "--implementation=cp", *tags]


def _download(
    wish: Sequence[str],
    asked: Sequence[str],
    platform: Platform,
    python: str,
    store: Store,
    tell: Tell,
) -> list[Path]:
    if kept := store.kept(wish):
        return kept
    with tempfile.TemporaryDirectory(dir=store.folder, prefix="coming-") as scratch:
        command = [pins.uv(), "tool", "run", "--quiet", "--from", PIP, "pip", "download"]
        command += ["--dest", scratch, "--only-binary=:all:", "--progress-bar=off"]
        _run([*command, *_of(platform, python), *asked], platform, python, tell)
        return store.keep(wish, sorted(Path(scratch).iterdir()))


def _run(command: Sequence[str], platform: Platform, python: str, tell: Tell) -> None:
    """Run pip, and tell which file it is at."""
    errors = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        for line in pip.stdout:
            if file := re.match(r" *(?:Downloading|Using cached) (\S+whl.*)", line):
                tell(file[1])
            elif line.startswith("ERROR: "):
                errors.append(line.removeprefix("ERROR: ").strip())
    if pip.returncode:
        why = (errors or ["nothing"])[-1].rstrip(".")
        raise Problem(
            f"Not all wheels for {platform.name}, Python {python}, could be had; pip said: {why}. "
            "What was downloaded is kept: run the same command again when the network is back."
        )
