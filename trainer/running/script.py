"""A script: what goes into an answer, stream by stream, as streams and tables of Spark."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from datagen import FARE_SCHEMA, LINE_SCHEMA, RIDE_SCHEMA
from trainer.running import source
from trainer.running.inputs import Kind, kind_of

Row = Mapping[str, object]

SCHEMAS = {
    "rides": RIDE_SCHEMA,
    "fares": FARE_SCHEMA,
    "lines": LINE_SCHEMA,
    "durations": pa.schema(
        [
            ("ride_id", pa.int64()),
            ("driver_id", pa.int64()),
            ("start_cell", pa.int32()),
            ("minutes", pa.float64()),
            ("event_time", pa.timestamp("us", tz="UTC")),
        ]
    ),
    "blocks": pa.schema(
        [
            ("driver_id", pa.int64()),
            ("blocked", pa.bool_()),
            ("event_time", pa.timestamp("us", tz="UTC")),
        ]
    ),
    "rules": pa.schema(
        [
            ("rule_id", pa.int64()),
            ("over", pa.float32()),
            ("active", pa.bool_()),
            ("event_time", pa.timestamp("us", tz="UTC")),
        ]
    ),
    "zones": pa.schema([("cell", pa.int32()), ("place", pa.string()), ("borough", pa.string())]),
}


class Script:
    """The inputs of one run: streams, static tables, and plain values, handed on as they are."""

    def __init__(self, inputs: Mapping[str, Sequence], schemas: Mapping[str, pa.Schema]) -> None:
        """Turn the rows into Arrow tables, with the schema that each input's name says."""
        self.tables, self.streams, self.plain = {}, {}, {}
        self.schemas: dict[str, pa.Schema] = {}
        for name, rows in inputs.items():
            kind = kind_of(rows)
            if kind is Kind.PLAIN:
                self.plain[name] = rows
                continue
            schema = self.schemas[name] = schema_for(name, schemas)
            if kind is Kind.TABLE:
                self.tables[name] = arrow_table(name, rows, schema)
            else:
                self.streams[name] = [arrow_table(name, batch, schema) for batch in rows]
        self.length = max(map(len, self.streams.values()), default=0)
        for name, batches in self.streams.items():
            empty = self.schemas[name].empty_table()
            batches += [empty] * (self.length - len(batches))

    def read(
        self, spark: SparkSession, until: int, at_once: bool = False
    ) -> dict[str, DataFrame | object]:
        """Give each input as a DataFrame: a stream of so many micro-batches, or a static table.

        `at_once`: each query takes as one micro-batch what none before it has taken.
        """
        frames = {name: spark.createDataFrame(table) for name, table in self.tables.items()}
        streams = {
            name: source.stream(spark, self.schemas[name], batches[:until], at_once)
            for name, batches in self.streams.items()
        }
        return frames | self.plain | streams


def schema_for(name: str, schemas: Mapping[str, pa.Schema]) -> pa.Schema:
    """Give the schema of an input: the one given, or else the one that its name says."""
    known = SCHEMAS | dict(schemas)
    if name not in known:
        raise ValueError(
            f"No schema for an input named {name!r}: name it one of {', '.join(known)}, "
            f"or give schemas={{{name!r}: …}}."
        )
    return known[name]


def arrow_table(name: str, rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Turn rows into an Arrow table; each must have exactly the columns of the schema."""
    for row in rows:
        if set(row) != set(schema.names):
            raise ValueError(
                f"A row of {name} has the columns {', '.join(row)}; "
                f"it must have {', '.join(schema.names)}."
            )
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
