"""Runs an answer that starts its query itself: what it wrote is read from its folder afterwards.

The function is called once for each micro-batch of the script, each time with the same `folder` and
`checkpoint`, like a program that is started every night. Its stream holds the rows of all calls so
far, and takes them without a limit: a query gets as one micro-batch what none before it has taken.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from pyspark.errors import PySparkException
from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

from trainer.running.answer import ContractError, Stopped, TooSlow, crash
from trainer.running.calling import call
from trainer.running.describing import starting
from trainer.running.places import Places, still_there
from trainer.running.result import Result, total
from trainer.running.scenario import Scenario
from trainer.running.script import Script
from trainer.running.scripted import its_turn, suited
from trainer.spark.session import session

POLL_SECONDS = 0.05


def written(
    function: Callable,
    script: Script,
    scratch: Path,
    columns: str | None,
    timeout: float,
    stop: Event | None,
    scenario: Scenario,
    contents: bool,
) -> Result:
    """Call a function for each micro-batch; its rows are those that are in its folder at the end.

    Each stands where it came into the folder: what a later call took away is in none. After call
    number `killed_after` the checkpoint is as if the query had been killed before it noted its
    micro-batch. Nobody looks for `contents` of state: where it is, is the answer's own.
    """
    places, batches, states = Places(scratch), [], []
    calls = Calls(function, script, places, timeout, stop)
    for number in range(1, script.length + 1):
        states.append(calls.one(number))
        batches = still_there(batches, places.rows(columns))
        if number == scenario.options.get("killed_after"):
            places.undo_the_commit()
    none = [0] * len(batches)
    return Result(batches, states, none, [None] * len(batches), columns or "", scenario)


@dataclass
class Calls:
    """Calls of one function, which together may take so many seconds."""

    function: Callable
    script: Script
    places: Places
    seconds_left: float
    stop: Event | None
    # Whose errors are told, where it is not the function itself that is called.
    author: Callable | None = None

    def one(self, number: int) -> int:
        """Call the function, wait until what it started has ended, and give the rows of state."""
        started: list[StreamingQuery] = []
        try:
            with its_turn(self.stop), suited(session(), [], True):
                # To wait for one's turn takes none of one's time.
                began = time.monotonic()
                query = self._started(number, started)
            _require_a_query(query, started)
            wait(query, began + self.seconds_left, self.stop, self.author or self.function)
            self.seconds_left -= time.monotonic() - began
            return total(query.lastProgress, "numRowsTotal") if query.lastProgress else 0
        finally:
            for each in started:
                each.stop()

    def _started(self, number: int, started: list[StreamingQuery]) -> object:
        return call(
            self.function,
            self.seconds_left,
            self.stop,
            partial(starting, started),
            folder=str(self.places.folder),
            checkpoint=str(self.places.checkpoint),
            **self.script.read(session(), number, at_once=True),
        )


def wait(query: StreamingQuery, deadline: float, stop: Event | None, author: Callable) -> None:
    """Wait until a query has ended by itself; its errors are told to whoever wrote the function."""
    try:
        while not query.awaitTermination(POLL_SECONDS):
            if stop and stop.is_set():
                raise Stopped("Nobody waits for this run any more.")
            if time.monotonic() > deadline:
                raise TooSlow(
                    "Time is up, and your query has not ended. Does it wait for anything?"
                )
    except PySparkException as error:
        raise crash(error, author) from error


def _require_a_query(answer: object, started: Sequence[StreamingQuery]) -> None:
    if isinstance(answer, StreamingQuery):
        return
    came = "None" if answer is None else f"a {type(answer).__name__}"
    remedy = ""
    if answer is None and started:
        remedy = " It started one: is a `return` missing?"
    if isinstance(answer, DataStreamWriter):
        remedy = " Is a `start()` missing?"
    raise ContractError(
        f"Your function returned {came}; expected the query that was started, which is what "
        f"`start()` gives.{remedy}"
    )
