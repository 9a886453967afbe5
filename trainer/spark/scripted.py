"""A session for one scripted run: settings for tiny data, and nothing that outlives the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.spark.session import session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DRAIN = "spark.sql.streaming.noDataMicroBatches.enabled"
STATE_STORE = "spark.sql.streaming.stateStore.providerClass"
# Spark's own default.
IN_MEMORY = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
SETTINGS = {
    # To write, compile and load code takes longer than to walk a few rows through the plan.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    # All of a script's reports are read, and only when it has come to its end.
    "spark.sql.streaming.numRecentProgressUpdates": "100000",
}


def scripted_session() -> SparkSession:
    """Make a session beside the learner's: it shares all that is costly, and no setting."""
    spark = session().newSession()
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    return spark


def suit(spark: SparkSession, frames: list[DataFrame], drain: bool) -> None:
    """Set what depends on the plans that are about to run, and on whether they are to drain."""
    # A drained stop would move the watermark.
    spark.conf.set(DRAIN, str(drain).lower())
    if not any(map(_has_a_processor, frames)):
        spark.conf.set(STATE_STORE, IN_MEMORY)


def _has_a_processor(frame: DataFrame) -> bool:
    """Tell whether a plan holds what wants RocksDB."""
    return "TransformWithState" in frame._jdf.queryExecution().analyzed().toString()
