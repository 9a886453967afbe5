"""What has to be in a bundle: the course's pins, with the sums that the lock has for them."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from packaging.requirements import Requirement

from trainer.bundle.platforms import Platform
from trainer.course.clone import ROOT
from trainer.course.problem import Problem

EXPORT = "export --quiet --no-emit-project --no-dev --no-annotate --no-header"
# No wheel of PySpark is published: one is made of what is installed here.
SPARK = "pyspark"
# Only a JupyterLab with a password asks for these, and one is not published for every machine.
NOT_NEEDED = {"macos-x86_64": ("argon2-cffi", "argon2-cffi-bindings")}


@dataclass(frozen=True)
class Pin:
    """A package in one version, where it is wanted, and the sums that its files may have."""

    wanted: Requirement
    hashes: tuple[str, ...]

    def is_for(self, platform: Platform, python: str) -> bool:
        """Say whether some release of this Python wants it on this platform."""
        if self.wanted.name in NOT_NEEDED.get(platform.name, ()):
            return False
        marker = self.wanted.marker
        return not marker or any(map(marker.evaluate, platform.environments(python)))

    def line(self) -> str:
        """Give it as pip reads it; that it is wanted has been decided."""
        sums = "".join(f" --hash={each}" for each in self.hashes)
        return f"{self.wanted.name}{self.wanted.specifier}{sums}"


def uv() -> str:
    """Name the uv that makes the bundle."""
    found = os.environ.get("UV") or shutil.which("uv")
    if not found:
        raise Problem("A bundle is made by uv, which isn't here: `pip install uv` brings it.")
    return found


def uv_version() -> str:
    """Give the version of uv, which is the one that goes into the bundle."""
    return subprocess.check_output([uv(), "--version"], text=True).split()[1]


def pins() -> list[Pin]:
    """Give all packages that the course needs, as locked."""
    ran = subprocess.run([uv(), *EXPORT.split()], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or ["nothing"])[-1]
        raise Problem(f"The packages could not be listed; uv said: {said}")
    return [*_read(ran.stdout)]


def _read(exported: str) -> Iterator[Pin]:
    for line in exported.replace("\\\n", " ").splitlines():
        wanted, *hashes = line.split("--hash=")
        if wanted.strip():
            yield Pin(Requirement(wanted.strip()), tuple(map(str.strip, hashes)))


def build_tools() -> list[str]:
    """Name what sets up the kit itself: uv, and what pyproject.toml builds it with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return [f"uv=={uv_version()}", *project["build-system"]["requires"], "editables"]


def rounds(wanted: Sequence[Pin]) -> list[list[Pin]]:
    """Share pins out so that in no round a package comes in two versions, which pip refuses."""
    shared: list[dict[str, Pin]] = []
    for pin in wanted:
        name = pin.wanted.name
        fitting = next((each for each in shared if name not in each), None)
        if fitting is None:
            shared.append(fitting := {})
        fitting[name] = pin
    return [[*each.values()] for each in shared]
