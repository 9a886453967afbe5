"""Inspect: who is on duty, asked of the state of a query that somebody else has written.

The dispatchers have a query that tells who comes on duty and who goes off. It tells each change
once, and keeps the rest to itself. Now somebody calls: "Who is on duty *now*, and since when? And
who was, when micro-batch 7 was done?" No output has the answer. The query's state has it.

The query is `duty(rides)` in `trainer.duty`, and stays as it is. Its one stateful operator is a
processor, with the key `driver_id` (bigint) and two variables, both a value for each driver:

    self.duty = handle.getValueState("duty", "on_duty boolean, since bigint")
    self.latest = handle.getValueState("latest", "ride_id bigint, time bigint")

A driver comes on duty with his first event. `duty` is then (true, the time of that event). When the
watermark is an hour past his latest event he goes off duty, and `duty` becomes (false, the time of
that event); his next event puts him on duty again. Twelve hours after the latest one both are
cleared. All times in state are milliseconds since the beginning of 1970 in UTC.
"""

from pyspark.sql import DataFrame, SparkSession


def on_duty(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """Tell who was on duty after a micro-batch, and since when, from a query's checkpoint.

    Input: `spark`; `checkpoint`, the folder that the query has its checkpoint in; `batch_id`, the
    number of a micro-batch as Spark counts, from 0, or None for the last one that is committed. The
    number is always one of a micro-batch that is committed and whose state is still there, and at
    least one micro-batch has been committed.

    Output: a table, no stream, with
    - `driver_id` (bigint): a driver who was on duty when that micro-batch was done, each once;
    - `since` (timestamp): since when, to the millisecond, as a moment in time: what the session's
      time zone makes of it, when it is shown, plays no part.

    The rules:
    - Drivers who are off duty, but still in state, are not in the table. If nobody is on duty it
      has no rows.
    - The query may have stopped, or run while you read. A micro-batch that is being worked on, or
      that was cut short, is not committed and doesn't count: it is in `offsets`, and not in
      `commits`, and some of its state may be written already.
    - You may be asked again and again: each answer is about the checkpoint as it is then.
    - A query may have run for long. What happened in micro-batches before the one that is asked for
      may be gone: Spark deletes the files of old ones.
    - Only read: no query is started, and nothing in the checkpoint changes, nor is anything added.
    - The order of rows plays no part.

    Example: driver 1 has been on duty since 12:00, and driver 2 went off duty at 12:05; that is the
    state after micro-batch 3. In micro-batch 4 driver 2 comes back, at 14:10. Asked for micro-batch
    3 you give (1, 12:00), and asked for 4 both (1, 12:00) and (2, 14:10). While micro-batch 4 is
    being worked on, the last one that is committed is 3.
    """
    # TODO: read the variable as a table, after the right micro-batch; keep who is on duty.
    raise NotImplementedError
