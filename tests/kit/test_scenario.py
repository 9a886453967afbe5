"""The scenario: scripted streams in, plain rows out, by way of real streaming queries."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor, StreamingQuery

from trainer.rows import HARTFORD, at, end, fare, in_order, ride
from trainer.running.answer import Stopped
from trainer.scenario import run
from trainer.spark.session import session


def unchanged(rides: DataFrame) -> DataFrame:
    """Give back what comes."""
    return rides


def rides_by_half_hour(rides: DataFrame) -> DataFrame:
    """Count in windows of half an hour."""
    timed = rides.withWatermark("event_time", "10 minutes")
    counts = timed.groupBy(F.window("event_time", "30 minutes")).count()
    return counts.select(F.col("window.start").alias("start"), F.col("count").alias("n"))


def numbered(batches: list) -> list[list[int]]:
    """Reduce micro-batches to ride ids."""
    return [[row["ride_id"] for row in batch] for batch in batches]


SCRIPT = [[ride(1), end(1)], [], [ride(2, at="13:00")], [ride(3, at="12:05")], []]


def test_what_comes_out_is_what_went_in(spark):
    """Rows make the journey through Spark unchanged, nulls included."""
    nothing_known = dict.fromkeys(ride(1))
    result = run(unchanged, rides=[[ride(1, ends_at=HARTFORD), nothing_known]])
    assert result.rows == [ride(1, ends_at=HARTFORD), nothing_known]
    assert result.schema.startswith("ride_id bigint, taxi_id bigint, driver_id bigint, is_start b")


def test_every_micro_batch_of_the_script_is_one_of_the_query(spark):
    """An empty micro-batch runs as any other does."""
    assert numbered(run(unchanged, rides=SCRIPT).batches) == [[1, 1], [], [2], [3], []]


def test_the_streams_advance_in_step(spark):
    """The n-th micro-batches come together; a shorter stream ends in empty ones."""
    result = run(
        lambda rides, fares: rides.select("ride_id").union(fares.select("ride_id")),
        rides=[[ride(1)], [], [ride(3)]],
        fares=[[fare(10)], [fare(20)]],
    )
    assert [sorted(batch) for batch in numbered(result.batches)] == [[1, 10], [20], [3]]


def test_a_flat_list_of_rows_is_a_static_table(spark):
    """Each micro-batch sees the whole table."""
    zones = [{"cell": 7, "place": "Midtown", "borough": "Manhattan"}]
    result = run(
        lambda rides, zones: rides.crossJoin(zones).select("ride_id", "place"),
        rides=[[ride(1)], [ride(2)]],
        zones=zones,
    )
    assert result.batches == [
        [{"ride_id": 1, "place": "Midtown"}],
        [{"ride_id": 2, "place": "Midtown"}],
    ]


def test_a_plain_argument_is_handed_on_as_it_is(spark):
    """What is no list of rows goes to the function unchanged."""
    result = run(lambda rides, most: rides.filter(F.col("ride_id") <= most), rides=SCRIPT, most=1)
    assert numbered(result.batches) == [[1, 1], [], [], [], []]


def test_an_input_of_another_name_brings_its_schema(spark):
    """What the course doesn't know by name can be described."""
    schemas = {"taxis": pa.schema([("taxi", pa.string())])}
    result = run(lambda taxis: taxis, taxis=[[{"taxi": "yellow"}]], schemas=schemas)
    assert result.rows == [{"taxi": "yellow"}]


def test_the_watermark_follows_the_newest_event_of_the_micro_batches_before(spark):
    """It stands ten minutes behind 12:20, then behind 13:00; the first micro-batch has none."""
    result = run(rides_by_half_hour, rides=SCRIPT)
    assert result.watermarks == [None, at("12:10"), at("12:10"), at("12:50"), at("12:50")]
    assert result.batches == [[], [], [], [{"start": at("12:00"), "n": 3}], []]


def test_state_is_counted_after_every_micro_batch(spark):
    """One open window, then two, then one again."""
    assert run(rides_by_half_hour, rides=SCRIPT).state_rows == [1, 1, 2, 1, 1]


def test_a_row_dropped_for_being_late_is_counted(spark):
    """The window of ride 3 closed one micro-batch before ride 3 came."""
    script = [[ride(1)], [ride(2, at="13:00")], [], [ride(3, at="12:05")]]
    result = run(rides_by_half_hour, rides=script)
    assert result.dropped_late[3] == 1


def test_the_query_drains_without_input(spark):
    """A window that closes by the last micro-batch's events comes out after it."""
    result = run(rides_by_half_hour, rides=[[ride(1)], [ride(2, at="13:00")]])
    assert result.batches == [[], [], [{"start": at("12:00"), "n": 1}]]


@pytest.mark.parametrize("stop", [1, 2, 4])
def test_a_restart_changes_nothing(spark, stop):
    """State and watermark come back from the checkpoint, and no micro-batch is added."""
    assert run(rides_by_half_hour, rides=SCRIPT, restart_after=stop) == run(
        rides_by_half_hour, rides=SCRIPT
    )


def test_the_function_is_called_again_after_a_restart(spark):
    """A list that the function keeps in Python is empty again: only Spark's state survives."""
    calls = []
    run(lambda rides: calls.append(1) or rides, rides=[[ride(1)], [ride(2)]], restart_after=1)
    assert len(calls) == 2


def test_each_output_of_a_dict_is_a_result(spark):
    """An answer with two outputs gives two results over the same script."""
    result = run(
        lambda rides: {"rides": rides, "counts": rides_by_half_hour(rides)},
        rides=SCRIPT,
        restart_after=2,
    )
    assert numbered(result["rides"].batches) == [[1, 1], [], [2], [3], []]
    assert result["counts"].rows == [{"start": at("12:00"), "n": 3}]


