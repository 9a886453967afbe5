"""Inspect: a query's state, read as a table."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

HINTS = (
    """
    Spark reads a checkpoint like any other table, in the format `statestore`, also of a query that
    runs. A processor's state is several tables, one for each variable. Which of the two do you
    need? Load it from a checkpoint of your own, and look at its schema first.
    """,
    """
    Two options: `stateVarName` says which variable, `batchId` says after which micro-batch. Without
    `batchId` Spark takes the last one that is committed, which is what None asks for; so set it
    only if there is a number. And 0 is a number.
    """,
    """
    Each row has the structs `key` and `value`. Put the reader together first:
    ```
    reader = spark.read.format("statestore").option("stateVarName", …)
    if batch_id is not None:
        reader = reader.option("batchId", …)
    ```
    Then keep the rows whose `value.on_duty` is true, and make a moment of the milliseconds:
    ```
    F.timestamp_millis("value.since").alias("since")
    ```
    """,
)


def on_duty(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """Tell who was on duty after a micro-batch, and since when, from a query's checkpoint."""
    reader = spark.read.format("statestore").option("stateVarName", "duty")
    # Left to itself, Spark takes the last one that is committed. The first of all is number 0.
    if batch_id is not None:
        reader = reader.option("batchId", batch_id)
    drivers = reader.load(checkpoint).where("value.on_duty")
    return drivers.select("key.driver_id", F.timestamp_millis("value.since").alias("since"))
