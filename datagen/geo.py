"""Where in New York City: its box, and the grid of cells over it, as Spark column functions."""

from pyspark.sql import Column
from pyspark.sql import functions as F

from datagen.grid import CELL_HEIGHT, CELL_WIDTH, COLUMNS, EAST, NORTH, ROWS, SOUTH, WEST


def is_in_nyc(lon: Column | str, lat: Column | str) -> Column:
    """Tell whether a place lies in the city's box, its border included; null where unknown."""
    lon, lat = _column(lon), _column(lat)
    inside = lon.between(WEST, EAST) & lat.between(SOUTH, NORTH)
    # A plain `and` would say false of (null, far away); an unknown place stays unknown.
    return F.when(lon.isNotNull() & lat.isNotNull(), inside)


def grid_cell(lon: Column | str, lat: Column | str) -> Column:
    """Number the cell a place lies in, an int from the north-west corner; null outside the grid."""
    across = (_column(lon).cast("double") - WEST) / CELL_WIDTH
    down = (F.lit(NORTH) - _column(lat).cast("double")) / CELL_HEIGHT
    on_the_grid = (across >= 0) & (across < COLUMNS) & (down >= 0) & (down < ROWS)
    return F.when(on_the_grid, (F.floor(across) + COLUMNS * F.floor(down)).cast("int"))


def cell_center(cell: Column | str) -> Column:
    """Give the middle of a cell as a struct of doubles, lon and lat; null where no such cell is."""
    cell = _column(cell)
    lon = WEST + (cell % COLUMNS + 0.5) * CELL_WIDTH
    lat = NORTH - (F.floor(cell / COLUMNS) + 0.5) * CELL_HEIGHT
    return F.when(cell.between(0, COLUMNS * ROWS - 1), F.struct(lon.alias("lon"), lat.alias("lat")))


def _column(place: Column | str) -> Column:
    return F.col(place) if isinstance(place, str) else place