def test_the_output_mode_can_be_another(spark):
    """In update mode a window comes out whenever its count changes."""
    result = run(rides_by_half_hour, rides=[[ride(1)], [end(1)]], output_mode="update")
    assert [row["n"] for row in result.rows] == [1, 2]


def test_a_processor_in_processing_time_comes_to_an_end(spark):
    """It would ask for another micro-batch for ever; a few without rows are enough."""

    class Countdown(StatefulProcessor):
        def init(self, handle):
            self.count = handle.getValueState("count", "n bigint", ttlDurationMs=60_000)

        def handleInputRows(self, key, rows, timerValues):
            seen = (self.count.get()[0] if self.count.exists() else 0) + len(list(rows))
            self.count.update((seen,))
            yield Row(ride_id=key[0], n=seen)

    result = run(
        lambda rides: rides.groupBy("ride_id").transformWithState(
            Countdown(), "ride_id bigint, n bigint", "update", "processingTime"
        ),
        rides=[[ride(1)], [end(1)]],
        output_mode="update",
    )
    assert [row["n"] for row in result.rows] == [1, 2]


def test_a_row_with_a_column_that_does_not_exist_is_refused(spark):
    """A slip of the test's author is told to them, not run."""
    with pytest.raises(
        ValueError, match="A row of rides has the columns ride; it must have ride_id"
    ):
        run(unchanged, rides=[[{"ride": 1}]])


def test_nothing_is_left_behind(spark):
    """No query goes on, and draining is on again, when a run is over."""
    run(unchanged, rides=[[ride(1)], [ride(2)]], restart_after=1)
    assert not session().streams.active
    assert session().conf.get("spark.sql.streaming.noDataMicroBatches.enabled") == "true"


def test_rows_are_sorted_with_nulls_last(spark):
    """Rows of a micro-batch have no order of their own, so results are compared sorted."""
    rows = [{"n": None}, {"n": 2}, {"n": 1}]
    assert in_order(rows, "n") == [{"n": 1}, {"n": 2}, {"n": None}]


def test_a_run_that_is_over_is_let_go():
    """Two that hold each other, one in Python and one in Java, would stay for ever."""
    there = queries()
    run(lambda rides: rides, rides=[[ride(1)]])
    assert queries() <= there


def queries() -> set[int]:
    """Mark the streaming queries that Python holds."""
    gc.collect()
    return {id(each) for each in gc.get_objects() if type(each) is StreamingQuery}


def test_no_micro_batch_of_a_long_script_is_lost(spark):
    """Spark keeps its reports on the last hundred only."""
    result = run(unchanged, rides=[[ride(number)] for number in range(120)])
    assert numbered(result.batches) == [[number] for number in range(120)]
    assert len(result.watermarks) == 120


def test_runs_may_go_side_by_side(spark):
    """Each restarts and drains for itself."""

    def described_slowly(rides: DataFrame) -> DataFrame:
        time.sleep(0.2)
        return rides_by_half_hour(rides)

    stops = [1, None, 2, None]
    with ThreadPoolExecutor(len(stops)) as threads:
        runs = [
            threads.submit(run, described_slowly, rides=SCRIPT, restart_after=stop)
            for stop in stops
        ]
    alone = run(rides_by_half_hour, rides=SCRIPT)
    assert all(each.result() == alone for each in runs)


def test_a_static_table_of_the_functions_own(spark):
    """What a function makes with the session of the course goes with its streams, either way."""
    wanted = session().createDataFrame([(2,)], "ride_id bigint")
    for each in (
        lambda rides: rides.join(wanted, "ride_id"),
        lambda rides: wanted.join(rides, "ride_id"),
    ):
        assert [row["ride_id"] for row in run(each, rides=SCRIPT, restart_after=2).rows] == [2]


def test_views_of_runs_side_by_side_are_not_mixed_up(spark):
    """Whoever writes SQL names a view in the one session there is; each run reads its own rows."""

    def in_sql(rides: DataFrame) -> DataFrame:
        rides.createOrReplaceTempView("rides")
        time.sleep(0.05)
        return session().sql("select ride_id from rides")

    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(run, in_sql, rides=[[ride(number)]]) for number in range(8)]
    assert [each.result().column("ride_id") for each in runs] == [[n] for n in range(8)]


def test_a_learners_settings_hold_and_are_left_as_they_are(spark):
    """Those that are for scripts alone are gone when a query has begun."""
    policy, adaptive = "spark.sql.streaming.multipleWatermarkPolicy", "spark.sql.adaptive.enabled"
    before, seen = spark.conf.get(adaptive), []
    spark.conf.set(policy, "max")
    try:
        run(lambda rides: seen.append(rides.sparkSession.conf.get(policy)) or rides, rides=SCRIPT)
    finally:
        spark.conf.set(policy, "min")
    assert seen == ["max"]
    assert (spark.conf.get(adaptive), before) == ("true", "true")


def test_who_waits_for_a_turn_can_be_told_to_stop(spark):
    """A neighbour that hangs while it describes its stream holds nobody for ever."""
    stop, began = Event(), time.monotonic()

    def hanging(rides: DataFrame) -> DataFrame:
        while True:
            time.sleep(0.05)

    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(run, hanging, rides=SCRIPT, stop=stop) for _ in range(2)]
        time.sleep(0.5)
        stop.set()
    assert all(isinstance(each.exception(), Stopped) for each in runs)
    assert time.monotonic() - began < 30
