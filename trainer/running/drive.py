"""Runs an answer on scripted streams, as real streaming queries, and says what came out."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pyarrow as pa

from trainer.running.calling import call
from trainer.running.contract import Columns, require
from trainer.running.into_database import Kill, written_into_a_database
from trainer.running.output import Output
from trainer.running.own_query import written
from trainer.running.places import Places
from trainer.running.result import Result
from trainer.running.scenario import Scenario
from trainer.running.script import Script
from trainer.running.scripted import its_turn, suited
from trainer.spark import scratch
from trainer.spark.session import session


def run(
    function: Callable,
    *,
    columns: Columns | None = None,
    restart_after: int | None = None,
    output_mode: str = "append",
    timeout: float = 90,
    schemas: Mapping[str, pa.Schema] | None = None,
    state_held: bool = False,
    contents: bool = False,
    starts: bool = False,
    writes: bool = False,
    killed_after: int | None = None,
    killed_at: str = "after",
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
    query. `state_held=True` looks into the state in the end, which costs as much as a few
    micro-batches; `contents=True` keeps what was in it after each micro-batch. `starts=True` says
    that the function starts its query itself: see `trainer.running.own_query`, also for
    `killed_after`. `writes=True` says that it is a sink, which writes into a database: see
    `trainer.running.into_database`, also for `killed_at`. `stop`, set by another thread, ends the
    run. What is wrong with the answer itself is raised as an AnswerError of one line.
    """
    given = Scenario.of(
        restart_after=restart_after,
        output_mode=output_mode,
        schemas=schemas,
        state_held=state_held,
        starts=starts,
        writes=writes,
        killed_after=killed_after,
        killed_at=killed_at if writes and killed_after else None,
        **inputs,
    )
    # Nor does Spark's start take time that is the answer's.
    spark = session()
    script, outputs, deadline = Script(inputs, schemas or {}), {}, None
    with _scratch() as folder:
        if starts:
            places = Places(folder)
            return written(function, script, places, columns, killed_after, timeout, stop, given)
        if writes:
            kill = Kill(killed_after, killed_at)
            return written_into_a_database(
                function, script, folder, columns, kill, timeout, stop, given
            )
        for until in sorted({restart_after or script.length, script.length}):
            try:
                with its_turn(stop):
                    # To wait for one's turn takes none of one's time.
                    deadline = deadline or time.monotonic() + timeout
                    frames = script.read(spark, until)
                    frames = call(function, deadline - time.monotonic(), stop, **frames)
                    frames = require(frames, columns, function)
                    with suited(spark, list(frames.values()), until == script.length):
                        for name, frame in frames.items():
                            # What an answer names its outputs is no name for a folder.
                            place = folder / f"checkpoint-{len(outputs)}"
                            outputs.setdefault(name, Output(function, place))
                            outputs[name].start(frame, output_mode)
                for name in frames:
                    outputs[name].wait(until, deadline, stop)
            finally:
                for output in outputs.values():
                    output.stop()
        if state_held:
            for output in outputs.values():
                output.look_into_state()
        if contents:
            for output in outputs.values():
                output.read_contents()
    results = {name: output.result(given) for name, output in outputs.items()}
    return results.get("", results)


@contextmanager
def _scratch() -> Iterator[Path]:
    """Give a folder for input and checkpoints, in memory where the machine has such a place."""
    folder = Path(tempfile.mkdtemp(dir=scratch.fast_roof()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
