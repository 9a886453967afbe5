"""An answer that starts its query itself is called again and again, and its folder is read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame
from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

from trainer.lessons.stepper import step
from trainer.rows import end, ride
from trainer.running.answer import AnswerError, ContractError, Crashed
from trainer.scenario import run

NIGHTS = [[ride(1)], [ride(2)], [end(1)]]
COLUMNS = "ride_id bigint, is_start boolean"


def writer(rides: DataFrame, checkpoint: str, file_format: str = "parquet") -> DataStreamWriter:
    """Write two columns; when it is started, it ends by itself."""
    writer = rides.select("ride_id", "is_start").writeStream.format(file_format)
    return writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)


def keep(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Do it right."""
    return writer(rides, checkpoint).start(folder)


def told(answer: Callable, **options: object) -> AnswerError:
    """Run an answer that fails; give the error, whose message is one line."""
    with pytest.raises(AnswerError) as caught:
        run(answer, role="program", rides=NIGHTS[:1], **options)
    assert "\n" not in str(caught.value)
    return caught.value


def test_each_call_is_a_micro_batch_of_the_result(spark):
    """A row stands where it came into the folder, and the columns are the contract's."""
    result = run(keep, role="program", columns=COLUMNS, rides=NIGHTS)
    assert [[row["ride_id"] for row in batch] for batch in result.batches] == [[1], [2], [1]]
    assert result.schema == COLUMNS and result.state_rows == [0, 0, 0]


def test_what_a_later_call_takes_away_is_in_none(spark):
    """Rows that were written over are lost, and what was written twice counts twice."""

    def write_over(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        def write(frame: DataFrame, number: int) -> None:
            frame.union(frame).write.mode("overwrite").parquet(folder)

        return writer(rides, checkpoint).foreachBatch(write).start()

    result = run(write_over, role="program", rides=NIGHTS[:2])
    assert [[row["ride_id"] for row in batch] for batch in result.batches] == [[], [2, 2]]


def test_a_query_that_was_killed_does_its_micro_batch_again(spark):
    """With the same rows as before, whatever has come since."""
    seen = []

    def look(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        def note(frame: DataFrame, number: int) -> None:
            seen.append((number, [row.ride_id for row in frame.collect()]))

        return writer(rides, checkpoint).foreachBatch(note).start()

    run(look, role="program", killed_after=1, rides=NIGHTS[:2])
    assert seen == [(0, [1]), (0, [1]), (1, [2])]


def test_a_query_that_is_killed_needs_its_notes(spark):
    """Where they lie elsewhere, nobody looks for them once the machine is up again."""

    def elsewhere(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        return keep(rides, folder, f"{folder}-notes")

    assert run(elsewhere, role="program", rides=NIGHTS[:2]).rows
    error = told(elsewhere, killed_after=1)
    assert isinstance(error, ContractError) and "noted nothing in `checkpoint`" in str(error)


def test_a_query_that_never_ends_is_refused_at_once(spark):
    """Nobody waits for it, and it doesn't run on."""

    def go_on(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        return writer(rides, checkpoint).trigger(processingTime="1 hour").start(folder)

    error = told(go_on)
    assert isinstance(error, ContractError)
    assert str(error).startswith("Your query never ends: it waits for more rides.")
    assert "return writer(rides, checkpoint)" in str(error)
    assert not spark.streams.active


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda query: None, "returned None; expected the query that was started, which is what"),
        (lambda query: None, "It started one: is a `return` missing?"),
        (lambda query: query.id, "returned a str; expected the query"),
    ],
)
def test_what_is_no_query(spark, give, message):
    """What was returned is named; a None most often lacks its return."""
    error = told(lambda rides, folder, checkpoint: give(keep(rides, folder, checkpoint)))
    assert isinstance(error, ContractError) and message in str(error)


def test_a_query_that_was_not_started(spark):
    """A writer is no query yet."""
    error = told(lambda rides, folder, checkpoint: writer(rides, checkpoint))
    assert str(error).endswith("Is a `start()` missing?")


def test_another_format(spark):
    """The names of the files that are there say what came."""
    error = told(lambda rides, folder, checkpoint: writer(rides, checkpoint, "json").start(folder))
    assert isinstance(error, ContractError) and ".json; expected parquet." in str(error)


def test_other_columns(spark):
    """Those that came are named, and those that were expected."""
    error = told(keep, columns="ride_id bigint")
    assert str(error) == f"`folder` holds the columns {COLUMNS}; expected ride_id bigint."


def test_no_checkpoint(spark):
    """A sink of files wants one, and what Spark says of it is told with the line."""

    def forget(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        return rides.writeStream.format("parquet").trigger(availableNow=True).start(folder)

    assert "checkpointLocation must be specified" in str(told(forget))


def test_an_error_on_the_rows(spark):
    """It is told as any other, with the line."""

    def fail(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        def write(frame: DataFrame, number: int) -> None:
            raise KeyError("ride 1")

        return writer(rides, checkpoint).foreachBatch(write).start()

    error = told(fail)
    assert isinstance(error, Crashed) and str(error).startswith("KeyError: 'ride 1' (line ")


def test_nothing_is_left_of_a_run(spark):
    """Neither its folders nor its queries."""
    places = []

    def remember(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
        places.extend([Path(folder), Path(checkpoint)])
        return keep(rides, folder, checkpoint)

    run(remember, role="program", rides=NIGHTS[:1])
    assert places and not any(place.exists() for place in places)
    assert not spark.streams.active


def test_it_can_be_walked_through(spark):
    """As a report offers it: its folders are made for it, and need not be given."""
    steps = step(keep, rides=[[ride(1)], [end(1)]], role="program", killed_after=1)
    assert len(list(steps)) == 2
    assert "ride_id 1" in repr(steps)
