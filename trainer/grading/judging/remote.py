"""The judge's side of a runner: starts it, asks it, believes nothing but rows, ends it."""

import math
import os
import secrets
import select
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial

import pyarrow as pa

from trainer.course.exercise import Exercise
from trainer.grading.judging import protocol
from trainer.grading.judging.claims import by_output, outcome
from trainer.grading.judging.protocol import MOST_BYTES, MOST_ROWS, Broken, schema_of
from trainer.grading.sandbox.sandbox import Sandbox, complaint
from trainer.running.answer import (
    AnswerError,
    ContractError,
    Crashed,
    Overloaded,
    TooSlow,
    Unfinished,
)
from trainer.running.inputs import Kind, kind_of
from trainer.running.result import Outcome
from trainer.running.scenario import Scenario
from trainer.running.script import arrow_table, schema_for
from trainer.running.side_by_side import SIDE_BY_SIDE

KINDS = {kind.__name__: kind for kind in (ContractError, Crashed, Overloaded, TooSlow, Unfinished)}
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
        self.expected: dict[str, Sequence[pa.Schema]] = {}
        self.forgotten: set[str] = set()
        self._start()

    def _start(self) -> None:
        try:
            self.process = self.sandbox.start()
        except (OSError, subprocess.SubprocessError) as error:
            raise self._no_runner(error) from None
        # The judge never waits in a read or a write that a runner could draw out: what a pipe is
        # said to hold may be gone by the time it is read, for others may read from it, too.
        for pipe in (self.process.stdin, self.process.stdout):
            os.set_blocking(pipe.fileno(), False)
        self.expected.clear()
        self.forgotten.clear()
        self.ready = False

    def start(
        self,
        exercise: Exercise,
        columns: str | Mapping[str, str],
        limit: float,
        scenarios: Mapping[str, Scenario],
    ) -> "Asked":
        """Have scenarios run on the submission's answer to an exercise, all asked for at once."""
        self._make_ready()
        return Asked(self, exercise, columns, min(limit, self.seconds_left), scenarios)

    def _make_ready(self) -> None:
        if self.seconds_left <= 0:
            raise TooSlow("The submission has used up the time it has for all exercises.")
        if self.process is None:
            # Who ended its runner pays for the next.
            with self._counting():
                self._start()
                self._wait_for_it()
        elif not self.ready:
            self._wait_for_it()

    def _wait_for_it(self) -> None:
        try:
            self._receive(time.monotonic() + START_SECONDS)
        except (Broken, TooSlow, OSError) as error:
            said = complaint(self.process)
            self.stop()
            raise self._no_runner(said or error) from None
        self.ready = True

    def _no_runner(self, error: object) -> NoRunner:
        """Remember the fault: pytest takes what is raised in a test for a test that failed."""
        self.fault = NoRunner(f"The runner did not start: {error}")
        return self.fault

    def ask(
        self,
        header: dict,
        tables: Sequence[pa.Table],
        expected: Sequence[pa.Schema],
        deadline: float,
    ) -> str:
        """Send a request, which is answered with such tables; give the number that names it."""
        number = secrets.token_hex(8)
        self.expected[number] = expected
        self._tell(header | {"id": number}, tables, deadline)
        return number

    def _tell(self, header: dict, tables: Sequence[pa.Table], deadline: float) -> None:
        with self._counting():
            self._send(protocol.message(header, tables), deadline)

    def hear(self, deadline: float) -> tuple[dict, list[pa.Table]]:
        """Receive a message, but for answers that nobody waits for any more."""
        with self._counting():
            while True:
                header, tables = self._receive(deadline)
                number = header["id"]
                del self.expected[number]
                if number not in self.forgotten:
                    return header, tables
                self.forgotten.remove(number)

    def _schemas(self, header: dict) -> Sequence[pa.Schema]:
        """Say which tables a message must hold: an answer those of its question, an error none.

        The numbers are drawn when the questions are sent, so nobody has answers in advance.
        """
        number = header.get("id")
        if not self.ready:
            return []
        if not isinstance(number, str) or number not in self.expected:
            raise Broken("an answer to something that was not asked")
        return [] if header.get("status") == "error" else self.expected[number]

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Count the time that is waited for the submission."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds_left -= time.monotonic() - began

    def forget(self, numbers: Collection[str]) -> None:
        """Let the runner give up what it was asked for; it is ended if it does not even listen."""
        if self.process is None or not numbers:
            return
        self.forgotten |= set(numbers)
        try:
            self._tell({"forget": list(numbers)}, (), time.monotonic() + GRACE_SECONDS)
        except (TooSlow, OSError):
            self.stop()

    def _send(self, data: bytes, deadline: float) -> None:
        pipe, rest = self.process.stdin.fileno(), memoryview(data)
        while rest:
            _wait([], [pipe], deadline)
            with suppress(BlockingIOError):
                rest = rest[os.write(pipe, rest) :]

    def _receive(self, deadline: float) -> tuple[dict, list[pa.Table]]:
        pipe = self.process.stdout.fileno()

        def read(size: int) -> bytes:
            data = bytearray()
            while len(data) < size:
                _wait([pipe], [], deadline)
                with suppress(BlockingIOError):
                    part = os.read(pipe, min(size - len(data), 2**20))
                    if not part:
                        raise Broken("it hung up")
                    data += part
            return bytes(data)

        return protocol.receive(read, self._schemas)

    def stop(self) -> None:
        """End the runner and everything it started."""
        if self.process is not None:
            self.sandbox.end(self.process)
            self.process = None


