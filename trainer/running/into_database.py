"""Runs an answer that is a sink, the function that `foreachBatch` calls, on a database file.

The query around it is ours, and is started anew for each micro-batch of the script, as `own_query`
has it. It can be killed: before the sink is called, within it, and after it, before Spark notes
that the micro-batch is done. Whatever it was, the next query does that micro-batch again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming import StreamingQuery

from trainer.running.answer import ContractError
from trainer.running.calling import require_parameters
from trainer.running.database import require_tables, rows_of, tables_of
from trainer.running.disk_states import DiskStates
from trainer.running.loading import anew
from trainer.running.own_query import Calls
from trainer.running.places import Places, still_there
from trainer.running.result import Result
from trainer.running.scenario import Scenario
from trainer.running.script import Script

GIVEN = ("batch", "batch_id", "database")
POINTS = BEFORE, WITHIN, AFTER = "before", "within", "after"


@dataclass(frozen=True)
class Kill:
    """In which micro-batch a query is killed, counted from one, and at which point of it."""

    after: int | None
    at: str

    def __post_init__(self) -> None:
        """Refuse what is no such point."""
        if self.at not in POINTS:
            raise ValueError(f"killed_at is {self.at!r}; expected one of {', '.join(POINTS)}.")


def written_into_a_database(
    function: Callable,
    script: Script,
    scratch: Path,
    columns: Mapping[str, str] | None,
    timeout: float,
    stop: Event | None,
    scenario: Scenario,
    contents: bool,
) -> dict[str, Result]:
    """Have each micro-batch written; the rows of a table are those that are in it at the end.

    Each stands where it came into the table: one that was changed, where it was changed last.
    Without a contract all tables are shown, as they are. There are no `contents` of state.
    """
    require_parameters(function, set(GIVEN))
    kill = Kill(scenario.options.get("killed_after"), scenario.options.get("killed_at", AFTER))
    places, sink = Places(scratch), Sink(function, scratch)
    calls = Calls(sink.start, script, places, timeout, stop, author=function)
    batches, states = {}, []
    for number in range(1, script.length + 1):
        killed_at = kill.at if number == kill.after else None
        states.append(sink.one(calls, number, killed_at))
        for name in {**batches, **dict.fromkeys(columns or tables_of(sink.database))}:
            earlier = batches.get(name, [[]] * (number - 1))
            now = rows_of(sink.database, name, columns and columns[name])
            batches[name] = still_there(earlier, now)
        if killed_at:
            places.undo_the_commit()
    require_tables(sink.database, list(columns or ()))
    none, times = [0] * script.length, [None] * script.length
    return {
        name: Result(batches[name], states, none, times, (columns or {}).get(name, ""), scenario)
        for name in columns or batches
    }


class Sink:
    """An answer's function, the database that it writes into, and the process that it lives in."""

    def __init__(self, function: Callable, scratch: Path) -> None:
        """Give the function a life, and a database that isn't there yet."""
        self.database = scratch / "database" / "fares.db"
        self.database.parent.mkdir()
        self.disk = DiskStates(self.database, scratch / "disk")
        self.function = anew(function)
        self.seen, self.kill = set(), None

    def one(self, calls: Calls, number: int, kill: str | None) -> int:
        """Run the query of one micro-batch, and kill it, before the sink is called or later."""
        self.kill = kill
        rows = calls.one(number)
        if self.disk.journal:
            raise ContractError(
                f"Your function sets the database's journal_mode to {self.disk.journal}; expected "
                "it to stay as it is: from the journal on disk SQLite undoes what a kill cut short."
            )
        if kill in (WITHIN, AFTER):
            self.disk.wind_back(midway=kill == WITHIN)
        if kill:
            # What it keeps in variables dies with its process.
            self.function = anew(self.function)
        return rows

    def start(self, folder: str, checkpoint: str, **streams: DataFrame) -> StreamingQuery:
        """Start the query around the sink."""
        (stream,) = streams.values()
        writer = stream.writeStream.foreachBatch(self.take)
        writer = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
        return writer.start()

    def take(self, frame: DataFrame, number: int) -> None:
        """Hand a micro-batch on; one that comes again is cut, and ordered, another way."""
        # The next query does the killed one again, and then its own: that one lives on.
        if number in self.seen:
            frame = _cut_anew(frame)
        elif self.kill == BEFORE:
            self.seen.add(number)
            return
        self.seen.add(number)
        with self.disk.watched():
            self.function(batch=frame, batch_id=number, database=str(self.database))
        if not self.kill:
            self.disk.forget()


def _cut_anew(frame: DataFrame) -> DataFrame:
    """Give the same rows as Spark may give them the second time: elsewhere, in another order."""
    return frame.orderBy(F.monotonically_increasing_id().desc()).repartition(3)
