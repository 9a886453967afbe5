"""A running query, watched: its pace, its watermark, what it keeps, drops and gives."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from IPython.display import DisplayHandle
from pyspark import SparkContext
from pyspark.sql.streaming import StreamingQuery

from trainer.display.pages import fill
from trainer.display.tables import Grid, Line, plain
from trainer.lessons.sparks import HEIGHT, WIDTH, Chart, charts
from trainer.running.result import total, watermark
from trainer.spark import cells, dropped_rows

EVERY = 0.5
LEFT = "No longer watched; the query itself goes on: `query.stop()` stops it."


@dataclass(frozen=True)
class Pulse:
    """What a query said of its last micro-batch."""

    state: str
    batch: int
    rows_per_second: float
    newest: datetime | None
    watermark: datetime | None
    state_rows: int
    dropped: int
    rows: Sequence[dict]
    charts: Sequence[Chart] = ()
    page: str = ""
    note: str = ""

    @property
    def grid(self) -> Grid:
        """What the query said last, as a table."""
        return Grid("", self._names(), (Line("", self._values()),))

    @property
    def newest_rows(self) -> Grid:
        """The newest rows, as a table."""
        return plain("the newest rows", self.rows)

    def _repr_html_(self) -> str:
        return fill("live", pulse=self, width=WIDTH, height=HEIGHT)

    def __repr__(self) -> str:
        """Write it in a line."""
        pairs = zip(self._names(), self._values(), strict=True)
        return ", ".join(f"{name}: {value}" for name, value in pairs)

    def _names(self) -> tuple[str, ...]:
        return (
            *("query", "micro-batch", "rows a second", "newest event", "watermark", "behind by"),
            *("rows of state", "rows dropped late"),
        )

    def _values(self) -> tuple[str, ...]:
        behind = str(self.newest - self.watermark) if self.newest and self.watermark else "–"
        times = [
            f"{time:%d %b %H:%M:%S}" if time else "–" for time in (self.newest, self.watermark)
        ]
        rate = f"{self.rows_per_second:,.0f}"
        return (self.state, str(self.batch), rate, *times, behind, *map(str, self._counts()))

    def _counts(self) -> tuple[int, int]:
        return self.state_rows, self.dropped


def pulse(query: StreamingQuery, rows: int = 5) -> Pulse:
    """Look at a query once."""
    reports = [json.loads(report.json) for report in query.recentProgress]
    last = reports[-1] if reports else {"stateOperators": []}
    newest = [r["eventTime"]["max"] for r in reports if "max" in r.get("eventTime", {})]
    return Pulse(
        state="running" if query.isActive else "stopped",
        batch=last.get("batchId", -1) + 1,
        rows_per_second=last.get("processedRowsPerSecond", 0.0),
        newest=datetime.fromisoformat(max(newest)) if newest else None,
        watermark=watermark(last),
        state_rows=total(last, "numRowsTotal"),
        dropped=dropped_rows.dropped(query, reports),
        rows=_newest_rows(query, rows),
        charts=charts(reports),
        page=_page(query),
    )


def _page(query: StreamingQuery) -> str:
    """Give the address of Spark's own page on a query, as long as it runs."""
    context = SparkContext._active_spark_context
    served = context.uiWebUrl if context and query.isActive else None
    return f"{served}/StreamingQuery/statistics?id={query.runId}" if served else ""


def _newest_rows(query: StreamingQuery, count: int) -> list[dict]:
    """Read the last rows of a memory sink; other sinks keep theirs to themselves."""
    from trainer.spark.session import session

    if not query.name or not session().catalog.tableExists(query.name):
        return []
    return [row.asDict() for row in session().table(query.name).tail(count)]


def live(query: StreamingQuery, *, rows: int = 5, seconds: float | None = None) -> None:
    """Show a running query in one place, until it stops, or the cell is, or time is up.

    With `format("memory")` and a name the newest rows are shown too. The query itself is left
    alone: `query.stop()` stops it.
    """
    handle = DisplayHandle()
    handle.display(pulse(query, rows))
    rounds = None if seconds is None else round(seconds / EVERY)
    try:
        while query.isActive and rounds != 0:
            query.awaitTermination(EVERY)
            handle.update(pulse(query, rows))
            rounds = None if rounds is None else rounds - 1
    except KeyboardInterrupt:
        # To leave the view is no mistake: cells that wait for this one may run.
        cells.end()
    handle.update(replace(pulse(query, rows), note=LEFT if query.isActive else ""))
