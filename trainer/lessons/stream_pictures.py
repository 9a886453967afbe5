"""Pictures of a stream: rides along time, and when their events arrive."""

import matplotlib.dates as dates
import matplotlib.pyplot as plt
import pandas as pd
from pyspark.sql import DataFrame

from datagen.style import BLUE, GREY, INK, LARGE, MANY, ORANGE, finish


def draw_time_line(events: DataFrame) -> None:
    """Draw rides as bars along event time and, below them, their events as one stream."""
    rides = list(events.orderBy("event_time").toPandas().groupby("ride_id"))
    _, axes = plt.subplots(figsize=(11, 4.4), layout="constrained")
    for lane, (ride_id, ride) in enumerate(rides):
        _draw_ride(axes, len(rides) - lane, ride_id, ride, MANY[lane % len(MANY)])
    axes.axhline(0, color=INK, linewidth=1, zorder=0)
    axes.set(ylim=(-1.4, len(rides) + 1), yticks=[0], yticklabels=["the stream"])
    axes.set(xlabel="event time (UTC)")
    axes.xaxis.set_major_formatter(dates.DateFormatter("%H:%M"))
    finish(axes, "Some rides, and what the stream brings of them", LARGE, bare=True)
    plt.show()


def _draw_ride(axes: plt.Axes, height: int, ride_id: int, ride: pd.DataFrame, colour: str) -> None:
    times = ride["event_time"]
    axes.plot(times, [height] * 2, color=colour, linewidth=9, alpha=0.35)
    axes.text(times.iloc[0], height + 0.32, f"ride {ride_id}", color=colour, weight="bold")
    for time, is_start in zip(times, ride["is_start"], strict=True):
        fill = colour if is_start else "white"
        axes.plot([time] * 2, [0, height], ":", color=colour, linewidth=1)
        axes.plot([time] * 2, [0, height], "o", ms=9, color=fill, mec=colour, mew=2)
        label = f"{'START' if is_start else 'END'}\n{ride_id}"
        axes.text(time, -0.45, label, ha="center", va="top", fontsize=LARGE.scale)


def draw_delays(events: DataFrame) -> None:
    """Draw each event by when it arrived and when it happened, given the truth about each."""
    table = events.toPandas()
    table["arrival"] = table["event_time"] + pd.to_timedelta(table["arrival_delay_s"], unit="s")
    _, axes = plt.subplots(figsize=(7.5, 5.6), layout="constrained")
    ends = [table["event_time"].min(), table["event_time"].max()]
    axes.plot(ends, ends, color=GREY, label="if nothing waited: arrival = event")
    for late, mark, colour, label in (
        (False, ".", BLUE, "a little late: disorder"),
        (True, "X", ORANGE, "very late: late"),
    ):
        dots = table[table["is_late"] == late]
        axes.plot(dots["arrival"], dots["event_time"], mark, color=colour, ms=7, label=label)
    _name_the_latest(axes, table)
    axes.set(xlabel="arrival time", ylabel="event time")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(dates.DateFormatter("%H:%M"))
    axes.legend(loc="upper left", **LARGE.for_legend)
    finish(axes, "When it happened, against when it arrived", LARGE)
    plt.show()


def _name_the_latest(axes: plt.Axes, table: pd.DataFrame) -> None:
    latest = table.loc[table["arrival_delay_s"].idxmax()]
    here = (latest["arrival"], latest["event_time"])
    axes.plot([here[1], here[0]], [here[1]] * 2, "--", color=ORANGE, linewidth=1)
    kind = "START" if latest["is_start"] else "END"
    note = (
        f"{kind} of ride {latest['ride_id']}:\n{latest['arrival_delay_s'] / 60:.0f} min on the way"
    )
    axes.annotate(note, here, (9, 0), textcoords="offset points", va="center", fontsize=LARGE.scale)
