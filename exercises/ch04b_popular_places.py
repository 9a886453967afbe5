"""Popular places: where is the city busy right now?

A dispatcher wants to send empty cars to where people get in, and to warn drivers of where cars
queue to let people out. "Right now" is the last quarter of an hour, and the map on the wall is
redrawn every five minutes.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell, is_in_nyc


def popular_places(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Count the rides that start, and those that end, in each cell of the city's grid.

    Input: the columns of the ride stream. Each event has a place of its own: the start of a START,
    the end of an END. Events arrive less than ten minutes of `event_time` out of order, so ten
    minutes is the watermark's delay.

    Output, one row for each window, cell and kind of event that is busy enough:
    - `window_end` timestamp: the end of the window;
    - `cell` int: the cell of the event's own place, by `grid_cell(lon, lat)`;
    - `is_start` boolean: true where people got in, false where they got out;
    - `ride_count` bigint: how many such events there were.

    The rules:
    - Windows are 15 minutes long, and a new one begins every 5 minutes, on the clock: 12:00, 12:05,
      12:10, …. So every event lies in three of them.
    - An event must be counted if its own place is in the city, by `is_in_nyc(lon, lat)`, and only
      then. It does not matter where the ride's other place lies.
    - Only counts of at least `threshold` may come out.
    - A window must come out once, when it is complete: in the first micro-batch whose watermark is
      at or past its end.
    - Every event counts, even one that comes twice.

    Example: 12 rides start in one cell of Midtown at 12:04 and 8 more at 12:06. With a threshold of
    20, the windows that end at 12:10 and at 12:15 come out with 20 each. The one that ends at 12:05
    has seen only 12 of them, the one that ends at 12:20 only 8.
    """
    # TODO: find each event's own place and cell, then count by window, cell and kind.
    raise NotImplementedError
