"""Keep the rides, written in other ways that are right too."""

from pathlib import Path

import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery


def waits_for_the_end(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Name the folder as an option, and return the query when it has ended."""
    places = {"path": folder, "checkpointLocation": checkpoint}
    writer = rides.writeStream.format("parquet").options(**places).outputMode("append")
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination()
    return query


def a_file_for_each_micro_batch(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Name each file by its micro-batch: one that comes again takes its own place."""

    def write(frame: DataFrame, number: int) -> None:
        Path(folder).mkdir(exist_ok=True)
        pq.write_table(frame.toArrow(), Path(folder, f"{number:06}.parquet"))

    writer = rides.writeStream.foreachBatch(write).option("checkpointLocation", checkpoint)
    return writer.trigger(availableNow=True).start()
