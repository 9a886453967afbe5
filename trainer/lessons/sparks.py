"""Small charts of how a query has been of late, one number along its micro-batches each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainer.running.result import total, watermark

WIDTH, HEIGHT = 150, 36


@dataclass(frozen=True)
class Chart:
    """One number, micro-batch by micro-batch."""

    name: str
    values: Sequence[float]
    unit: str = ""

    @property
    def line(self) -> str:
        """The points of its line, as SVG wants them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self._points())

    @property
    def area(self) -> str:
        """The points of what lies below its line."""
        return f"0,{HEIGHT} {self.line} {WIDTH},{HEIGHT}"

    @property
    def now(self) -> str:
        """The last value, in words."""
        return f"{self.values[-1]:,.0f}{self.unit}" if self.values else "–"

    @property
    def most(self) -> str:
        """The largest value, in words."""
        return f"{max(self.values, default=0):,.0f}{self.unit}"

    def _points(self) -> Iterator[tuple[float, float]]:
        # A number that does not move is a line, too.
        values = self.values if len(self.values) > 1 else [*self.values, *self.values]
        top = max(values, default=0) or 1
        for at, value in enumerate(values):
            yield WIDTH * at / (len(values) - 1), HEIGHT - (HEIGHT - 3) * value / top - 1


def charts(reports: Sequence[Mapping]) -> list[Chart]:
    """Draw what Spark's reports say of pace, lag, state and loss."""
    return [
        Chart("rows a second", [report.get("processedRowsPerSecond", 0.0) for report in reports]),
        Chart("watermark behind", list(_lags(reports)), " min"),
        Chart("rows of state", [total(report, "numRowsTotal") for report in reports]),
        Chart("dropped late", [total(report, "numRowsDroppedByWatermark") for report in reports]),
    ]


def _lags(reports: Sequence[Mapping]) -> Iterator[float]:
    """Give by how many minutes the watermark was behind the newest event, where there are both."""
    newest = None
    for report in reports:
        if latest := report.get("eventTime", {}).get("max"):
            time = datetime.fromisoformat(latest)
            newest = max(newest or time, time)
        if newest and (mark := watermark(report)):
            yield (newest - mark).total_seconds() / 60
