"""Runs an answer on scripted streams, as real streaming queries, and says what came out."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pyarrow as pa
from pyspark.sql import DataFrame

from trainer.running.calling import call
from trainer.running.contract import Columns, require
from trainer.running.output import Output
from trainer.running.result import Result
from trainer.running.scenario import Scenario
from trainer.running.script import Script
from trainer.spark.scripted import scripted_session, suit

IN_MEMORY = Path("/dev/shm")


def run(
    function: Callable,
    *,
    columns: Columns | None = None,
    restart_after: int | None = None,
    output_mode: str = "append",
    timeout: float = 90,
    schemas: Mapping[str, pa.Schema] | None = None,
    stop: Event | None = None,
    **inputs: Sequence,
) -> Result | dict[str, Result]:
    """Run a function from DataFrames to a DataFrame, or to a dict of them, on scripted streams.

    A list of micro-batches, each a list of rows, is a stream; a list of rows is a static table.
    Rows are dicts. What is no list, a number say, is handed on as it is. All streams move together,
    one micro-batch a trigger, an empty one too; shorter ones end in empty ones. Then the query
    drains: it goes on without input until nothing moves.
    The schema of an input follows from its name, or is given in `schemas`.

    `columns` is the contract, "ride_id bigint, tip float", for a dict of outputs a dict of them.
    `restart_after=2` stops after the second micro-batch and goes on from the checkpoint in a new
    query. `stop`, set by another thread, ends the run. What is wrong with the answer itself is
    raised as an AnswerError of one line.
    """
    given = Scenario.of(
        restart_after=restart_after, output_mode=output_mode, schemas=schemas, **inputs
    )
    script, deadline = Script(inputs, schemas or {}), time.monotonic() + timeout
    outputs: dict[str, Output] = {}
    spark = scripted_session()
    with _scratch() as folder:
        for until in sorted({restart_after or script.length, script.length}):
            inputs = script.read(spark, until)
            frames = require(call(function, deadline - time.monotonic(), stop, **inputs), columns)
            for name in frames:
                outputs.setdefault(name, Output(function, folder / f"checkpoint {name}"))
            suit(spark, list(frames.values()), drain=until == script.length)
            _go_on(outputs, frames, output_mode, until, deadline, stop)
    results = {name: output.result(given) for name, output in outputs.items()}
    return results.get("", results)


def _go_on(
    outputs: dict[str, Output],
    frames: dict[str, DataFrame],
    output_mode: str,
    until: int,
    deadline: float,
    stop: Event | None,
) -> None:
    """Run one query for each output, side by side, until all have come to their end."""
    try:
        for name, frame in frames.items():
            outputs[name].start(frame, output_mode)
        for name in frames:
            outputs[name].wait(until, deadline, stop)
    finally:
        for name in frames:
            outputs[name].stop()


@contextmanager
def _scratch() -> Iterator[Path]:
    """Give a folder for input and checkpoints, in memory where the machine has such a place."""
    place = IN_MEMORY if IN_MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="taxi-streams-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
