"""One output of an answer: the streaming query that runs it, and what it has given so far."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from trainer.answer import Stopped, TooSlow, crash
from trainer.contract import described
from trainer.result import Result, Scenario, total, watermark

# A processor in processing-time mode never says that it is done.
IDLE_MICRO_BATCHES = 4


class Output:
    """Collects the micro-batches of one output, over all queries that go on with it."""

    def __init__(self, function: Callable, folder: Path) -> None:
        """Keep the checkpoint in a folder; errors are told to the author of the function."""
        self._function, self._folder = function, folder
        self._rows, self._reports = {}, {}

    def start(self, frame: DataFrame, output_mode: str) -> None:
        """Start a query, from the checkpoint if there is one."""
        self._schema = described(frame.schema)
        writer = frame.writeStream.foreachBatch(self._keep).outputMode(output_mode)
        writer = writer.option("checkpointLocation", str(self._folder))
        try:
            self._query = writer.trigger(availableNow=True).start()
        except PySparkException as error:
            raise crash(error, self._function) from error

    def _keep(self, frame: DataFrame, number: int) -> None:
        self._rows[number] = frame.toArrow().to_pylist()

    def wait(self, length: int, deadline: float, stop: Event | None) -> None:
        """Wait until the query has drained; after so many micro-batches it gets no more input."""
        try:
            while not self._query.awaitTermination(0.1):
                if stop and stop.is_set():
                    raise Stopped("Nobody waits for this run any more.")
                if time.monotonic() > deadline:
                    done = max(self._rows, default=-1) + 1
                    raise TooSlow(
                        f"Time is up after {done} micro-batches. Is there an endless loop or a "
                        "sleep in what runs on the rows?"
                    )
                if self._is_idle(length):
                    break
        except PySparkException as error:
            raise crash(error, self._function) from error
        self._reports |= {report["batchId"]: report for report in self._progress()}

    def _is_idle(self, length: int) -> bool:
        last = max(self._rows, default=-1)
        drained = range(max(length, last - IDLE_MICRO_BATCHES + 1), last + 1)
        return len(drained) == IDLE_MICRO_BATCHES and not any(self._rows[n] for n in drained)

    def _progress(self) -> list[dict]:
        return [json.loads(report.json) for report in self._query.recentProgress]

    def stop(self) -> None:
        """Stop the query, if it still runs, and let go of it.

        The query holds this object, by `_keep`; if this held the query, too, neither Python nor
        Java could ever forget the two.
        """
        if hasattr(self, "_query"):
            self._query.stop()
            del self._query

    def result(self, scenario: Scenario) -> Result:
        """Give all that has been collected as plain data."""
        # A run that was ended by force may leave its last micro-batch, an idle one, unreported.
        numbers = sorted(self._rows.keys() & self._reports.keys())
        reports = [self._reports[number] for number in numbers]
        return Result(
            batches=[self._rows[number] for number in numbers],
            state_rows=[total(report, "numRowsTotal") for report in reports],
            dropped_late=[total(report, "numRowsDroppedByWatermark") for report in reports],
            watermarks=[watermark(report) for report in reports],
            schema=self._schema,
            scenario=scenario,
        )
