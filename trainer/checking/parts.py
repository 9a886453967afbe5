"""Parts of a report: where one of them can't be had, all the others stand."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from traceback import extract_tb
from typing import TypeVar

from trainer.course.clone import ROOT

Part = TypeVar("Part")
PACKAGES = {"taxi-streams": "course", "pyspark": "PySpark"}


@dataclass(frozen=True)
class Missing:
    """A part that could not be had, and why."""

    part: str
    error: Exception

    def told(self, stem: str) -> str:
        """Say what is missing, in a line that can be sent to us: what failed, where, with what."""
        said = " ".join(f"{type(self.error).__name__}: {self.error}".split())[:200]
        about = ", ".join(filter(None, (self._place(), stem, _versions())))
        return f"No {self.part}: our fault, not yours. Please send us this line. {said} ({about})"

    def _place(self) -> str:
        """Name the line of ours that is nearest to where it failed."""
        frames = extract_tb(self.error.__traceback__)
        ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT / "trainer")]
        return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""


def had(part: str, find: Callable[[], Part]) -> Part | Missing:
    """Give a part of a report, or say that it is missing."""
    try:
        return find()
    except Exception as error:
        return Missing(part, error)


def _versions() -> str:
    found = [f"{name} {metadata.version(package)}" for package, name in PACKAGES.items()]
    return ", ".join([*found, f"Python {platform.python_version()}", platform.system()])
