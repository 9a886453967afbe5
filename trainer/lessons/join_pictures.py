"""Pictures for the lesson on joins: cells and their names, time and arrival, what state holds."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import matplotlib.dates as dates
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from datagen.geo import CELL_HEIGHT, CELL_WIDTH, COLUMNS, NORTH, WEST
from datagen.style import BLUE, GREEN, GREY, INK, LABEL, NOTE, ORANGE, PALE, SMALL, finish

# So far from the border, in degrees, a name fits in.
MARGIN = 0.004


def draw_cells(zones: Sequence, rides: Sequence, box: tuple[float, float, float, float]) -> None:
    """Draw the cells of a part of the city, coloured by place, and where these rides start."""
    west, east, south, north = box
    _, axes = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
    where: dict[str, list[tuple[float, float]]] = {}
    for zone in zones:
        row, column = divmod(zone.cell, COLUMNS)
        lon, lat = WEST + column * CELL_WIDTH, NORTH - (row + 1) * CELL_HEIGHT
        if west - CELL_WIDTH < lon < east and south - CELL_HEIGHT < lat < north:
            where.setdefault(zone.place, []).append((lon, lat))
    for number, (place, corners) in enumerate(sorted(where.items())):
        for corner in corners:
            colour = plt.get_cmap("tab20")(number % 20, alpha=0.35)
            axes.add_patch(
                Rectangle(corner, CELL_WIDTH, CELL_HEIGHT, fc=colour, ec="white", lw=0.4)
            )
        lon, lat = (sum(side) / len(corners) for side in zip(*corners, strict=True))
        inside = west + MARGIN < lon < east - MARGIN and south + MARGIN / 2 < lat
        if len(corners) > 15 and inside:
            axes.text(lon, lat, place, ha="center", va="center", fontsize=LABEL, color=INK)
    lons, lats = [ride.start_lon for ride in rides], [ride.start_lat for ride in rides]
    axes.plot(lons, lats, ".", color=INK, ms=4)
    axes.set(xlim=(west, east), ylim=(south, north), aspect=1.32)
    axes.set(xlabel="longitude", ylabel="latitude")
    finish(axes, "Each small square is a cell, each colour a place, each dot a pickup")
    plt.show()


def draw_arrivals(batches: Sequence[Sequence[datetime]], watermarks: Sequence[datetime]) -> None:
    """Draw the event times of each micro-batch in the order of arrival, and the watermark."""
    _, axes = plt.subplots(figsize=(7.6, 3.6), layout="constrained")
    first = 0
    for number, (times, watermark) in enumerate(zip(batches, watermarks, strict=True)):
        last = first + len(times)
        axes.plot(
            range(first, last), times, ".", color=BLUE, ms=4, label="event" if not first else ""
        )
        axes.axvline(last - 0.5, color=PALE, lw=0.8, zorder=0)
        axes.annotate(
            f"micro-batch {number + 1}",
            ((first + last) / 2, 0.01),
            xycoords=("data", "axes fraction"),
            ha="center",
            fontsize=LABEL,
            color=INK,
        )
        if watermark:
            label = "watermark" if number == 1 else ""
            axes.hlines(watermark, first - 0.5, last - 0.5, color=ORANGE, lw=2, label=label)
        first = last
    axes.set(xlabel="order of arrival", ylabel="event time", xlim=(0, first))
    axes.yaxis.set_major_formatter(dates.DateFormatter("%H:%M"))
    axes.legend(loc="upper left", **SMALL.for_legend)
    finish(axes, "The watermark follows the newest event, ten minutes behind")
    plt.show()


def draw_state(series: Mapping[str, Sequence[int]], title: str) -> None:
    """Draw how many rows of state each query keeps after each of its micro-batches."""
    _, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    for (name, rows), colour in zip(series.items(), (ORANGE, BLUE, GREEN), strict=False):
        axes.plot(range(1, len(rows) + 1), rows, "o-", color=colour, lw=2, ms=4)
        axes.annotate(
            name,
            (len(rows), rows[-1]),
            (6, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            fontsize=NOTE,
        )
    axes.set(xlabel="micro-batch", ylabel="rows of state", ylim=(0, None))
    finish(axes, title)
    plt.show()


def draw_reach(
    event: datetime, reach: tuple[datetime, datetime], watermark: datetime, words: Mapping[str, str]
) -> None:
    """Draw the span of time in which an event's other half may lie, and a watermark past it."""
    _, axes = plt.subplots(figsize=(7.6, 1.9), layout="constrained")
    axes.hlines(0, *reach, color=GREY, lw=14)
    axes.plot([event], [0], "o", color=BLUE, ms=10)
    axes.axvline(watermark, color=ORANGE, lw=2)
    labels = (event, words["event"], BLUE, 16), (reach[1], words["reach"], INK, -24)
    for time, text, colour, away in labels:
        side = "right" if away < 0 else "center"
        axes.annotate(
            text,
            (time, 0),
            (0, away),
            textcoords="offset points",
            ha=side,
            fontsize=NOTE,
            color=colour,
        )
    axes.annotate(
        words["watermark"],
        (watermark, 0),
        (6, 0),
        textcoords="offset points",
        fontsize=NOTE,
        color=ORANGE,
        va="center",
    )
    axes.set(ylim=(-1, 1), yticks=[], xlabel="event time")
    axes.xaxis.set_major_formatter(dates.DateFormatter("%H:%M"))
    axes.margins(x=0.25)
    axes.spines["left"].set_visible(False)
    finish(axes, words["title"])
    plt.show()
