"""Pictures of queries: micro-batches along the clock, and rows that a shuffle moves."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import pandas as pd
from pyspark.sql import Row
from pyspark.sql.streaming.listener import StreamingQueryProgress

from datagen.style import GREY, INK, LARGE, MANY, finish

# How many seconds of the clock one digit of a number takes up.
A_DIGIT = 0.09


def draw_triggers(
    runs: Mapping[str, Sequence[StreamingQueryProgress]], rows_per_second: float
) -> None:
    """Draw the micro-batches of some queries along the clock, and the rows that each one took.

    Rows of a query that ends by itself were all there before; the others come at a pace.
    """
    _, panels = plt.subplots(
        len(runs), 1, figsize=(11, 6), sharex=True, squeeze=False, layout="constrained"
    )
    for axes, (name, reports) in zip(panels[:, 0], runs.items(), strict=True):
        _draw_run(axes, reports, None if "availableNow" in name else rows_per_second)
        axes.set(ylim=(-0.4, 1.1), yticks=[-0.15, 0.45])
        axes.set_yticklabels(["rows arrive", "micro-batches"])
        finish(axes, name, LARGE, bare=True)
    what = "a funnel leads from rows to the micro-batch that takes them; over it: how many"
    panels[-1, 0].set_xlabel(f"seconds since the query began ({what})")
    plt.show()


def _draw_run(
    axes: plt.Axes, reports: Sequence[StreamingQueryProgress], pace: float | None
) -> None:
    zero, taken = pd.Timestamp(reports[0].timestamp), 0
    total = sum(report.numInputRows for report in reports)
    with_rows = [report for report in reports if report.numInputRows]
    last, raised = float("-inf"), False
    for report, colour in zip(with_rows, cycle(MANY), strict=False):
        begins = (pd.Timestamp(report.timestamp) - zero).total_seconds()
        takes = report.durationMs["triggerExecution"] / 1000
        ends, count = begins + takes, report.numInputRows
        axes.broken_barh([(begins, takes)], (0.2, 0.5), color=colour, edgecolor=INK, linewidth=0.6)
        # Numbers that would run into each other stand higher and lower by turns.
        middle = begins + takes / 2
        raised, last = middle - last < A_DIGIT * len(str(count)) and not raised, middle
        height = 0.92 if raised else 0.78
        axes.text(middle, height, count, ha="center", fontsize=LARGE.scale, color=INK)
        rows = range(taken, taken + count)
        arrive = [row / pace if pace else row / total - 1.1 for row in rows]
        axes.plot(arrive, [-0.15] * count, "o", color=colour, markersize=2.5)
        sides, heights = [arrive[0], arrive[-1], ends, begins], [-0.12, -0.12, 0.2, 0.2]
        axes.fill(sides, heights, facecolor=colour, edgecolor=INK, alpha=0.3, linewidth=0.6)
        taken += count


def draw_shuffle(before: Sequence[Row], after: Sequence[Row]) -> None:
    """Draw where events lie before and after a shuffle, given ride_id, is_start and partition."""
    left = _places(before, 0, lambda row: not row.is_start)
    right = _places(after, 4, lambda row: (row.ride_id, not row.is_start))
    colours = dict(zip(sorted({ride_id for ride_id, _ in left}), cycle(MANY), strict=False))
    _, axes = plt.subplots(figsize=(9, 6.4), layout="constrained")
    for event, (x, y) in left.items():
        colour = colours[event[0]]
        axes.plot([x, right[event][0]], [y, right[event][1]], color=colour, lw=1.2, alpha=0.6)
        for place in (left[event], right[event]):
            _draw_event(axes, place, *event, colour)
    for x, side, text in ((0, -1, "before the shuffle"), (4, 1, "after it")):
        axes.text(x, 1.2, text, ha="center", color=INK, weight="bold")
        for partition in (0, 1):
            _draw_partition(axes, x, side, partition)
    axes.text(2, -15, "full: START      empty: END", ha="center", color=INK)
    axes.set(xlim=(-1.8, 5.8), ylim=(-15.5, 2))
    axes.axis("off")
    plt.show()


def _places(rows: Sequence[Row], x: int, order: Callable) -> dict[tuple, tuple[float, float]]:
    """Give each event its place, in the box of its partition."""
    partitions = [sorted((r for r in rows if r.partition == p), key=order) for p in (0, 1)]
    return {
        (row.ride_id, row.is_start): (x, -8 * number - place)
        for number, partition in enumerate(partitions)
        for place, row in enumerate(partition)
    }


def _draw_event(axes: plt.Axes, place: tuple, ride_id: int, is_start: bool, colour: str) -> None:
    fill, ink = (colour, "white") if is_start else ("white", colour)
    axes.plot(*place, "o", markersize=19, color=fill, markeredgecolor=colour, mew=2)
    axes.text(*place, ride_id, ha="center", va="center", color=ink, weight="bold")


def _draw_partition(axes: plt.Axes, x: int, side: int, partition: int) -> None:
    corner = (x - 0.4, -8 * partition - 5.6)
    axes.add_patch(plt.Rectangle(corner, 0.8, 6.2, fill=False, color=GREY))
    name, align = f"partition {partition}", "right" if side < 0 else "left"
    axes.text(x + side * 0.5, -8 * partition - 2.5, name, ha=align, va="center", color=INK)
