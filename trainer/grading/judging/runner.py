"""The untrusted side: one process for one submission, which runs what the judge sends it.

It knows the learner's files and this package; no tests, no solutions, no seed. What it answers is
data only, and the judge believes nothing of it but the rows.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from threading import Event, Lock
from typing import BinaryIO

import pyarrow as pa

from trainer.grading.judging import protocol
from trainer.grading.judging.claims import by_output
from trainer.running.answer import AnswerError, ContractError
from trainer.running.drive import run
from trainer.running.loading import load
from trainer.running.result import Result, outputs
from trainer.running.side_by_side import SIDE_BY_SIDE
from trainer.spark.session import session

LONGEST_TEXT = 2000
# A file is run once, however many runs want its function at once.
LOADING = Lock()


def serve(folder: Path, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, some side by side, until the judge hangs up."""
    runner = Runner(folder, answers)
    runner.send({"status": "ready"})
    while True:
        header, tables = protocol.receive(partial(_exactly, requests))
        if "forget" in header:
            runner.forget(header["forget"])
        else:
            runner.take(header, tables)


def _exactly(requests: BinaryIO, size: int) -> bytes:
    data = requests.read(size)
    if len(data) < size:
        # The judge has hung up; threads that still run don't keep this process.
        os._exit(0)
    return data


class Runner:
    """Runs what it is asked for, so many at a time, and answers each as it comes to its end."""

    def __init__(self, folder: Path, answers: BinaryIO) -> None:
        """Run the learner's files of a folder."""
        self.folder, self.answers, self.sending = folder, answers, Lock()
        self.pool = ThreadPoolExecutor(SIDE_BY_SIDE)
        self.stops: dict[str, Event] = {}

    def take(self, header: dict, tables: list[pa.Table]) -> None:
        """Run what a request says, as soon as its turn has come."""
        stop = self.stops[header["id"]] = Event()
        self.pool.submit(self._run, header, tables, stop)

    def _run(self, header: dict, tables: list[pa.Table], stop: Event) -> None:
        if stop.is_set():
            return
        try:
            found, rows = _answer(self.folder, header, tables, stop)
        except AnswerError as error:
            text = str(error)[:LONGEST_TEXT]
            found, rows = {"status": "error", "kind": type(error).__name__, "message": text}, []
        except BaseException:
            # What nobody foresaw ends the process: the judge must not wait for an answer.
            os._exit(1)
        self.send(found | {"id": header["id"]}, rows)

    def forget(self, numbers: Iterable[str]) -> None:
        """End what nobody waits for any more."""
        for number in numbers:
            self.stops[number].set()

    def send(self, header: dict, tables: Sequence[pa.Table] = ()) -> None:
        """Send an answer whole, whoever else has one."""
        with self.sending:
            self.answers.write(protocol.message(header, tables))
            self.answers.flush()


def _answer(
    folder: Path, header: dict, tables: list[pa.Table], stop: Event
) -> tuple[dict, list[pa.Table]]:
    with LOADING:
        function = _function(folder / header["file"], header["function"])
    inputs, schemas = _inputs(header["inputs"], tables)
    outcome = run(
        function,
        columns=header["columns"],
        schemas=schemas,
        stop=stop,
        **header["options"],
        **inputs,
        **header["plain"],
    )
    results = outputs(outcome)
    contract = by_output(header["columns"])
    count = sum(len(result.rows) for result in results.values())
    if count > protocol.MOST_ROWS:
        most = f"no more than {protocol.MOST_ROWS:,} are ever compared"
        raise ContractError(f"It gives {count:,} rows, far more than a right answer: {most}.")
    described = {name: _describe(results[name]) for name in contract}
    rows = [_table(results[name], contract[name]) for name in contract]
    return {"status": "ran", "outputs": described}, rows


@cache
def _function(path: Path, function: str):
    # What it imports lies in a folder of its own: another answer may bring the same names.
    return load(path, function, beside=path.with_suffix(""))


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
        "state_held": result.state_held,
        "dropped_late": result.dropped_late,
        "watermarks": [time.isoformat() if time else None for time in result.watermarks],
        "schema": result.schema,
    }


def _table(result: Result, columns: str) -> pa.Table:
    return pa.Table.from_pylist(result.rows, schema=protocol.schema_of(columns))


def main() -> None:
    """Start Spark; keep the two pipes to the judge, and give the learner's code none."""
    requests, answers, complaints = (os.dup(number) for number in range(3))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    try:
        session(ui=False)
    except BaseException as error:
        # Of many lines, as those that come from Java, the first says what it is.
        line = (str(error).strip() or type(error).__name__).splitlines()[0]
        os.write(complaints, f"Spark did not start: {line}\n".encode()[:1000])
        os._exit(1)
    os.close(complaints)
    serve(Path(sys.argv[1]), os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))


if __name__ == "__main__":
    main()
