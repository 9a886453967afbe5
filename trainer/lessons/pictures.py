"""Pictures for lessons: rides on the map, and what went into and came out of each micro-batch."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle
from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from datagen.grid import EAST, NORTH, SOUTH, WEST
from datagen.style import BLUE, GREY, INK, LABEL, NOTE, ORANGE, SMALL, finish

INSIDE, OUTSIDE = BLUE, ORANGE


def draw_rides(rides: DataFrame, title: str) -> None:
    """Draw each ride as a line; one that leaves the city in orange, with a cross at its end."""
    _, axes = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
    axes.add_patch(
        Rectangle((WEST, SOUTH), EAST - WEST, NORTH - SOUTH, fill=False, color=INK, lw=1.2)
    )
    axes.text(WEST, NORTH + 0.006, "New York City, to our planners", color=INK, fontsize=NOTE)
    for ride in rides.collect():
        lons, lats = (ride.start_lon, ride.end_lon), (ride.start_lat, ride.end_lat)
        here = all(WEST <= lon <= EAST for lon in lons) and all(SOUTH <= y <= NORTH for y in lats)
        axes.plot(lons, lats, color=INSIDE if here else OUTSIDE, lw=0.6, alpha=0.35 if here else 1)
        mark, size = (".", 2) if here else ("X", 6)
        axes.plot(lons[1], lats[1], mark, color=INSIDE if here else OUTSIDE, ms=size)
    axes.set(aspect=1.32, xlabel="longitude", ylabel="latitude")
    finish(axes, title)
    plt.show()


def draw_batches(query: StreamingQuery, title: str) -> None:
    """Draw how many rows each micro-batch of a query took in and gave out."""
    reports = query.recentProgress
    _, axes = plt.subplots(figsize=(6.4, 2.6), layout="constrained")
    for side, name, colour in ((-1, "rows in", GREY), (1, "rows out", INSIDE)):
        counts = [r.numInputRows if side < 0 else r.sink.numOutputRows for r in reports]
        places = [report.batchId + 1 + side * 0.2 for report in reports]
        bars = axes.bar(places, counts, 0.38, color=colour, edgecolor=INK, lw=0.6, label=name)
        axes.bar_label(bars, fontsize=LABEL, color=INK)
    axes.set(xlabel="micro-batch", xticks=[r.batchId + 1 for r in reports], yticks=[])
    axes.margins(y=0.15)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), **SMALL.for_legend)
    finish(axes, title)
    plt.show()
