"""Pictures of the city: where its rides start, and when."""

from collections.abc import Iterator

import matplotlib.patheffects as effects
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

import datagen
from datagen import grid
from datagen.style import BLUE, FAINT, GOLD, LARGE, ORANGE, PURPLE, entitle, finish

# The city keeps winter time all year.
HOURS_BEHIND_UTC = 5
HOUR, DAY = 3600, 86_400
SOME_PLACES = {
    "Times Square": (-73.9855, 40.7580, "right"),
    "Wall Street": (-74.0090, 40.7065, "right"),
    "Harlem": (-73.9465, 40.8100, "right"),
    "Williamsburg": (-73.9600, 40.7145, "left"),
    "Downtown Brooklyn": (-73.9860, 40.6930, "left"),
    "LaGuardia": (-73.8725, 40.7745, "left"),
    "JFK": (-73.7785, 40.6440, "left"),
    "Yankee Stadium": (-73.9270, 40.8295, "left"),
    "Flushing": (-73.8305, 40.7595, "left"),
    "Coney Island": (-73.9795, 40.5755, "left"),
}
# Each kind of day: its days of the week, Monday being 0, its colour, and its kind of line.
DAYS = {
    "Monday to Thursday": ((0, 1, 2, 3), BLUE, "-"),
    "Friday": ((4,), PURPLE, "--"),
    "Saturday": ((5,), ORANGE, "-."),
    "Sunday": ((6,), GOLD, ":"),
}


def first_week(seed: int = 0) -> pa.Table:
    """Give the START events of the city's first week, Monday to Sunday."""
    batches = []
    for batch in datagen.iter_ride_events(0, 10**7, seed=seed):
        starts = batch.filter(batch["is_start"])
        batches.append(starts.filter(pc.less(_seconds(starts), _monday() + 7 * DAY)))
        if len(batches[-1]) < len(starts):
            break
    return pa.Table.from_batches(batches)


def draw_demand(starts: pa.Table) -> Figure:
    """Draw where and when rides start, given START events of whole days."""
    figure = Figure(figsize=(11, 5.8), layout="constrained")
    where, when = figure.subplots(1, 2, width_ratios=[1.05, 1.15])
    draw_cells(where, starts)
    draw_hours(when, starts)
    return figure


def draw_cells(axes: Axes, starts: pa.Table) -> None:
    """Draw how many rides start in each cell of the grid."""
    rides = _rides_by_cell(starts)
    # A scale that begins below one ride, so that a single one is seen on black.
    colours = {"cmap": "inferno", "norm": LogNorm(0.4, rides.max())}
    extent = (grid.WEST, grid.EAST, grid.SOUTH, grid.NORTH)
    axes.set_facecolor("black")
    shown = np.ma.masked_equal(rides, 0)
    image = axes.imshow(shown, extent=extent, aspect=1 / np.cos(np.radians(40.75)), **colours)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.7, pad=0.02)
    bar.ax.yaxis.set_major_formatter(_thousands())
    bar.ax.set_ylim(1, None)
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    axes.set(xlim=(-74.13, -73.735), ylim=(40.56, 40.91), xticks=[], yticks=[])
    entitle(axes, "Where: rides that start in each cell of the grid", LARGE)
    for place in SOME_PLACES.items():
        _name_place(axes, *place)


def draw_hours(axes: Axes, starts: pa.Table) -> None:
    """Draw how many rides start in each hour, by kind of day."""
    for name, rides, colour, line in _rides_by_hour(starts):
        axes.plot(range(24), rides, line, color=colour, linewidth=2.5, label=name)
    axes.set(xlim=(0, 23), ylim=(0, None), xlabel="hour of the day in New York")
    axes.set_xticks(range(0, 24, 3))
    axes.yaxis.set_major_formatter(_thousands())
    axes.grid(axis="y", color=FAINT)
    axes.set_axisbelow(True)
    axes.legend(loc="lower right", **LARGE.for_legend)
    finish(axes, "When: rides that start in each hour", LARGE, bare=True)
    axes.tick_params(length=0)


def _rides_by_cell(starts: pa.Table) -> np.ndarray:
    lon, lat = (starts[name].to_numpy().astype(float) for name in ("start_lon", "start_lat"))
    column = np.floor((lon - grid.WEST) / grid.CELL_WIDTH).astype(int)
    row = np.floor((grid.NORTH - lat) / grid.CELL_HEIGHT).astype(int)
    on_it = (column >= 0) & (column < grid.COLUMNS) & (row >= 0) & (row < grid.ROWS)
    cell = column[on_it] + grid.COLUMNS * row[on_it]
    rides = np.bincount(cell, minlength=grid.COLUMNS * grid.ROWS)
    return rides.reshape(grid.ROWS, grid.COLUMNS)


def _rides_by_hour(starts: pa.Table) -> Iterator[tuple[str, np.ndarray, str, str]]:
    local = _seconds(starts) - HOURS_BEHIND_UTC * HOUR
    # The first of January 1970 was a Thursday.
    hours = local // HOUR % 24
    day = local // DAY
    weekday = (day + 3) % 7
    for name, (weekdays, colour, line) in DAYS.items():
        of = np.isin(weekday, weekdays)
        if of.any():
            rides = np.bincount(hours[of], minlength=24) / np.unique(day[of]).size
            yield name, rides, colour, line


def _name_place(axes: Axes, name: str, place: tuple[float, float, str]) -> None:
    lon, lat, side = place
    away = 6 if side == "left" else -6
    outline = [effects.withStroke(linewidth=2.5, foreground="black")]
    axes.annotate(
        name,
        (lon, lat),
        (away, 0),
        textcoords="offset points",
        ha=side,
        va="center",
        color="white",
        fontsize=8.5,
        path_effects=outline,
    )


def _thousands() -> FuncFormatter:
    return FuncFormatter(lambda value, _: f"{value:,.0f}")


def _seconds(events: pa.Table | pa.RecordBatch) -> np.ndarray:
    return events["event_time"].cast(pa.timestamp("s")).cast(pa.int64()).to_numpy()


def _monday() -> int:
    first = datagen.ride_events(0, 1)["event_time"].cast(pa.timestamp("s")).cast(pa.int64())
    return first[0].as_py() // HOUR * HOUR
