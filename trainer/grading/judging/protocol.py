"""How judge and runner talk: JSON, and the bare buffers of columns; nothing that could run code.

A table crosses as the buffers that Arrow keeps for each column: which are null, where each text
begins, the values. Nothing in a message says what they mean: the one who reads knows the columns,
and with them and the number of rows how long each buffer has to be. So there is no schema to
believe, nothing to unpack, and no buffer that stands for two columns.
"""

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import pyarrow as pa

from trainer.running.columns import columns as parsed

# A message's header, and all its buffers together: far above any grader's, far below any harm.
MOST_HEADER_BYTES = 2**20
MOST_BYTES = 8 * 2**20
MOST_ROWS = 50_000
MOST_BYTES_IN_A_TEXT = 10_000

TYPES = {
    "bigint": pa.int64(),
    "int": pa.int32(),
    "smallint": pa.int16(),
    "double": pa.float64(),
    "float": pa.float32(),
    "string": pa.string(),
    "boolean": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}
NAMES = {kind: name for name, kind in TYPES.items()}

Schemas = Callable[[dict], Sequence[pa.Schema]]


class Broken(Exception):
    """The other side sent something that is no message, or hung up."""


def schema_of(columns: str) -> pa.Schema:
    """Turn a contract, `ride_id bigint, tip float`, into an Arrow schema."""
    pairs = parsed(columns)
    if strange := [f"{name} {kind}" for name, kind in pairs if kind not in TYPES]:
        raise ValueError(f"No sandbox can send {', '.join(strange)}: only {', '.join(TYPES)}.")
    return pa.schema([(name, TYPES[kind]) for name, kind in pairs])


def columns_of(schema: pa.Schema) -> str:
    """Turn an Arrow schema into a contract."""
    if strange := [str(field) for field in schema if field.type not in NAMES]:
        raise ValueError(f"No sandbox can send {', '.join(strange)}: only {', '.join(TYPES)}.")
    return ", ".join(f"{field.name} {NAMES[field.type]}" for field in schema)


def message(header: dict, tables: Sequence[pa.Table] = ()) -> bytes:
    """Write a message: the length of its header, the header, and each column's buffers."""
    about, blobs = [], []
    for table in tables:
        columns = columns_of(table.schema)
        parts = [part for column in table.columns for part in _parts(column)]
        about.append({"columns": columns, "rows": len(table), "sizes": list(map(len, parts))})
        blobs += parts
    text = json.dumps(header | {"tables": about}).encode()
    return struct.pack(">I", len(text)) + text + b"".join(blobs)


def receive(
    read: Callable[[int], bytes], schemas: Schemas | None = None
) -> tuple[dict, list[pa.Table]]:
    """Receive a message; `read(n)` gives exactly n bytes, or raises.

    `schemas` says, by the header, which tables must follow; nothing is read before that is clear.
    Without it the sender is trusted: its tables are as it tells, and as large as it likes.
    """
    (length,) = struct.unpack(">I", read(4))
    if schemas is None:
        header = json.loads(read(length))
        told = header.pop("tables")
        expected = [schema_of(about["columns"]) for about in told]
        shapes = [(about["rows"], about["sizes"]) for about in told]
    else:
        header = _parse(read(_sane(length, MOST_HEADER_BYTES, "bytes in a header")))
        expected = schemas(header)
        shapes = _shapes(header.pop("tables", None), expected)
    return header, [
        _table(schema, rows, [read(size) for size in sizes])
        for schema, (rows, sizes) in zip(expected, shapes, strict=True)
    ]


def _sane(size: int, most: int, what: str) -> int:
    if not 0 <= size <= most:
        raise Broken(f"other than 0 to {most:,} {what}")
    return size


def _parse(text: bytes) -> dict:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken("a header that is no JSON") from error
    if not isinstance(header, dict):
        raise Broken("a header that is no object")
    return header


def _shapes(given: object, expected: Sequence[pa.Schema]) -> list[tuple[int, list[int]]]:
    """Give each table's number of rows and the sizes of its buffers, if they can be that."""
    if not isinstance(given, list) or not all(isinstance(about, dict) for about in given):
        raise Broken("a header without tables")
    if len(given) != len(expected):
        raise Broken(f"{len(given)} tables for {len(expected)} outputs")
    shapes = [(about.get("rows"), about.get("sizes")) for about in given]
    for (rows, sizes), schema in zip(shapes, expected, strict=True):
        if type(rows) is not int or not isinstance(sizes, list):
            raise Broken("a table without rows or sizes")
        if not all(type(size) is int for size in sizes):
            raise Broken("buffers without sizes")
        _sane(rows, MOST_ROWS, "rows")
        _fit(schema, rows, sizes)
    _sane(sum(rows for rows, _ in shapes), MOST_ROWS, "rows")
    _sane(sum(sum(sizes) for _, sizes in shapes), MOST_BYTES, "bytes")
    return shapes


def _lengths(kind: pa.DataType, rows: int) -> list[int | None]:
    """Say how long the buffers of a column are, but the first, of nulls; None: as told."""
    if pa.types.is_string(kind):
        return [4 * (rows + 1), None]
    return [(rows * kind.bit_width + 7) // 8]


def _fit(schema: pa.Schema, rows: int, sizes: list[int]) -> None:
    due = [each for field in schema for each in (None, *_lengths(field.type, rows))]
    if len(sizes) != len(due):
        raise Broken("other columns than the contract's")
    given = iter(sizes)
    for field in schema:
        if next(given) not in (0, (rows + 7) // 8):
            raise Broken("a column whose nulls do not fit its rows")
        for length in _lengths(field.type, rows):
            size = next(given)
            if size < 0 or length not in (None, size):
                raise Broken("a column of other values than the contract's")


def _parts(column: pa.ChunkedArray) -> Iterator[bytes]:
    """Give a column's buffers, each as long as its rows need it and no longer."""
    array = pa.concat_arrays(column.chunks) if column.num_chunks else column.combine_chunks()
    nulls, *values = array.buffers()
    part = nulls[: (len(array) + 7) // 8].to_pybytes() if nulls and array.null_count else b""
    yield part
    for length, buffer in zip(_lengths(array.type, len(array)), values, strict=True):
        if length is None:
            # A text's bytes end where the last one does, which the buffer before them says.
            (length,) = struct.unpack("<i", part[-4:])
        part = buffer[:length].to_pybytes() if buffer else bytes(length)
        yield part


def _table(schema: pa.Schema, rows: int, parts: list[bytes]) -> pa.Table:
    """Make a table of buffers that have the right sizes; what they hold may still be anything."""
    given = iter(parts)
    try:
        columns = [_column(field.type, rows, given) for field in schema]
    except pa.ArrowInvalid as error:
        raise Broken("a column that is no Arrow") from error
    return pa.Table.from_arrays(columns, schema=schema)


def _column(kind: pa.DataType, rows: int, given: Iterator[bytes]) -> pa.Array:
    nulls = next(given)
    values = [pa.py_buffer(next(given)) for _ in _lengths(kind, rows)]
    array = pa.Array.from_buffers(kind, rows, [pa.py_buffer(nulls) if nulls else None, *values])
    array.validate(full=True)
    if pa.types.is_string(kind) and rows:
        _sane(max(_text_lengths(values[0])), MOST_BYTES_IN_A_TEXT, "bytes in a text")
    return array


def _text_lengths(offsets: pa.Buffer) -> Iterator[int]:
    return (after - before for before, after in pairwise(memoryview(offsets).cast("i")))
