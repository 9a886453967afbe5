"""Streaming queries that run to their end, for tests."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame


def run_to_the_end(stream: DataFrame, each: Callable, checkpoint: Path | None = None) -> None:
    """Run a query under availableNow, and raise what it raises."""
    writer = stream.writeStream.foreachBatch(each).trigger(availableNow=True)
    place = str(checkpoint or tempfile.mkdtemp(prefix="taxi-streams-"))
    query = writer.option("checkpointLocation", place).start()
    query.awaitTermination()


def drain(stream: DataFrame, checkpoint: Path | None = None) -> list[pa.Table]:
    """Give the rows of each micro-batch of a query that runs until its source is drained."""
    batches = []
    run_to_the_end(stream, lambda frame, number: batches.append(frame.toArrow()), checkpoint)
    return batches
