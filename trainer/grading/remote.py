"""The judge's side of a runner: starts it, asks it, believes nothing but rows, ends it."""

import os
import secrets
import select
import subprocess
import time
from collections.abc import Mapping

import pyarrow as pa

from trainer.answer import AnswerError, ContractError, Crashed, TooSlow, Unfinished
from trainer.exercise import Exercise
from trainer.grading import protocol
from trainer.grading.hearsay import outcome
from trainer.grading.protocol import Broken
from trainer.grading.sandbox import Sandbox
from trainer.inputs import Kind, kind_of
from trainer.recording import Outcome
from trainer.result import Scenario
from trainer.script import arrow_table, schema_for

KINDS = {kind.__name__: kind for kind in (ContractError, Crashed, TooSlow, Unfinished)}
OPTIONS = ("restart_after", "output_mode", "schemas")
LONGEST_MESSAGE = 600
START_SECONDS = 120
# Beyond its time limit, which the runner keeps itself, if it is honest.
GRACE_SECONDS = 5
TIME_IS_UP = "Time is up. Is there an endless loop or a sleep in it?"


class NoRunner(Exception):
    """The grader could not start a runner; no fault of the submission."""


class Remote:
    """A runner for one submission, in its sandbox; started at once, and again if it died."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        """Start a runner; all that the submission does may take so many seconds."""
        self.sandbox, self.seconds_left = sandbox, seconds
        self.process: subprocess.Popen | None = None
        self.fault: NoRunner | None = None
        self._start()

    def _start(self) -> None:
        try:
            self.process = self.sandbox.start()
        except (OSError, subprocess.SubprocessError) as error:
            raise self._no_runner(error) from None
        # The judge never waits in a read or a write that a runner could draw out.
        os.set_blocking(self.process.stdin.fileno(), False)
        self.ready = False

    def run(self, exercise: Exercise, columns: str | Mapping[str, str], given: dict) -> Outcome:
        """Run a scenario on the submission's answer to an exercise."""
        self._make_ready()
        limit = min(given.pop("timeout", 60), self.seconds_left)
        options = {name: given.pop(name) for name in OPTIONS if given.get(name) is not None}
        scenario = Scenario.of(given, **options)
        request, tables = _request(exercise, columns, scenario, limit)
        began = time.monotonic()
        try:
            header, rows = self._ask(request, tables, began + limit + GRACE_SECONDS)
            if header.get("status") == "error":
                raise _error(header)
            return outcome(header, rows, columns, scenario)
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
                raise self._no_runner(error) from None
            self.ready = True

    def _no_runner(self, error: Exception) -> NoRunner:
        """Remember the fault: pytest takes what is raised in a test for a test that failed."""
        self.fault = NoRunner(f"The runner did not start: {error}")
        return self.fault

    def _ask(
        self, request: dict, tables: list[pa.Table], deadline: float
    ) -> tuple[dict, list[pa.Table]]:
        """Send a request and receive its answer, not one that was sent before it was asked."""
        number = secrets.token_hex(8)
        self._send(protocol.message(request | {"id": number}, tables), deadline)
        header, rows = self._receive(deadline)
        if header.get("id") != number:
            raise Broken("an answer to something that was not asked")
        return header, rows

    def _send(self, data: bytes, deadline: float) -> None:
        pipe, rest = self.process.stdin.fileno(), memoryview(data)
        while rest:
            _wait([], [pipe], deadline)
            rest = rest[os.write(pipe, rest) :]

    def _receive(self, deadline: float) -> tuple[dict, list[pa.Table]]:
        pipe = self.process.stdout.fileno()

        def read(size: int) -> bytes:
            data = bytearray()
            while len(data) < size:
                _wait([pipe], [], deadline)
                part = os.read(pipe, min(size - len(data), 2**20))
                if not part:
                    raise Broken("it hung up")
                data += part
            return bytes(data)

        return protocol.receive(read)

    def stop(self) -> None:
        """End the runner and everything it started."""
        if self.process is not None:
            self.sandbox.end(self.process)
            self.process = None


def _wait(to_read: list[int], to_write: list[int], deadline: float) -> None:
    left = deadline - time.monotonic()
    if left <= 0 or not any(select.select(to_read, to_write, [], left)):
        raise TooSlow(TIME_IS_UP)


def _request(
    exercise: Exercise, columns: str | Mapping[str, str], scenario: Scenario, limit: float
) -> tuple[dict, list[pa.Table]]:
    options = dict(scenario.options) | {"timeout": limit}
    schemas = options.pop("schemas", {})
    shapes, tables, plain = {}, [], {}
    for name, rows in scenario.inputs.items():
        kind = kind_of(rows)
        if kind is Kind.PLAIN:
            plain[name] = rows
            continue
        stream = kind is Kind.STREAM
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


def _error(header: dict) -> AnswerError:
    """Tell what the runner tells as an error: in one short line without any control signs."""
    kind, text = header.get("kind"), header.get("message")
    words = text.split() if isinstance(text, str) else ["An error without a message."]
    line = " ".join(words)[:LONGEST_MESSAGE]
    named = KINDS.get(kind, Crashed) if isinstance(kind, str) else Crashed
    return named("".join(sign if sign.isprintable() else "?" for sign in line))
