"""Inspect, written in other ways that are right too."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


def looks_into_commits(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """Find the last committed micro-batch by hand, and name operator and micro-batch always."""
    commits = Path(checkpoint, "commits").iterdir()
    last = max(int(path.name) for path in commits if path.name.isdigit())
    state = spark.read.format("statestore").load(
        checkpoint,
        operatorId=0,
        stateVarName="duty",
        batchId=last if batch_id is None else batch_id,
    )
    seconds = F.col("value.since") / 1000
    return state.filter(F.col("value").on_duty).select(
        F.col("key").driver_id.alias("driver_id"), seconds.cast("timestamp").alias("since")
    )


def in_sql(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """Ask the table of state in SQL, and give the rows as they are now."""
    options = {"stateVarName": "duty"} | ({} if batch_id is None else {"batchId": batch_id})
    state = spark.read.format("statestore").options(**options).load(checkpoint)
    found = spark.sql(
        "SELECT key.driver_id, timestamp_millis(value.since) AS since FROM {state} "
        "WHERE value.on_duty",
        state=state,
    )
    return spark.createDataFrame(found.collect(), found.schema)
