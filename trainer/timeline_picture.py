"""A timeline as a picture: event time to the right, arrival upwards, the watermark's staircase."""

import matplotlib.dates as dates
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainer.timeline import Event, Timeline

IN, START, END, LATE, WATERMARK, WINDOW = (
    "#3b6ea5", "#2a7f62", "#7a5195", "#c0392b", "#e08e0b", "#d9e4f1"
)  # fmt: skip
OUT = {
    "came": {"marker": ">", "color": START, "label": "came out"},
    "missing": {"marker": "o", "color": "none", "edgecolors": LATE, "label": "missing"},
    "surplus": {"marker": "X", "color": LATE, "label": "came, not expected"},
}
MOST_LABELS = 40


def picture(line: Timeline, title: str = "") -> Figure:
    """Draw a timeline with matplotlib."""
    batches = max([each.batch for each in (*line.events, *line.rows)], default=1)
    figure = Figure(figsize=(8.6, 1.6 + 0.55 * batches), dpi=90, layout="constrained")
    axes = figure.add_subplot()
    if line.span:
        _windows(axes, line)
        _watermark(axes, line, batches)
        _events(axes, line)
        _rows(axes, line)
    _frame(axes, line, batches, title)
    return figure


def _windows(axes: Axes, line: Timeline) -> None:
    for end in line.window_ends:
        axes.axvline(end, color=IN, linewidth=0.8, linestyle=(0, (4, 3)), alpha=0.7)
    if line.window_ends:
        axes.plot([], [], color=IN, linewidth=0.8, linestyle=(0, (4, 3)), label="end of a window")


def _watermark(axes: Axes, line: Timeline, batches: int) -> None:
    known = [(number, time) for number, time in enumerate(line.watermarks, 1) if time]
    steps = [(n, t) for n, t in known if n <= batches + 1]
    if not steps:
        return
    times = [time for _, time in steps for _ in (0, 1)]
    heights = [n + side for n, _ in steps for side in (-0.5, 0.5)]
    axes.plot(times, heights, color=WATERMARK, linewidth=2, label="watermark")
    first = line.span[0]
    left = [min(first, time) for time in times]
    axes.fill_betweenx(heights, left, times, color=WATERMARK, alpha=0.10, linewidth=0)


def _events(axes: Axes, line: Timeline) -> None:
    for name, style, chosen in _kinds(line.events):
        xs, ys = [e.time for e in chosen], [e.batch for e in chosen]
        axes.scatter(xs, ys, s=46, zorder=3, label=name, **style)
    if len(line.events) <= MOST_LABELS:
        for event in line.events:
            axes.annotate(
                event.label,
                (event.time, event.batch),
                xytext=(0, -14),  # Below: what comes out of a micro-batch is drawn above.
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=LATE if event.late else "#333333",
            )


def _kinds(events: tuple[Event, ...]) -> list[tuple[str, dict, list[Event]]]:
    starts = [e for e in events if not e.late and e.stream == "rides" and e.label.startswith("S")]
    ends = [e for e in events if not e.late and e.stream == "rides" and e.label.startswith("E")]
    others = [e for e in events if not e.late and e.stream != "rides"]
    late = [e for e in events if e.late]
    kinds = [
        ("START", {"color": START}, starts),
        ("END", {"color": "white", "edgecolors": END, "linewidths": 1.8}, ends),
        (others[0].stream if others else "", {"color": IN, "marker": "D"}, others),
        ("late", {"color": LATE, "marker": "s"}, late),
    ]
    return [kind for kind in kinds if kind[2]]


def _rows(axes: Axes, line: Timeline) -> None:
    for kind, style in OUT.items():
        rows = [row for row in line.rows if row.kind == kind and row.time]
        if rows:
            xs, ys = [row.time for row in rows], [row.batch + 0.28 for row in rows]
            axes.scatter(xs, ys, s=60, zorder=4, linewidths=1.8, **style)


def _frame(axes: Axes, line: Timeline, batches: int, title: str) -> None:
    axes.set_ylim(0.3, batches + 0.7)
    axes.set_yticks(range(1, batches + 1))
    axes.set_ylabel("micro-batch")
    axes.set_xlabel("event time")
    axes.xaxis.set_major_locator(dates.AutoDateLocator(minticks=3, maxticks=8))
    axes.xaxis.set_major_formatter(dates.DateFormatter("%H:%M", tz="UTC"))
    axes.margins(x=0.06)
    axes.grid(axis="y", color="#eeeeee")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if title:
        axes.set_title(title, loc="left", fontsize=11)
    handles, names = axes.get_legend_handles_labels()
    if handles:
        axes.figure.legend(
            handles, names, loc="outside lower center", ncols=7, frameon=False, fontsize=8
        )
