"""What a scripted run gave: plain rows and numbers, micro-batch by micro-batch."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trainer.rows import Row, in_order
from trainer.running.contents import Part
from trainer.running.held import Held
from trainer.running.scenario import Scenario

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Result:
    """What one output of an answer did, from the first micro-batch to the end of the drain.

    All lists have one entry for each micro-batch, those of the drain included: the rows that came
    out, the rows of state kept after it, the rows dropped for being late, and the watermark it
    worked with (None while there is none). `schema` reads like `ride_id bigint, tip float`.
    `state_held` is what state really holds in the end, `contents` what was in it after each
    micro-batch, if the run was asked to look.
    """

    batches: list[list[Row]]
    state_rows: list[int]
    dropped_late: list[int]
    watermarks: list[datetime | None]
    schema: str
    scenario: Scenario | None = field(default=None, compare=False, repr=False)
    state_held: Held | None = None
    contents: list[Part] | None = field(default=None, compare=False, repr=False)

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order they came out."""
        return [row for batch in self.batches for row in batch]

    def column(self, name: str) -> list[object]:
        """All values of one column, in the order they came out."""
        return [row[name] for row in self.rows]

    def sorted(self, *names: str) -> list[Row]:
        """All rows, sorted by these columns; nulls last."""
        return in_order(self.rows, *names)

    def timeline(self, title: str = "") -> Figure:
        """Draw the run: events by time and arrival, the watermark's staircase, what came out."""
        from trainer.display.timeline import timeline
        from trainer.display.timeline_picture import picture

        return picture(timeline(self.scenario, self), title)


Outcome = Result | dict[str, Result]


def outputs(outcome: Outcome) -> dict[str, Result]:
    """Give the outputs of a run by name; a single one is called ''."""
    return outcome if isinstance(outcome, dict) else {"": outcome}


def watermark(progress: dict) -> datetime | None:
    """Read the watermark of a micro-batch from Spark's report; the epoch means none yet."""
    text = progress.get("eventTime", {}).get("watermark")
    time = datetime.fromisoformat(text) if text else None
    return time if time and time > datetime.fromtimestamp(0, UTC) else None


def total(progress: dict, what: str) -> int:
    """Add up a number over the stateful operators of a micro-batch, from Spark's report."""
    return sum(operator[what] for operator in progress["stateOperators"])
