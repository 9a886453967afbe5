"""The Spark sources give the rows of the pure functions, as a batch and as a stream."""

import random

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import datagen
from tests.kit.queries import drain

PURE = {
    "taxi_rides": datagen.ride_events,
    "taxi_fares": datagen.fares,
    "taxi_ride_lines": datagen.ride_lines,
}


PROFILES = ["city", "classic"]


def pure(kind: str, start: int, stop: int, **options) -> pa.Table:
    """The rows of the pure function."""
    return PURE[kind](start, stop, **options)


def same(found: pa.Table, expected: pa.Table) -> bool:
    """Whether two tables hold the same rows in the same order, however they are cut."""
    return found.cast(expected.schema).combine_chunks() == expected.combine_chunks()


def random_reads(count: int) -> list[dict]:
    """Reads of random ranges, seeds, flaws and partition counts, the same in every run."""
    choose = random.Random(2020)
    return [random_read(choose, number) for number in range(count)]


def random_read(choose: random.Random, number: int) -> dict:
    """One read: what the pure function takes, and how Spark shares the work."""
    flaws = {
        "disorder": choose.choice([0, 300.5]),
        "late": choose.choice([0, 0.05]),
        "duplicates": choose.choice([0, 0.1]),
        "missing_ends": choose.choice([0, 0.2]),
        "malformed": choose.choice([0, 0.2]),
        "missing_fares": choose.choice([0, 0.2]),
        "hot_key": choose.choice([0, 0.3]),
        "truth": choose.random() < 0.5,
    }
    start = choose.choice([0, choose.randrange(10_000), choose.randrange(10**8)])
    return {
        "kind": list(PURE)[number % 3],
        "range": (start, start + choose.randrange(1, 3000)),
        "stream": {
            "profile": choose.choice(["city", "classic"]),
            "seed": choose.randrange(2**40),
            **flaws,
        },
        "spark": {"partitions": choose.randrange(1, 5)},
    }


def as_options(read: dict) -> dict:
    """The options that Spark needs for a read."""
    start, stop = read["range"]
    return {**read["stream"], **read["spark"], "start": start, "stop": stop}


@pytest.mark.parametrize("read", random_reads(4), ids=str)
def test_batch_and_stream_have_the_rows_of_the_pure_function(spark, read):
    """Any range, seed, flaws and partitions: the three ways to the rows agree, order included."""
    expected = pure(read["kind"], *read["range"], **read["stream"])
    batch = spark.read.format(read["kind"]).options(**as_options(read)).load()
    rows = expected.num_rows // 2 + 1
    stream = spark.readStream.format(read["kind"]).options(**as_options(read), rows_per_batch=rows)
    assert expected.num_rows > 0
    assert same(batch.toArrow(), expected)
    assert same(pa.concat_tables(drain(stream.load())), expected)


def test_a_batch_of_so_many_rides_holds_them_from_first_to_last(spark):
    """The option rides ends the stream after the last event of the last ride."""
    options = {"profile": "classic", "rides": 700, "missing_ends": 0.1}
    found = spark.read.format("taxi_rides").options(**options, partitions=2).load().toArrow()
    assert same(found, pure("taxi_rides", 0, 10_000, **options))
    assert found.num_rows == datagen.count_ride_events(700, profile="classic", missing_ends=0.1)


def test_a_range_beyond_the_end_is_empty(spark):
    """Nothing is read where nothing is."""
    options = {"profile": "classic", "rides": 10, "start": 5000}
    assert spark.read.format("taxi_rides").options(**options).load().count() == 0


def classic(spark: SparkSession, **options) -> DataFrame:
    """A stream of classic ride events."""
    return spark.readStream.format("taxi_rides").options(profile="classic", **options).load()


def test_a_micro_batch_holds_rows_per_batch_rows(spark):
    """A stream that ends with `rides` is drained in micro-batches of that size, then stops."""
    batches = drain(classic(spark, rides=250, rows_per_batch=200))
    assert [batch.num_rows for batch in batches] == [200, 200, 100]


def test_a_run_takes_batches_per_run_micro_batches_and_the_next_goes_on(spark, tmp_path):
    """An endless stream stops after so many micro-batches; a new run takes the next ones."""
    stream = classic(spark, rows_per_batch=50, batches_per_run=2)
    first, second = drain(stream, tmp_path), drain(stream, tmp_path)
    assert [batch.num_rows for batch in first + second] == [50, 50, 50, 50]
    assert same(pa.concat_tables(first + second), pure("taxi_rides", 0, 200, profile="classic"))


def test_option_names_may_be_written_in_any_case(spark):
    """Spark ignores the case of option names, and so do the sources."""
    found = spark.read.format("taxi_rides").options(PROFILE="classic", Rides=3).load()
    assert found.count() == 6
