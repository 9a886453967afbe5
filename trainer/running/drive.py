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
from trainer.running.into_database import written_into_a_database
from trainer.running.output import Output
from trainer.running.own_query import written
from trainer.running.result import Result
from trainer.running.scenario import Scenario
from trainer.running.script import Script
from trainer.running.scripted import its_turn, suited
from trainer.running.state_asked import read_from_state
from trainer.running.versions import Earlier
from trainer.spark import scratch
from trainer.spark.session import session

# What a function may be that doesn't describe a stream, and what runs it.
ROLES = {"program": written, "sink": written_into_a_database, "reader": read_from_state}


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
    role: str | None = None,
    killed_after: int | None = None,
    killed_at: str = "after",
    upgraded_after: int | None = None,
    upgraded_from: str | Callable | None = None,
    state_encoding: str | None = None,
    running: bool = False,
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
    micro-batches; `contents=True` keeps what was in it after each micro-batch. `role` is what the
    function is if it doesn't describe a stream: a "program", which starts its query itself, see
    `trainer.running.own_query`, also for `killed_after`; a "sink", which writes into a database,
    see `trainer.running.into_database`, also for `killed_at`; a "reader", which reads a query's
    state, see `trainer.running.state_asked`, also for `running`. `upgraded_after=2` has an earlier
    version of the function do the first two micro-batches: see `trainer.running.versions`.
    `state_encoding="avro"` says how state is written. `stop`, set by another thread, ends the run.
    What is wrong with the answer itself is raised as an AnswerError of one line.
    """
    if role not in {None, *ROLES}:
        raise ValueError(f"role is {role!r}; expected one of {', '.join(ROLES)}.")
    given = Scenario.of(
        restart_after=restart_after,
        output_mode=output_mode,
        schemas=schemas,
        state_held=state_held,
        role=role,
        killed_after=killed_after,
        running=running,
        killed_at=killed_at if role == "sink" and killed_after else None,
        upgraded_after=upgraded_after,
        upgraded_from=upgraded_from,
        state_encoding=state_encoding,
        **inputs,
    )
    # Nor does Spark's start take time that is the answer's.
    spark = session()
    script, outputs, deadline = Script(inputs, schemas or {}), {}, None
    with _scratch() as folder:
        if role:
            return ROLES[role](function, script, folder, columns, timeout, stop, given, contents)
        earlier = Earlier.of(upgraded_from, upgraded_after)
        for until in sorted({restart_after, upgraded_after, script.length} - {None}):
            try:
                with its_turn(stop):
                    # To wait for one's turn takes none of one's time.
                    deadline = deadline or time.monotonic() + timeout
                    version, contract = earlier.version(function, columns, until)
                    frames = script.read(spark, until)
                    frames = call(version, deadline - time.monotonic(), stop, **frames)
                    frames = require(frames, contract, version)
                    drain = until == script.length
                    with suited(spark, list(frames.values()), drain, state_encoding):
                        for name, frame in frames.items():
                            # What an answer names its outputs is no name for a folder.
                            place = folder / f"checkpoint-{len(outputs)}"
                            outputs.setdefault(name, Output(place))
                            outputs[name].start(version, frame, output_mode)
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
