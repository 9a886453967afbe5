"""A short run of what lessons do, so that the archive holds the classes they need."""

import json
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.running import drive
from trainer.spark.session import session

SCHEMA = pa.schema([("n", pa.int64()), ("time", pa.timestamp("us", tz="UTC"))])
BATCHES = [[{"n": n, "time": datetime(2020, 1, 1, 0, n, tzinfo=UTC)}] for n in (10, 30, 50)]


class CountRides(StatefulProcessor):
    """Counts what it has seen of each key."""

    def init(self, handle) -> None:
        """Open the one value that is kept."""
        self.count = handle.getValueState("count", "n bigint")

    def handleInputRows(self, key, rows, timerValues) -> Iterator[Row]:
        """Add the rows of this micro-batch to the count."""
        seen = (self.count.get()[0] if self.count.exists() else 0) + sum(1 for row in rows)
        self.count.update((seen,))
        yield Row(odd=key[0], n=seen)


def ticks(spark: SparkSession, folder: Path) -> DataFrame:
    """Give a small stream that ends by itself: four files, one a micro-batch."""
    for file in range(4):
        rows = [{"n": n, "time": f"2020-01-01T00:{n}:00Z"} for n in range(10 + file, 59, 4)]
        Path(folder, f"{file}.json").write_text("\n".join(map(json.dumps, rows)))
    stream = spark.readStream.schema("n bigint, time timestamp")
    return stream.option("maxFilesPerTrigger", 1).json(f"{folder}/*.json")


def windowed(stream: DataFrame) -> DataFrame:
    """Count by ten-minute window of event time."""
    timed = stream.withWatermark("time", "1 minute")
    return timed.groupBy(F.window("time", "10 minutes")).count()


def processed(stream: DataFrame) -> DataFrame:
    """Count by key in a stateful processor that runs in Python."""
    keyed = stream.withColumn("odd", F.col("n") % 2).groupBy("odd")
    return keyed.transformWithState(CountRides(), "odd bigint, n bigint", "update", "none")


def run(stream: DataFrame, checkpoint: Path, see: Callable[[list[Row]], object]) -> None:
    """Run a streaming query until its source is drained; `see` gets the rows of each batch."""
    query = (
        stream.writeStream.outputMode("update")
        .option("checkpointLocation", str(checkpoint))
        .foreachBatch(lambda frame, number: see(frame.collect()))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def rehearse(spark: SparkSession, see: Callable[[list[Row]], object]) -> None:
    """Run a windowed query, and then one with a Python processor."""
    with tempfile.TemporaryDirectory() as scratch:
        stream = ticks(spark, Path(scratch))
        run(windowed(stream), Path(scratch, "windowed"), see)
        run(processed(stream), Path(scratch, "processed"), see)


def check() -> None:
    """Run the same two as a check runs answers."""
    for answer in (windowed, processed):
        drive.run(answer, stream=BATCHES, schemas={"stream": SCHEMA}, output_mode="update")


def main() -> None:
    """Rehearse, and leave in order: the archive is written when the JVM ends by itself."""
    spark = session(ui=False)
    rows = []
    rehearse(spark, rows.extend)
    check()
    print(len(rows))
    gateway = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


if __name__ == "__main__":
    main()
