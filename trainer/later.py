"""What notebooks call and a terminal never does: loaded when it is called, not before."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.streaming import StreamingQuery

    from trainer.lessons.stepper import Steps


def step(function: Callable, **streams: object) -> "Steps":
    """Run a function on scripted streams, and walk through it micro-batch by micro-batch."""
    from trainer.lessons import stepper

    return stepper.step(function, **streams)


def live(query: "StreamingQuery", *, rows: int = 5, seconds: float | None = None) -> None:
    """Show a running query in one place, until it stops, or the cell is, or time is up.

    With `format("memory")` and a name the newest rows are shown too. The query itself is left
    alone: `query.stop()` stops it.
    """
    from trainer.lessons import pulse

    pulse.live(query, rows=rows, seconds=seconds)
