"""A query that dies and starts again gives what an uninterrupted one gives."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import datagen
from tests.kit.queries import drain, run_to_the_end

FLAWS = {"profile": "classic", "seed": 5, "duplicates": 0.1, "disorder": 300, "rides": 400}


def rides(spark: SparkSession, **options) -> DataFrame:
    """The stream under test: about 880 events in micro-batches of 250."""
    options = FLAWS | {"rows_per_batch": 250, "partitions": 2} | options
    return spark.readStream.format("taxi_rides").options(**options).load()


def test_a_micro_batch_that_failed_half_way_comes_again_with_the_same_rows(spark, tmp_path):
    """The second micro-batch dies after part of it was written; the next run repeats it."""
    written: dict[int, pa.Table] = {}

    def write_and_die(frame: DataFrame, number: int) -> None:
        rows = frame.toArrow()
        written[number] = rows.slice(0, 100) if number == 1 else rows
        if number == 1:
            raise RuntimeError("the power went out")

    def write(frame: DataFrame, number: int) -> None:
        rows = frame.toArrow()
        if number in written:
            assert rows.slice(0, 100).equals(written[number])
        written[number] = rows

    with pytest.raises(StreamingQueryException, match="the power went out"):
        run_to_the_end(rides(spark), write_and_die, tmp_path)
    run_to_the_end(rides(spark), write, tmp_path)
    uninterrupted = drain(rides(spark))
    assert list(written) == [0, 1, 2, 3]
    assert [written[number] for number in range(4)] == uninterrupted


VICTIM = """
import sys, trainer
spark = trainer.session(ui=False)
options = dict(arg.split("=") for arg in sys.argv[3:])
stream = spark.readStream.format("taxi_rides").options(**options).load()
writer = stream.writeStream.format("parquet").option("checkpointLocation", sys.argv[2])
writer.start(sys.argv[1]).awaitTermination()
"""


def wait_until(condition, process: subprocess.Popen) -> None:
    """Wait for a condition while the process lives."""
    deadline = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, "The query ended before it was killed."
        assert time.monotonic() < deadline, "Nothing was committed in two minutes."
        time.sleep(0.05)


@pytest.mark.slow
def test_a_killed_process_leaves_a_stream_that_another_completes(spark, tmp_path):
    """Killed with its JVM in mid-stream, the query is resumed from its checkpoint, exactly once."""
    out, checkpoint = tmp_path / "out", tmp_path / "checkpoint"
    options = FLAWS | {"rows_per_batch": 10, "partitions": 2}
    texts = [f"{name}={value}" for name, value in options.items()]
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, out, checkpoint, *texts],
        start_new_session=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        wait_until(lambda: (checkpoint / "commits" / "3").exists(), victim)
    finally:
        os.killpg(victim.pid, signal.SIGKILL)
        victim.wait()
    killed_after = len([*(checkpoint / "commits").glob("[0-9]*")])
    stream = spark.readStream.format("taxi_rides").options(**options | {"rows_per_batch": 400})
    writer = stream.load().writeStream.format("parquet").trigger(availableNow=True)
    writer.option("checkpointLocation", str(checkpoint)).start(str(out)).awaitTermination()
    found = spark.read.parquet(str(out)).toArrow()
    assert 4 <= killed_after < 80
    assert in_order(found) == in_order(datagen.ride_events(0, 10_000, **FLAWS))


def in_order(rows: pa.Table) -> list[dict]:
    """Rows as plain data, sorted: the files of a sink come in any order."""
    return rows.sort_by([(name, "ascending") for name in rows.column_names]).to_pylist()
