"""A timeline as a picture: event time to the right, arrival upwards, the watermark's staircase."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import matplotlib.dates as dates
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from datagen.style import (
    AMBER,
    BRICK,
    INK,
    LABEL,
    LEAF,
    MEDIUM,
    PAPER,
    PLUM,
    STEEL,
    entitle,
    finish,
)
from trainer.display.tables import cell
from trainer.display.timeline import Event, Timeline

IN, START, END, LATE, WATERMARK = STEEL, LEAF, PLUM, BRICK, AMBER
EVENTS = {
    "START": {"color": START},
    "END": {"color": "white", "edgecolors": END, "linewidths": 1.8},
    "behind": {"color": LATE, "marker": "s"},
}
OTHER = {"color": IN, "marker": "D"}
OUT = {
    "came": {"marker": ">", "color": START, "label": "came out"},
    "changed": {"marker": "D", "color": LATE, "label": "came with a wrong value"},
    "moved": {"marker": "^", "color": LATE, "label": "came in the wrong micro-batch"},
    "missing": {"marker": "o", "color": "none", "edgecolors": LATE, "label": "missing"},
    "due": {"marker": "p", "color": "none", "edgecolors": LATE, "label": "belongs here"},
    "surplus": {"marker": "X", "color": LATE, "label": "came, not expected"},
}
WIDE, LANE = 8.6, 0.30
MOST_LANES = 6
# Shares of the width: so far apart are two events whose labels don't touch, and one of two letters.
LETTER, BETWEEN = 0.0105, 0.012


@dataclass(frozen=True)
class Band:
    """The part of the picture that belongs to one micro-batch: its lanes, from below."""

    bottom: float
    lanes: list[list[Event]]
    left: int
    rows: bool

    @property
    def top(self) -> float:
        """Where the next one begins; what comes out has a lane of its own, above the others."""
        return self.bottom + max(1, len(self.lanes)) + self.rows + 0.35

    def height(self, lane: int) -> float:
        """Where a lane lies."""
        return self.bottom + 0.55 + lane


def picture(line: Timeline, title: str = "") -> Figure:
    """Draw a timeline with matplotlib."""
    bands = list(_bands(line))
    height = bands[-1].top if bands else 1
    figure = Figure(figsize=(WIDE, 1.1 + LANE * height), dpi=96, layout="constrained")
    figure.set_facecolor("white")
    axes = figure.add_subplot()
    if line.span:
        _frame(axes, line, bands)
        _windows(axes, line)
        _watermark(axes, line, bands)
        _upgrade(axes, line, bands)
        for number, band in enumerate(bands, 1):
            _events(axes, line, band)
            _rows(axes, line, number, band)
        _legend(figure, axes)
    if title:
        entitle(axes, title)
    return figure


def _bands(line: Timeline) -> Iterator[Band]:
    bottom = 0.0
    for number in line.batches:
        longest = max([len(e.label) for e in line.events if e.batch == number], default=2)
        lanes, left = line.lanes(number, LETTER * longest + BETWEEN, MOST_LANES)
        band = Band(bottom, lanes, left, any(row.batch == number for row in line.rows))
        yield band
        bottom = band.top


def _frame(axes: Axes, line: Timeline, bands: list[Band]) -> None:
    for band in bands[::2]:
        axes.axhspan(band.bottom, band.top, color=PAPER, linewidth=0, zorder=0)
    axes.set_ylim(0, bands[-1].top)
    axes.set_yticks([(band.bottom + band.top) / 2 for band in bands], line.batches)
    axes.set_ylabel(line.told or "micro-batch")
    axes.set_xlabel("event time")
    first, last = line.span
    margin = max((last - first) * 0.05, timedelta(seconds=20))
    axes.set_xlim(*_widened(first, last, margin))
    axes.xaxis.set_major_locator(dates.AutoDateLocator(minticks=3, maxticks=8))
    clock = "%H:%M" if last - first > timedelta(minutes=8) else "%H:%M:%S"
    day = "" if first.date() == last.date() else "\n%Y-%m-%d"
    axes.xaxis.set_major_formatter(dates.DateFormatter(clock + day, tz="UTC"))
    finish(axes, letters=MEDIUM, bare=True)
    axes.tick_params(length=0, colors=INK)


def _widened(first: datetime, last: datetime, margin: timedelta) -> tuple[datetime, datetime]:
    """Leave room on both sides, as far as there are years."""
    least, most = (end.replace(tzinfo=first.tzinfo) for end in (datetime.min, datetime.max))
    return max(first, least + margin) - margin, min(last, most - margin) + margin


def _windows(axes: Axes, line: Timeline) -> None:
    style = {"color": IN, "linewidth": 0.8, "linestyle": (0, (4, 3)), "alpha": 0.7, "zorder": 1}
    for number, end in enumerate(line.window_ends):
        axes.axvline(end, label="" if number else "end of a window", **style)


def _upgrade(axes: Axes, line: Timeline, bands: list[Band]) -> None:
    """Draw where another version goes on, between two micro-batches."""
    if 0 < line.upgraded_after < len(bands):
        height = bands[line.upgraded_after].bottom
        axes.axhline(height, color=INK, linewidth=1.6, zorder=2)
        corner = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "bottom"}
        axes.annotate("version two from here ▴", (0.996, height), **corner, **_text(INK))


def _watermark(axes: Axes, line: Timeline, bands: list[Band]) -> None:
    """Draw the staircase: to its left an event is too late, from the next micro-batch on."""
    steps = [(b, t) for b, t in zip(bands, line.watermarks, strict=False) if t]
    if not steps:
        return
    times = [time for _, time in steps for _ in (0, 1)]
    heights = [side for band, _ in steps for side in (band.bottom, band.top)]
    style = {"color": WATERMARK, "linewidth": 2, "zorder": 2, "solid_capstyle": "butt"}
    axes.plot(times, heights, label="watermark", **style)
    edge = [axes.convert_xunits(datetime(1970, 1, 1, tzinfo=line.span[0].tzinfo))] * len(times)
    axes.fill_betweenx(heights, edge, times, color=WATERMARK, alpha=0.09, linewidth=0, zorder=1)
    for band, time in steps:
        _beyond(axes, band, time)


def _beyond(axes: Axes, band: Band, time: datetime) -> None:
    """Say of a watermark that lies left or right of the picture which way, and where."""
    left, right = axes.get_xlim()
    at = axes.convert_xunits(time)
    if left <= at <= right:
        return
    text, place, side = (f"◂ {cell(time)}", 0.004, "left")
    if at > right:
        text, place, side = (f"{cell(time)} ▸", 0.996, "right")
    # Above what comes out and below it there is room at the edges.
    style = {"xycoords": ("axes fraction", "data"), "ha": side, "va": "bottom", "weight": "bold"}
    axes.annotate(text, (place, band.bottom), **style, **_text(WATERMARK))


def _events(axes: Axes, line: Timeline, band: Band) -> None:
    for at, lane in enumerate(band.lanes):
        for event in lane:
            name, style = _look(event, line.behind)
            point = (event.time, band.height(at))
            axes.scatter(*point, s=42, zorder=3, label=name, **style)
            colour = LATE if event.behind else INK
            axes.annotate(event.label, point, (5, -3), textcoords="offset points", **_text(colour))
    if band.left:
        corner = {"xycoords": ("axes fraction", "data"), "ha": "right"}
        axes.annotate(f"and {band.left} more", (1, band.bottom + 0.2), **corner, **_text(INK))


def _look(event: Event, behind: str) -> tuple[str, dict]:
    names = {"S": "START", "E": "END"}
    name = names.get(event.label[:1], "") if event.stream == "rides" else event.stream
    look = EVENTS.get("behind" if event.behind else name, OTHER)
    return behind if event.behind else name, look


def _rows(axes: Axes, line: Timeline, number: int, band: Band) -> None:
    height = band.height(max(1, len(band.lanes)))
    for kind, style in OUT.items():
        rows = [row for row in line.rows if (row.batch, row.kind) == (number, kind) and row.time]
        # One that was missed where another came stays visible, around it.
        size = 120 if kind in ("missing", "due") else 52
        times = [row.time for row in rows]
        if rows:
            axes.scatter(times, [height] * len(rows), s=size, zorder=4, linewidths=1.6, **style)


def _text(colour: str) -> dict:
    return {"fontsize": LABEL, "color": colour, "zorder": 5}


def _legend(figure: Figure, axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    shown = {name: handle for name, handle in zip(names, handles, strict=True) if name}
    figure.legend(
        shown.values(),
        shown,
        loc="outside lower center",
        ncols=5,
        **MEDIUM.for_legend,
    )
