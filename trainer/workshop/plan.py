"""The plan of the day, and which part of it it is time for.

A plan is lines such as `09:30 Watermarks`, or a page of the guide: the rows of its table.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.problem import Problem
from trainer.workshop.seat.words import LONGEST_LINE, clean

GUIDE = ROOT / "workshop"
# A row of a table in Markdown, `| 09:30 | 45 | Watermarks | … |`: when, how long, what.
ROW = re.compile(r"\|\s*(\d{1,2}:\d\d)\s*\|[^|]*\|([^|]+)\|.*")
LINE = re.compile(r"(\d{1,2}):(\d\d)\s+(\S.*)")
MOST_PARTS = 60


@dataclass(frozen=True)
class Part:
    """What is planned from a minute of the day on."""

    minute: int
    text: str

    @property
    def time(self) -> str:
        """When it begins, as it is written."""
        return f"{self.minute // 60:02}:{self.minute % 60:02}"


def read(file: Path) -> list[Part]:
    """Read a plan, or one of the guide by its name; what is empty or begins with # is no part."""
    if not file.exists() and (GUIDE / f"{file.name}.md").exists():
        file = GUIDE / f"{file.name}.md"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"The plan {file} can't be read ({error}).") from None
    if file.suffix == ".md":
        lines = [f"{row[1]} {row[2].strip()}" for row in map(ROW.fullmatch, lines) if row]
    said = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return sorted((_part(line) for line in said[:MOST_PARTS]), key=lambda part: part.minute)


def _part(line: str) -> Part:
    found = LINE.fullmatch(line)
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        raise Problem(f"{line[:60]!r} is no line of a plan; those look like `09:30 Watermarks`.")
    return Part(int(found[1]) * 60 + int(found[2]), clean(found[3], LONGEST_LINE))


def at(plan: Sequence[Part], now: datetime) -> int:
    """Tell which part of a plan it is time for: -1 before the first."""
    minute = now.hour * 60 + now.minute
    return sum(part.minute <= minute for part in plan) - 1
