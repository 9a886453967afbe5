"""Ride enrichment: tell where in the city a ride starts."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell

HINTS = (
    """
    Two steps: first make the cells, which are columns made of columns; then look one of them up
    in a table, which is a join. Which rides may a join lose?
    """,
    """
    A column is added at the end like this:
    ```
    rides.withColumn("start_cell", grid_cell(…, …))
    ```
    A *left* join keeps every ride. Rename the columns of `zones` first, so that they have the
    names you need.
    """,
    """
    The table, made ready for the join:
    ```
    pickup = zones.select(
        F.col("cell").alias("start_cell"),
        F.col("place").alias("pickup_place"),
        …
    )
    rides.join(pickup, on="start_cell", how="left")
    ```
    A join by name moves that column to the front: a `select` puts it back.
    """,
)


def enrich(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """Put the grid cells of a ride, and the name of its pickup place, on each of its events."""
    pickup = zones.select(
        F.col("cell").alias("start_cell"),
        F.col("place").alias("pickup_place"),
        F.col("borough").alias("pickup_borough"),
    )
    located = rides.withColumns(
        {
            "start_cell": grid_cell("start_lon", "start_lat"),
            "end_cell": grid_cell("end_lon", "end_lat"),
        }
    )
    # Left, so that a ride from an unnamed cell stays. The small table goes to every worker, and no
    # ride has to move.
    named = located.join(F.broadcast(pickup), on="start_cell", how="left")
    return named.select(*located.columns, "pickup_place", "pickup_borough")
