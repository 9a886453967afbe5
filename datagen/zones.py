"""The table that names a grid cell: the nearest place of the city, if one is near."""

import numpy as np
import pyarrow as pa

from datagen.city_places import KM_PER_DEGREE, places
from datagen.grid import CELL_HEIGHT, CELL_WIDTH, COLUMNS, NORTH, ROWS, WEST

NEAR_KM = 2.0


def zones() -> pa.Table:
    """Give cell, place and borough for every cell whose centre is near a place in the city."""
    inside = [place for place in places() if place.in_city]
    cell = np.arange(COLUMNS * ROWS, dtype=np.int32)
    lon = WEST + (cell % COLUMNS + 0.5) * CELL_WIDTH
    lat = NORTH - (cell // COLUMNS + 0.5) * CELL_HEIGHT
    east = (lon[:, None] - [place.lon for place in inside]) * KM_PER_DEGREE[0]
    north = (lat[:, None] - [place.lat for place in inside]) * KM_PER_DEGREE[1]
    km = np.hypot(east, north)
    near = km.min(axis=1) <= NEAR_KM
    nearest = [inside[i] for i in km[near].argmin(axis=1)]
    return pa.table(
        {
            "cell": cell[near],
            "place": [place.place for place in nearest],
            "borough": [place.borough for place in nearest],
        }
    )
