"""Ride enrichment, written in other ways that are right too."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType, StructField, StructType

from datagen.geo import grid_cell


def in_sql(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """Say it in SQL."""
    located = rides.selectExpr(
        "*", f"{_cell('start')} AS start_cell", f"{_cell('end')} AS end_cell"
    )
    return rides.sparkSession.sql(
        """SELECT located.*, place AS pickup_place, borough AS pickup_borough
        FROM {located} AS located LEFT JOIN {zones} AS zones ON start_cell = cell""",
        located=located,
        zones=zones,
    )


def in_pandas(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """Number the cells in frames of pandas, in Python workers; then join."""
    names = zones.toDF("cell", "pickup_place", "pickup_borough")

    def number(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield frame.assign(**{f"{end}_cell": _cells(frame, end) for end in ("start", "end")})

    cells = [StructField(f"{end}_cell", IntegerType()) for end in ("start", "end")]
    located = rides.mapInPandas(number, StructType([*rides.schema, *cells]))
    return located.join(names, F.col("start_cell") == F.col("cell"), "left").drop("cell")


def by_a_right_join(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """Put the table on the left, and keep the right side whole."""
    rides = rides.withColumn("start_cell", grid_cell("start_lon", "start_lat"))
    rides = rides.withColumn("end_cell", grid_cell("end_lon", "end_lat"))
    both = zones.join(rides, zones["cell"] == rides["start_cell"], "right")
    return both.select(
        *(rides[name] for name in rides.columns),
        zones["place"].alias("pickup_place"),
        zones["borough"].alias("pickup_borough"),
    )


def _cell(end: str) -> str:
    across = f"floor((double({end}_lon) + 74.05D) / 0.0014D)"
    down = f"floor((41D - double({end}_lat)) / 0.00125D)"
    on_the_grid = f"{across} BETWEEN 0 AND 249 AND {down} BETWEEN 0 AND 399"
    return f"CASE WHEN {on_the_grid} THEN int({across} + 250 * {down}) END"


def _cells(frame: pd.DataFrame, end: str) -> pd.Series:
    across = np.floor((frame[f"{end}_lon"].astype("float64") + 74.05) / 0.0014)
    down = np.floor((41 - frame[f"{end}_lat"].astype("float64")) / 0.00125)
    return (
        (across + 250 * down).where(across.between(0, 249) & down.between(0, 399)).astype("Int32")
    )
