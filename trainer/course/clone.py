"""Where the clone of the kit lies, and its folders."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
EXERCISES = ROOT / "exercises"
# What a learner wrote and the course had to put aside; git doesn't see it.
MINE = ROOT / "mine"


def lessons() -> list[Path]:
    """Give the notebooks of the chapters, in their order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
