"""A script: what goes into an answer, stream by stream, as files that Spark reads as a stream."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from datagen import FARE_SCHEMA, LINE_SCHEMA, RIDE_SCHEMA
from trainer.inputs import Kind, kind_of

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

    def write(self, folder: Path, until: int) -> None:
        """Write the first so many micro-batches of every stream, as a file each."""
        for name, batches in self.streams.items():
            (folder / name).mkdir(exist_ok=True)
            for number, table in enumerate(batches[:until]):
                path = folder / name / f"{number:06}.parquet"
                if not path.exists():
                    parquet.write_table(table, path, compression="none")
                    # Spark takes the oldest file first.
                    os.utime(path, (1_000_000_000 + number,) * 2)

    def read(self, spark: SparkSession, folder: Path) -> dict[str, DataFrame | object]:
        """Give each input as a DataFrame: a stream takes one file a trigger, an empty one too."""
        frames = {name: spark.createDataFrame(table) for name, table in self.tables.items()}
        frames |= self.plain
        for name in self.streams:
            source = spark.readStream.schema(from_arrow_schema(self.schemas[name]))
            frames[name] = source.option("maxFilesPerTrigger", 1).parquet(str(folder / name))
        return frames


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
