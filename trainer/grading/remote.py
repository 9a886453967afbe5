"""The judge's side of a runner: starts it, asks it, believes nothing but rows, ends it."""

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pyarrow as pa

from trainer.answer import AnswerError, ContractError, Crashed, TooSlow, Unfinished
from trainer.cells import is_stream
from trainer.exercise import Exercise
from trainer.grading import protocol
from trainer.grading.protocol import Broken
from trainer.grading.sandbox import Sandbox
from trainer.recording import Outcome
from trainer.result import Result, Scenario
from trainer.script import arrow_table, schema_for

KINDS = {kind.__name__: kind for kind in (ContractError, Crashed, TooSlow, Unfinished)}
LONGEST_MESSAGE = 600
START_SECONDS = 120


class NoRunner(Exception):
    """The grader could not start a runner; no fault of the submission."""


class Remote:
    """A runner for one submission, in its sandbox; started at once, and again if it died."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        """Start a runner; all that the submission does may take so many seconds."""
        self.sandbox, self.seconds_left = sandbox, seconds
        self.process: subprocess.Popen | None = None
        self._start()

    def _start(self) -> None:
        self.process = self.sandbox.start()
        self.ready = False

    def run(self, exercise: Exercise, columns: str | Mapping[str, str], given: dict) -> Outcome:
        """Run a scenario on the submission's answer to an exercise."""
        self._make_ready()
        options = {name: given.pop(name) for name in OPTIONS if given.get(name) is not None}
        schemas = given.pop("schemas", None) or {}
        scenario = Scenario(given, options | ({"schemas": schemas} if schemas else {}))
        limit = min(options.get("timeout", 60), self.seconds_left)
        request, tables = _request(exercise, columns, scenario, options | {"timeout": limit})
        began = time.monotonic()
        try:
            self._send(request, tables)
            header, rows = self._receive(began + limit + 5)
            return _outcome(header, rows, columns, scenario)
        except (Broken, OSError) as error:
            self.stop()
            raise Crashed(f"The submission ended the process that it ran in ({error}).") from None
        except TooSlow:
            self.stop()
            raise
        finally:
            self.seconds_left -= time.monotonic() - began

    def _make_ready(self) -> None:
        if self.seconds_left <= 0:
            raise TooSlow("The submission has used up the time it has for all exercises.")
        if self.process is None:
            self._start()
        if not self.ready:
            try:
                self._receive(time.monotonic() + START_SECONDS)
            except (Broken, TooSlow, OSError) as error:
                self.stop()
                raise NoRunner(f"The runner did not start: {error}") from None
            self.ready = True

    def _send(self, header: dict, tables: list[pa.Table]) -> None:
        protocol.send(self.process.stdin, header, tables)

    def _receive(self, deadline: float) -> tuple[dict, list[pa.Table]]:
        source = self.process.stdout.fileno()

        def read(size: int) -> bytes:
            parts = []
            while size:
                wait = deadline - time.monotonic()
                if wait <= 0 or not select.select([source], [], [], wait)[0]:
                    raise TooSlow("Time is up. Is there an endless loop or a sleep in it?")
                part = os.read(source, min(size, 2**20))
                if not part:
                    raise Broken("it hung up")
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

        return protocol.receive(read)

    def stop(self) -> None:
        """End the runner and everything it started."""
        if self.process is not None:
            self.sandbox.end(self.process)
            self.process = None


OPTIONS = ("restart_after", "output_mode", "timeout")


def _request(
    exercise: Exercise, columns: str | Mapping[str, str], scenario: Scenario, options: dict
) -> tuple[dict, list[pa.Table]]:
    schemas = scenario.options.get("schemas", {})
    shapes, tables, plain = {}, [], {}
    for name, rows in scenario.inputs.items():
        if not isinstance(rows, Sequence):
            plain[name] = rows
            continue
        stream = is_stream(rows)
        shapes[name] = [len(batch) for batch in rows] if stream else None
        flat = [row for batch in rows for row in batch] if stream else rows
        tables.append(arrow_table(name, flat, schema_for(name, schemas)))
    header = {
        "file": f"{exercise.stem}.py",
        "function": exercise.function,
        "columns": columns if isinstance(columns, str) else dict(columns),
        "options": options,
        "inputs": shapes,
        "plain": plain,
    }
    return header, tables


def _outcome(
    header: dict, tables: list[pa.Table], columns: str | Mapping[str, str], scenario: Scenario
) -> Outcome:
    if header.get("status") == "error":
        raise _error(header)
    contract = columns if isinstance(columns, Mapping) else {"": columns}
    described = header.get("outputs")
    if not isinstance(described, dict) or set(described) != set(contract):
        raise Broken("other outputs than the contract's")
    if len(tables) != len(described):
        raise Broken(f"{len(tables)} tables for {len(described)} outputs")
    found = {
        name: _result(about, table, contract[name], scenario)
        for (name, about), table in zip(described.items(), tables, strict=True)
    }
    return found.get("", found) if not isinstance(columns, Mapping) else found


def _error(header: dict) -> AnswerError:
    kind = KINDS.get(header.get("kind"), Crashed)
    return kind(" ".join(str(header.get("message")).split())[:LONGEST_MESSAGE])


def _result(about: dict, table: pa.Table, columns: str, scenario: Scenario) -> Result:
    """Check everything that the runner says against what it must look like."""
    if not table.schema.equals(protocol.schema_of(columns)):
        raise ContractError(f"The columns came as {table.schema}; expected {columns}.")
    try:
        lengths, state = list(map(int, about["lengths"])), list(map(int, about["state_rows"]))
        dropped = list(map(int, about["dropped_late"]))
        times = [
            datetime.fromisoformat(t).astimezone(UTC) if t else None for t in about["watermarks"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise Broken("a result that is incomplete") from error
    alike = len(lengths) == len(state) == len(dropped) == len(times)
    if not alike or min(lengths, default=0) < 0 or sum(lengths) != table.num_rows:
        raise Broken("micro-batches that do not add up")
    rows, batches = iter(table.to_pylist()), []
    for length in lengths:
        batches.append([next(rows) for _ in range(length)])
    return Result(batches, state, dropped, times, columns, scenario)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None
