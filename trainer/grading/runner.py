"""The untrusted side: one process for one submission, which runs what the judge sends it.

It knows the learner's files and this package; no tests, no solutions, no seed. What it answers is
data only, and the judge believes nothing of it but the rows.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from trainer.answer import AnswerError
from trainer.grading import protocol
from trainer.loading import load
from trainer.recording import outputs
from trainer.result import Result
from trainer.scenario import run
from trainer.session import session

LONGEST_TEXT = 2000


def serve(folder: Path, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the judge hangs up."""

    def read(size: int) -> bytes:
        data = requests.read(size)
        if len(data) < size:
            sys.exit()
        return data

    def send(header: dict, tables: Sequence[pa.Table] = ()) -> None:
        answers.write(protocol.message(header, tables))
        answers.flush()

    session(ui=False)
    send({"status": "ready"})
    while True:
        header, tables = protocol.receive(read)
        try:
            found, rows = _answer(folder, header, tables)
        except AnswerError as error:
            text = str(error)[:LONGEST_TEXT]
            found, rows = {"status": "error", "kind": type(error).__name__, "message": text}, []
        send(found | {"id": header["id"]}, rows)


def _answer(folder: Path, header: dict, tables: list[pa.Table]) -> tuple[dict, list[pa.Table]]:
    function = _function(folder / header["file"], header["function"])
    inputs, schemas = _inputs(header["inputs"], tables)
    outcome = run(
        function,
        columns=header["columns"],
        schemas=schemas,
        **header["options"],
        **inputs,
        **header["plain"],
    )
    results = outputs(outcome)
    columns = (
        header["columns"] if isinstance(header["columns"], Mapping) else {"": header["columns"]}
    )
    described = {name: _describe(result) for name, result in results.items()}
    rows = [_table(results[name], columns[name]) for name in results]
    return {"status": "ran", "outputs": described}, rows


@cache
def _function(path: Path, function: str):
    return load(path, function)


def _inputs(shapes: dict, tables: list[pa.Table]) -> tuple[dict, dict]:
    """Cut each table into its micro-batches; one without lengths is a static table."""
    inputs, schemas = {}, {}
    for (name, lengths), table in zip(shapes.items(), tables, strict=True):
        rows, schemas[name] = table.to_pylist(), table.schema
        inputs[name] = rows if lengths is None else _cut(rows, lengths)
    return inputs, schemas


def _cut(rows: list[dict], lengths: list[int]) -> list[list[dict]]:
    following = iter(rows)
    return [[next(following) for _ in range(length)] for length in lengths]


def _describe(result: Result) -> dict:
    return {
        "lengths": [len(batch) for batch in result.batches],
        "state_rows": result.state_rows,
        "dropped_late": result.dropped_late,
        "watermarks": [time.isoformat() if time else None for time in result.watermarks],
        "schema": result.schema,
    }


def _table(result: Result, columns: str) -> pa.Table:
    return pa.Table.from_pylist(result.rows, schema=protocol.schema_of(columns))


def main() -> None:
    """Keep the two pipes to the judge, and give the learner's code none."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    serve(Path(sys.argv[1]), requests, answers)


if __name__ == "__main__":
    main()