class Asked:
    """What a runner was asked for: it answers in any order, and no question twice."""

    def __init__(
        self,
        remote: Remote,
        exercise: Exercise,
        columns: str | Mapping[str, str],
        limit: float,
        scenarios: Mapping[str, Scenario],
    ) -> None:
        """Ask for all; `limit` is what one run may take, and some are run side by side."""
        self.remote, self.columns, self.scenarios = remote, columns, scenarios
        rounds = math.ceil(len(scenarios) / SIDE_BY_SIDE)
        self.deadline = time.monotonic() + min(remote.seconds_left, limit * rounds) + GRACE_SECONDS
        self.waiting: dict[str, str] = {}
        self.came: dict[str, Outcome | AnswerError] = {}
        self.rows_left, self.bytes_left = MOST_ROWS, MOST_BYTES
        for name, scenario in scenarios.items():
            self._guarded(partial(self._ask, name, _request(exercise, columns, scenario, limit)))

    def _ask(self, name: str, request: tuple[dict, list[pa.Table]]) -> None:
        schemas = [schema_of(each) for each in by_output(self.columns).values()]
        self.waiting[self.remote.ask(*request, schemas, self.deadline)] = name

    def outcome(self, name: str) -> Outcome:
        """Wait for what came of one of them."""
        while name not in self.came:
            self._guarded(self._hear)
        came = self.came[name]
        if isinstance(came, TooSlow):
            # What hangs, hangs on in that process.
            self.remote.stop()
        if isinstance(came, AnswerError):
            raise came
        return came

    def _hear(self) -> None:
        header, tables = self.remote.hear(self.deadline)
        name = self.waiting.pop(header["id"])
        if header.get("status") == "error":
            self.came[name] = _error(header)
            return
        self.rows_left -= sum(table.num_rows for table in tables)
        self.bytes_left -= sum(table.nbytes for table in tables)
        if self.rows_left < 0 or self.bytes_left < 0:
            raise Broken(f"more than {MOST_ROWS:,} rows or {MOST_BYTES:,} bytes, all runs together")
        self.came[name] = outcome(header, tables, self.columns, self.scenarios[name])

    def _guarded(self, talk: Callable[[], None]) -> None:
        """Talk to the runner; if it fails at that, it is ended, and so is all that it was asked."""
        if self.remote.process is None:
            fault: AnswerError = Crashed("The submission ended the process that it ran in.")
        else:
            try:
                return talk()
            except (Broken, OSError) as error:
                fault = Crashed(f"The submission ended the process that it ran in ({error}).")
            except TooSlow as error:
                fault = error
            self.remote.stop()
        self.waiting.clear()
        self.came = dict.fromkeys(self.scenarios, fault) | self.came
        return None

    def stop(self) -> None:
        """Let go of what has not been answered."""
        self.remote.forget(self.waiting)


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
