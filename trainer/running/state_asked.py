"""Runs an answer that reads the state of a query of ours, of which it is given the checkpoint.

The query goes through the whole script in one life, a micro-batch for each of its lists. Then it
stops, and the answer is asked for each micro-batch by its number. With `running` it is asked for
none by number, but each time while the query is in the micro-batch after it: that one's state is
written by then, and not yet committed. Either way its session is in New York: what a zone makes of
a moment is no part of it.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from trainer.rows import Row, in_order
from trainer.running.answer import AnswerError, ContractError, Crashed
from trainer.running.calling import call
from trainer.running.contents import Part
from trainer.running.contents import contents as in_state
from trainer.running.contract import require_frame
from trainer.running.duty import duty
from trainer.running.lent import lent
from trainer.running.own_query import wait
from trainer.running.result import Result, total, watermark
from trainer.running.scenario import Scenario
from trainer.running.script import Script
from trainer.running.scripted import its_turn, settings, suited
from trainer.spark.session import session

ELSEWHERE = {"spark.sql.session.timeZone": "America/New_York"}


def read_from_state(
    function: Callable,
    script: Script,
    scratch: Path,
    columns: str | None,
    timeout: float,
    stop: Event | None,
    scenario: Scenario,
    contents: bool,
) -> Result:
    """Ask an answer what was in state after each micro-batch; `contents` keeps what really was."""
    checkpoint, running = scratch / "checkpoint", scenario.options.get("running")
    asked = Asked(function, checkpoint, columns, timeout, stop)
    query = _started(script, checkpoint, asked if running else None, stop)
    try:
        # What our query takes is none of the answer's time; to be asked within it has its own end.
        wait(query, math.inf, stop, function)
        reports = {report["batchId"]: report for report in query.recentProgress}
    finally:
        query.stop()
    for number in range(len(asked.batches), script.length):
        asked.ask() if running else asked.ask(batch_id=number)
    given = asked.given()
    if len(reports) < script.length:
        raise ContractError(
            "The query that you read was stopped; expected you to read, and no more."
        )
    reports = [reports[number] for number in range(script.length)]
    return Result(
        batches=given,
        state_rows=[total(report, "numRowsTotal") for report in reports],
        dropped_late=[total(report, "numRowsDroppedByWatermark") for report in reports],
        watermarks=[watermark(report) for report in reports],
        schema=columns or "",
        scenario=scenario,
        contents=_contents(checkpoint, reports) if contents else None,
    )


class Asked:
    """An answer that is asked again and again, which together may take so many seconds."""

    def __init__(
        self,
        function: Callable,
        checkpoint: Path,
        columns: str | None,
        seconds: float,
        stop: Event | None,
    ) -> None:
        """Ask this function about this checkpoint."""
        self.function, self.checkpoint, self.columns = function, checkpoint, columns
        self.seconds_left, self.stop = seconds, stop
        self.batches: list[list[Row]] = []
        self.fault: AnswerError | None = None

    def ask(self, **which: int) -> None:
        """Ask once more; once it went wrong, no more."""
        if self.fault:
            return
        try:
            borrowed = lent(self.checkpoint, which.get("batch_id"))
            with its_turn(self.stop), suited(session(), [], False), borrowed:
                began = time.monotonic()
                self.batches.append(self._rows(self._frame(which)))
                self.seconds_left -= time.monotonic() - began
        except AnswerError as error:
            if isinstance(error, Crashed):
                error.micro_batch = len(self.batches) + 1
            self.fault = error

    def given(self) -> list[list[Row]]:
        """Give the rows of each time; what went wrong is raised."""
        if self.fault:
            raise self.fault
        return self.batches

    def _frame(self, which: dict[str, int]) -> DataFrame:
        given = {"spark": session(), "checkpoint": str(self.checkpoint), **which}
        with settings(given["spark"], ELSEWHERE):
            frame = call(self.function, self.seconds_left, self.stop, **given)
        require_frame(frame, self.columns, "Your function")
        if frame.isStreaming:
            raise ContractError(
                "Your function returned a stream; expected a table, of what is in state now: "
                "`spark.read`, not `spark.readStream`."
            )
        return frame

    def _rows(self, frame: DataFrame) -> list[Row]:
        """Have it worked out: what is wrong with a table shows only then."""

        def collected() -> list[Row]:
            return in_order(frame.toArrow().to_pylist(), *frame.columns)

        return call(collected, self.seconds_left, self.stop, author=self.function)


def _contents(checkpoint: Path, reports: list[dict]) -> list[Part] | None:
    try:
        return in_state(session(), checkpoint, reports)
    except Exception:
        # It is an extra: whatever an answer has done to the checkpoint, it has given its rows.
        return None


def _started(
    script: Script, checkpoint: Path, asked: Asked | None, stop: Event | None
) -> StreamingQuery:
    """Start the query; whoever is to be asked is, in each micro-batch for the one before."""

    def take(frame: DataFrame, number: int) -> None:
        # That is what works it out, and writes its state.
        frame.write.format("noop").mode("overwrite").save()
        if asked and number:
            asked.ask()

    with its_turn(stop):
        frame = duty(**script.read(session(), script.length))
        with suited(session(), [frame], False):
            writer = frame.writeStream.foreachBatch(take).outputMode("update")
            writer = writer.option("checkpointLocation", str(checkpoint))
            return writer.trigger(availableNow=True).start()
