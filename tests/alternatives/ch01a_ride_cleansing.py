"""Ride cleansing, written in other ways that are right too."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame

from datagen.geo import is_in_nyc
from datagen.grid import EAST, NORTH, SOUTH, WEST


def in_sql(rides: DataFrame) -> DataFrame:
    """Say it in SQL."""
    return rides.sparkSession.sql(
        """SELECT * FROM {rides}
        WHERE start_lon BETWEEN -74.05 AND -73.7 AND start_lat BETWEEN 40.5 AND 41
          AND end_lon BETWEEN -74.05 AND -73.7 AND end_lat BETWEEN 40.5 AND 41""",
        rides=rides,
    )


def in_pandas(rides: DataFrame) -> DataFrame:
    """Filter frames of pandas in Python workers."""

    def keep(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            lons = [frame[name].between(WEST, EAST) for name in ("start_lon", "end_lon")]
            lats = [frame[name].between(SOUTH, NORTH) for name in ("start_lat", "end_lat")]
            yield frame[lons[0] & lons[1] & lats[0] & lats[1]]

    return rides.mapInPandas(keep, rides.schema)


def one_end_after_the_other(rides: DataFrame) -> DataFrame:
    """Filter twice."""
    rides = rides.where(is_in_nyc("start_lon", "start_lat"))
    return rides.where(is_in_nyc("end_lon", "end_lat"))
