"""A learner's progress: a plain file in their clone, which stays on their machine."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from trainer.course import safe_file
from trainer.course.clone import ROOT

FILE = ROOT / "progress.json"


@dataclass
class Record:
    """What is known of one exercise: attempts, hints read, the last verdict, when first solved.

    `worked` says when it was last checked, or a hint was read.
    `cell` marks the text with which a notebook's cell and the file last agreed, `old_cells` those
    that the file had left behind when a new cell was made of it.
    """

    attempts: int = 0
    hints: int = 0
    verdict: str = "untouched"
    solved: str | None = None
    worked: str | None = field(default=None, compare=False)
    cell: str | None = None
    old_cells: list[str] = field(default_factory=list)


class Progress:
    """The progress file, read afresh for each look and written whole for each change."""

    def __init__(self, file: Path = FILE) -> None:
        """Keep progress in a file; it need not exist."""
        self.file = file

    def of(self, stem: str) -> Record:
        """Give the record of an exercise."""
        return self._read().get(stem, Record())

    def attempted(self, stem: str, verdict: str) -> Record:
        """Count an attempt and its verdict; the first that is correct is remembered."""
        with self._changing(stem) as record:
            record.attempts += 1
            record.verdict = verdict
            record.worked = _now()
            if verdict == "correct" and not record.solved:
                record.solved = record.worked
        return record

    def took_hint(self, stem: str) -> Record:
        """Count a hint."""
        with self._changing(stem) as record:
            record.hints += 1
            record.worked = _now()
        return record

    def last(self) -> str | None:
        """Name the exercise that was last checked, or for which a hint was read."""
        worked = {stem: record.worked for stem, record in self._read().items() if record.worked}
        return max(worked, key=worked.get, default=None)

    def met_in_a_cell(self, stem: str, mark: str) -> None:
        """Remember the text with which a cell and the file agree."""
        with self._changing(stem) as record:
            record.cell = mark
            record.old_cells = [old for old in record.old_cells if old != mark]

    def left_cells_behind(self, stem: str, mark: str) -> None:
        """Remember a new cell's text, and that cells with the text before it are out of date."""
        with self._changing(stem) as record:
            if record.cell not in (None, mark):
                record.old_cells.append(record.cell)
            record.cell = mark

    def started_over(self, stem: str) -> None:
        """Forget the last verdict: the stub is back as it was."""
        with self._changing(stem) as record:
            record.verdict = "untouched"

    @contextmanager
    def _changing(self, stem: str) -> Iterator[Record]:
        # A notebook and a terminal may both be at work.
        with safe_file.one_at_a_time(Path(f"{self.file}.lock")):
            records = self._read()
            yield records.setdefault(stem, Record())
            kept = {stem: asdict(record) for stem, record in records.items()}
            safe_file.write(self.file, json.dumps(kept, indent=1) + "\n")

    def _read(self) -> dict[str, Record]:
        try:
            stored = json.loads(self.file.read_text(encoding="utf-8"))
            return {stem: Record(**fields) for stem, fields in stored.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError):
            return self._set_aside()

    def _set_aside(self) -> dict[str, Record]:
        """Keep a file that can't be read under another name, say so, and begin anew."""
        aside = self.file.with_name(f"{self.file.name}.damaged-{datetime.now():%Y%m%d-%H%M%S-%f}")
        self.file.replace(aside)
        print(f"{self.file.name} was damaged: it is kept as {aside.name}, and a new one begins.")
        return {}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
