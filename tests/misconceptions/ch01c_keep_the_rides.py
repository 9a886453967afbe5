"""What learners get wrong when they write a stream into a folder."""

import tempfile

from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from trainer.misconceptions import caught_by


@caught_by(
    "test_the_second_night_brings_what_has_come_since",
    "test_nothing_is_missing",
    not_written=r"checkpointLocation\W+checkpoint\b",
)
def another_checkpoint_each_night(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """You gave each night's query a checkpoint of its own. A query with an empty checkpoint begins
    again at micro-batch 0, with all rows. The folder already has a micro-batch 0, takes this one to
    be the same, and leaves it out: the rides of the second night are lost, without an error. Use
    the `checkpoint` that you are given."""
    writer = rides.writeStream.format("parquet")
    writer = writer.option("checkpointLocation", tempfile.mkdtemp(prefix="taxi-streams-"))
    return writer.trigger(availableNow=True).start(folder)


@caught_by("test_nothing_is_there_twice", not_written=r"checkpointLocation\W+checkpoint\b")
def no_checkpoint(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Your query has no checkpoint that is still there the next night, so each night's query reads
    everything from the beginning. If you name none, Spark uses a temporary folder. Set the option
    `checkpointLocation` to `checkpoint`."""

    def write(frame: DataFrame, number: int) -> None:
        frame.write.mode("append").parquet(folder)

    return rides.writeStream.foreachBatch(write).trigger(availableNow=True).start()


@caught_by("test_a_killed_query_writes_nothing_twice", written="foreachBatch")
def appends_in_foreach_batch(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """You append in `foreachBatch`. A query that was killed after it had appended, but before it
    could note that, does that micro-batch again, and your function appends it again. The sink
    `parquet` knows which micro-batches it already has; in `foreachBatch` you must see to that
    yourself, by the number of the micro-batch."""

    def write(frame: DataFrame, number: int) -> None:
        frame.write.mode("append").parquet(folder)

    writer = rides.writeStream.foreachBatch(write).option("checkpointLocation", checkpoint)
    return writer.trigger(availableNow=True).start()


@caught_by("test_what_was_written_stays", "test_nothing_is_missing", written="overwrite")
def overwrites(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """You write each micro-batch with `overwrite`, which takes away all that was in the folder
    before. A stream's micro-batches add to what is there: `append`."""

    def write(frame: DataFrame, number: int) -> None:
        frame.write.mode("overwrite").parquet(folder)

    writer = rides.writeStream.foreachBatch(write).option("checkpointLocation", checkpoint)
    return writer.trigger(availableNow=True).start()


@caught_by("test_the_first_night_is_written", "test_nothing_is_missing")
def keeps_them_in_memory(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Nothing came into `folder`. The sinks `memory`, `console` and `noop` are for trying things
    out: what they hold is gone when the session ends. Use `format("parquet")`, and start it with
    `folder`."""
    writer = rides.writeStream.format("noop").option("checkpointLocation", checkpoint)
    return writer.trigger(availableNow=True).start()


@caught_by("test_an_event_that_comes_twice_is_written_twice", written="drop_?duplicates|distinct")
def drops_repeats(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """You dropped events that the stream brings twice. "None twice" is about your query: what came
    once must not be written twice. What came twice is two rows, and to recognise a repeat, every
    row would have to be kept in state for ever."""
    writer = rides.dropDuplicates(["ride_id", "is_start"]).writeStream.format("parquet")
    writer = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    return writer.start(folder)


@caught_by("test_the_first_night_is_written", written="processingTime|continuous")
def never_ends(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Your query looks for new rides every ten seconds and never ends. A program that is started
    every night takes `trigger(availableNow=True)`."""
    writer = rides.writeStream.format("parquet").option("checkpointLocation", checkpoint)
    return writer.trigger(processingTime="10 seconds").start(folder)


@caught_by("test_the_first_night_is_written", not_written=r"\breturn\b")
def returns_nothing(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """You started the query and did not return it: nobody can wait for it, or ask how it went."""
    writer = rides.writeStream.format("parquet").option("checkpointLocation", checkpoint)
    writer.trigger(availableNow=True).start(folder)
