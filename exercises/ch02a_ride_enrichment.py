"""Ride enrichment: tell where in the city a ride starts.

A ride event says -73.985, 40.755. The dispatchers want to read "Bryant Park, Manhattan". The city
has been cut into a grid of small cells, and a table names the place that a cell belongs to. You put
cells and names on every ride event that passes.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell


def enrich(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """Put the grid cells of a ride, and the name of its pickup place, on each of its events.

    Input: `rides` is the ride stream. `zones` is a static table with the columns cell (int), place
    and borough; each cell is in it at most once, and many are not in it.

    Output: all columns of the ride stream, unchanged, then
    - start_cell (int): the cell where the ride starts,
    - end_cell (int): the cell where the ride ends,
    - pickup_place (string): the place that `zones` gives for start_cell,
    - pickup_borough (string): the borough that `zones` gives for start_cell.

    The rules:
    - A cell is what `grid_cell(lon, lat)` gives. It must be null off the grid, and where a
      coordinate is null.
    - Where `zones` does not have the start_cell, or there is none, pickup_place and
      pickup_borough must be null.
    - Each event that comes in must come out, once. START and END are treated alike: both carry
      both places, and a ride's pickup is where it *starts*.

    Example: ride 1 goes from (-73.985, 40.755) to (-73.785, 40.645). Its start_cell is 48796, its
    end_cell 70939. `zones` has the row (48796, Bryant Park, Manhattan): so pickup_place is
    Bryant Park and pickup_borough is Manhattan, on the START and on the END of ride 1.
    """
    # TODO: add the two cells, then look the start_cell up in `zones`.
    raise NotImplementedError
