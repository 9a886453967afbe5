"""The taxi streams: ride events and fares, any range of them, made the same every time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from datagen.lines import LineStream
from datagen.options import OPTION_NAMES, OptionError, Options, make_options, parse_options
from datagen.schema import FARE_SCHEMA, LINE_SCHEMA, RIDE_SCHEMA
from datagen.stream import BATCH_ROWS, FareStream, RideStream
from datagen.truth import TRUTH_SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = [
    "BATCH_ROWS",
    "FARE_SCHEMA",
    "LINE_SCHEMA",
    "OPTION_NAMES",
    "RIDE_SCHEMA",
    "TRUTH_SCHEMA",
    "FareStream",
    "LineStream",
    "OptionError",
    "Options",
    "RideStream",
    "count_fares",
    "count_ride_events",
    "fares",
    "iter_fares",
    "iter_ride_events",
    "iter_ride_lines",
    "make_options",
    "parse_options",
    "register",
    "ride_events",
    "ride_lines",
]


def ride_events(start: int, stop: int, **options: object) -> pa.Table:
    """Give events start…stop−1 of the ride stream in arrival order, counted from 0."""
    return _table(RideStream(make_options(**options)), start, stop)


def fares(start: int, stop: int, **options: object) -> pa.Table:
    """Give fares start…stop−1 of the fare stream in arrival order, counted from 0."""
    return _table(FareStream(make_options(**options)), start, stop)


def ride_lines(start: int, stop: int, **options: object) -> pa.Table:
    """Give events start…stop−1 of the ride stream as lines of JSON in one column, `value`."""
    return _table(LineStream(make_options(**options)), start, stop)


def iter_ride_events(
    start: int, stop: int, *, batch_rows: int = BATCH_ROWS, **options: object
) -> Iterator[pa.RecordBatch]:
    """Give the rows of `ride_events` in batches, each made when it is asked for."""
    return RideStream(make_options(**options)).batches(start, stop, batch_rows)


def iter_fares(
    start: int, stop: int, *, batch_rows: int = BATCH_ROWS, **options: object
) -> Iterator[pa.RecordBatch]:
    """Give the rows of `fares` in batches, each made when it is asked for."""
    return FareStream(make_options(**options)).batches(start, stop, batch_rows)


def iter_ride_lines(
    start: int, stop: int, *, batch_rows: int = BATCH_ROWS, **options: object
) -> Iterator[pa.RecordBatch]:
    """Give the rows of `ride_lines` in batches, each made when it is asked for."""
    return LineStream(make_options(**options)).batches(start, stop, batch_rows)


def count_ride_events(rides: int, **options: object) -> int:
    """How many events the ride stream of the first so many rides holds."""
    return len(RideStream(make_options(**options, rides=rides)))


def count_fares(rides: int, **options: object) -> int:
    """How many fares the fare stream of the first so many rides holds."""
    return len(FareStream(make_options(**options, rides=rides)))


def _table(stream: RideStream | FareStream | LineStream, start: int, stop: int) -> pa.Table:
    return pa.Table.from_batches(stream.batches(start, stop), schema=stream.schema)


def register(spark: "SparkSession") -> None:
    """Make `taxi_rides`, `taxi_fares` and `taxi_ride_lines` formats of a Spark session."""
    # Imported here: whoever only makes rows, or files of them, need not load Spark.
    from datagen import source

    source.register(spark)
