"""What learners get wrong when they read the state of a query."""

from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from trainer.misconceptions import caught_by

_known: dict[tuple[str, int | None], list] = {}


def _state(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None, variable: str = "duty"
) -> DataFrame:
    reader = spark.read.format("statestore").option("stateVarName", variable)
    if batch_id is not None:
        reader = reader.option("batchId", batch_id)
    return reader.load(checkpoint)


def _drivers(state: DataFrame, since: Column | None = None) -> DataFrame:
    since = F.timestamp_millis("value.since") if since is None else since
    return state.select("key.driver_id", since.alias("since"))


def _numbers(checkpoint: str, kind: str) -> list[str]:
    return [path.name for path in Path(checkpoint, kind).iterdir() if path.name.isdigit()]


@caught_by(
    "test_each_micro_batch_has_its_own_answer", "test_nobody_on_duty_is_a_table_without_rows"
)
def always_the_newest(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You always gave the newest state. An older micro-batch is asked for by its number, and Spark
    keeps the state after each of the last hundred: tell the reader which one you want."""
    return _drivers(_state(spark, checkpoint).where("value.on_duty"))


@caught_by("test_who_is_off_duty_is_not_there")
def everybody_in_state(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You gave all drivers that are in state. A key that is there is one that the query still
    remembers, no more: what it remembers of a driver may be that he is off duty."""
    return _drivers(_state(spark, checkpoint, batch_id))


@caught_by("test_further_events_change_nothing")
def reads_the_latest_event(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You read the variable `latest`, which holds each driver's latest event. Since when he is on
    duty is in another variable of the same processor, `duty`."""
    latest = _state(spark, checkpoint, batch_id, "latest")
    return _drivers(latest, F.timestamp_millis("value.time"))


@caught_by("test_further_events_change_nothing")
def on_duty_since_his_latest_event(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You took who is on duty from one variable, and since when from the other. `latest` has the
    time of a driver's latest event, which moves on with each; his duty began with the first."""
    there = _state(spark, checkpoint, batch_id).where("value.on_duty").select("key")
    latest = _state(spark, checkpoint, batch_id, "latest")
    return _drivers(latest.join(there, "key"), F.timestamp_millis("value.time"))


@caught_by("test_micro_batch_ten_comes_after_nine", written="commits")
def sorts_the_numbers_as_text(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You compared the names of the files in `commits` as text. As text "9" comes after "10": make
    numbers of them first. Or leave it to Spark, which looks there by itself."""
    if batch_id is None:
        batch_id = int(max(_numbers(checkpoint, "commits")))
    return _drivers(_state(spark, checkpoint, batch_id).where("value.on_duty"))


@caught_by(
    "test_without_a_number_it_is_the_last_committed_one", written="commits", seen=r"(len|sum)\("
)
def counts_the_commits(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You took the number of files in `commits`, less one, for the last micro-batch. That is so
    until Spark deletes the first of them, of a query that has run for a while: what a file stands
    for is in its name. Or leave it to Spark, which looks there by itself."""
    if batch_id is None:
        batch_id = len(_numbers(checkpoint, "commits")) - 1
    return _drivers(_state(spark, checkpoint, batch_id).where("value.on_duty"))


@caught_by("test_each_micro_batch_has_its_own_answer")
def counts_from_one(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """You gave who was on duty *before* the micro-batch that was asked for. Numbers go from 0, and
    the state with a micro-batch's number is the one after it: there is nothing to take off."""
    if batch_id:
        batch_id -= 1
    return _drivers(_state(spark, checkpoint, batch_id).where("value.on_duty"))


@caught_by("test_who_has_come_is_on_duty", "test_nobody_on_duty_is_a_table_without_rows")
def takes_zero_for_none(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You took micro-batch 0 for none. To Python 0 is as false as None is: ask whether it
    `is None`."""
    return _drivers(_state(spark, checkpoint, batch_id or None).where("value.on_duty"))


@caught_by(
    "test_without_a_number_it_is_the_last_committed_one", written=r"cache|\[\w+\] =|setdefault"
)
def keeps_its_answers(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You kept an answer, and gave it again. What was true of a checkpoint is no longer true when
    the query has gone on: None asks for the last micro-batch, and that is another one each time."""
    key = checkpoint, batch_id
    if key not in _known:
        drivers = _drivers(_state(spark, checkpoint, batch_id).where("value.on_duty"))
        _known[key] = drivers.collect()
    return spark.createDataFrame(_known[key], "driver_id bigint, since timestamp")


@caught_by("test_who_has_come_is_on_duty")
def whole_seconds(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """You dropped the milliseconds. `from_unixtime` and `timestamp_seconds` of a whole number know
    seconds only: `timestamp_millis` takes the number as it is in state."""
    state = _state(spark, checkpoint, batch_id).where("value.on_duty")
    return _drivers(state, F.timestamp_seconds(F.expr("value.since div 1000")))


@caught_by("test_who_has_come_is_on_duty")
def in_new_york(spark: SparkSession, checkpoint: str, batch_id: int | None = None) -> DataFrame:
    """You moved the times into New York's zone. A timestamp of Spark's is a moment, the same
    everywhere; what is moved is another moment. Only where it is shown does a zone matter."""
    since = F.from_utc_timestamp(F.timestamp_millis("value.since"), "America/New_York")
    return _drivers(_state(spark, checkpoint, batch_id).where("value.on_duty"), since)


@caught_by("test_a_moment_is_the_same_in_every_time_zone")
def by_way_of_a_text(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You made a text of the time, and of the text a time. A text says what a clock in the
    session's zone shows, and once a year such a clock shows the same hour twice."""
    text = F.from_unixtime(F.expr("value.since div 1000"))
    rest = F.expr("make_dt_interval(0, 0, 0, (value.since % 1000) / 1000.0)")
    state = _state(spark, checkpoint, batch_id).where("value.on_duty")
    return _drivers(state, F.to_timestamp(text) + rest)


@caught_by("test_further_events_change_nothing", written="readChangeFeed")
def what_this_micro_batch_changed(
    spark: SparkSession, checkpoint: str, batch_id: int | None = None
) -> DataFrame:
    """You gave what that micro-batch changed. The change feed has a row for each time a value was
    written; who came on duty earlier, and didn't change since, isn't in it."""
    last = max(map(int, _numbers(checkpoint, "commits"))) if batch_id is None else batch_id
    reader = spark.read.format("statestore").option("stateVarName", "duty")
    reader = reader.option("readChangeFeed", True)
    reader = reader.option("changeStartBatchId", last).option("changeEndBatchId", last)
    return _drivers(reader.load(checkpoint).where("value.on_duty"))
