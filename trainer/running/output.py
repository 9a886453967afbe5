"""One output of an answer: the streaming query that runs it, and what it has given so far."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from trainer.rows import Row
from trainer.running.answer import Stopped, TooSlow, crash
from trainer.running.contents import contents
from trainer.running.contract import described
from trainer.running.held import held
from trainer.running.result import Result, total, watermark
from trainer.running.scenario import Scenario
from trainer.running.sink import KeptRows

# A processor in processing-time mode never says that it is done.
IDLE_MICRO_BATCHES = 4
# Spark keeps its reports on the last hundred.
MOST_UNREAD = 30
# Nobody reads more of what lies in state, row by row.
MOST_CONTENTS = 2_000


class Output:
    """Collects the micro-batches of one output, over all queries that go on with it."""

    def __init__(self, folder: Path) -> None:
        """Keep the checkpoint in a folder."""
        self._folder, self._frame = folder, None
        self._kept, self._earlier, self._reports = None, {}, {}
        self._held, self._contents = None, None

    def start(self, function: Callable, frame: DataFrame, output_mode: str) -> None:
        """Start a query, from the checkpoint if there is one; errors are told to the function's
        author."""
        if self._frame is not None and self._frame.schema != frame.schema:
            # Another version, which gives other columns.
            self._earlier = self._rows()
            self._kept = None
        self._function, self._frame = function, frame
        self._kept = self._kept or KeptRows(frame.sparkSession)
        writer = self._kept.writer(frame).outputMode(output_mode)
        writer = writer.option("checkpointLocation", str(self._folder))
        trigger = frame.sparkSession._jvm.org.apache.spark.sql.streaming.Trigger.AvailableNow()
        try:
            self._query = StreamingQuery(writer.trigger(trigger).start())
        except PySparkException as error:
            raise crash(error, self._function, self._frame) from error

    def wait(self, length: int, deadline: float, stop: Event | None) -> None:
        """Wait until the query has drained; after so many micro-batches it gets no more input."""
        try:
            while not self._query.awaitTermination(0.1):
                if stop and stop.is_set():
                    raise Stopped("Nobody waits for this run any more.")
                if time.monotonic() > deadline:
                    at = max(self._counts(), default=-1) + 2
                    raise TooSlow(
                        f"Time was up in micro-batch {at}. Either this machine is too busy: then "
                        "check again when it has less to do. Or there is an endless loop or a "
                        "sleep in what runs on the rows."
                    )
                counts = self._counts()
                if len(counts) - len(self._reports) > MOST_UNREAD:
                    self._read_reports()
                if self._is_idle(counts, length):
                    break
        except PySparkException as error:
            at = max(self._counts(), default=-1) + 2
            raise crash(error, self._function, self._frame, at) from error
        self._read_reports()

    def _read_reports(self) -> None:
        reports = self._kept.reports(self._query._jsq)
        self._reports |= {report["batchId"]: report for report in reports}

    def _counts(self) -> dict[int, int]:
        earlier = {number: len(rows) for number, rows in self._earlier.items()}
        return earlier | self._kept.counts()

    def _rows(self) -> dict[int, list[Row]]:
        """Give the rows of each micro-batch; those of an earlier version with today's columns."""
        names = self._frame.columns
        earlier = {
            number: [{name: row.get(name) for name in names} for row in rows]
            for number, rows in self._earlier.items()
        }
        return earlier | self._kept.rows(self._frame)

    def _is_idle(self, counts: dict[int, int], length: int) -> bool:
        last = max(counts, default=-1)
        drained = range(max(length, last - IDLE_MICRO_BATCHES + 1), last + 1)
        return len(drained) == IDLE_MICRO_BATCHES and not any(counts[n] for n in drained)

    def stop(self) -> None:
        """Stop the query, if it still runs, and let go of it."""
        if hasattr(self, "_query"):
            self._query.stop()
            del self._query

    def look_into_state(self) -> None:
        """Count what state holds now, while its checkpoint is there."""
        last = self._reports[max(self._reports)]
        self._held = held(self._frame.sparkSession, self._folder, last["stateOperators"])

    def read_contents(self) -> None:
        """Read what state held after each micro-batch, if Spark's reader can and it isn't much."""
        reports = [self._reports[number] for number in self._numbers()]
        if sum(total(report, "numRowsTotal") for report in reports) > MOST_CONTENTS:
            return
        try:
            self._contents = contents(self._frame.sparkSession, self._folder, reports)
        except Exception:
            # It is an extra: whatever lies in a state, the run itself went well.
            self._contents = None

    def _numbers(self) -> list[int]:
        # A run that was ended by force may leave its last micro-batch, an idle one, unreported.
        return sorted(self._counts().keys() & self._reports.keys())

    def result(self, scenario: Scenario) -> Result:
        """Give all that has been collected as plain data."""
        rows, numbers = self._rows(), self._numbers()
        reports = [self._reports[number] for number in numbers]
        return Result(
            batches=[rows[number] for number in numbers],
            state_rows=[total(report, "numRowsTotal") for report in reports],
            dropped_late=[total(report, "numRowsDroppedByWatermark") for report in reports],
            watermarks=[watermark(report) for report in reports],
            schema=described(self._frame.schema),
            state_held=self._held,
            contents=self._contents,
            scenario=scenario,
        )
