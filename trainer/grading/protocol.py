"""How judge and runner talk: JSON, and tables as Arrow IPC; nothing that could run code."""

import io
import json
import struct
from collections.abc import Callable, Sequence
from typing import BinaryIO

import pyarrow as pa

MOST_BYTES = 256 * 2**20

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


class Broken(Exception):
    """The other side sent something that is no message, or hung up."""


def schema_of(columns: str) -> pa.Schema:
    """Turn a contract, `ride_id bigint, tip float`, into an Arrow schema."""
    pairs = [column.split() for column in columns.split(",")]
    return pa.schema([(name, TYPES[kind]) for name, kind in pairs])


def send(stream: BinaryIO, header: dict, tables: Sequence[pa.Table] = ()) -> None:
    """Send a message."""
    blobs = [_to_bytes(table) for table in tables]
    text = json.dumps(header | {"sizes": [len(blob) for blob in blobs]}).encode()
    stream.write(struct.pack(">I", len(text)) + text + b"".join(blobs))
    stream.flush()


def receive(read: Callable[[int], bytes]) -> tuple[dict, list[pa.Table]]:
    """Receive a message; `read(n)` gives exactly n bytes, or raises."""
    (length,) = struct.unpack(">I", read(4))
    header = _parse(read(_sane(length)))
    sizes = header.pop("sizes", None)
    if not isinstance(sizes, list) or not all(isinstance(size, int) for size in sizes):
        raise Broken("a header without sizes")
    _sane(sum(sizes))
    return header, [_from_bytes(read(_sane(size))) for size in sizes]


def _sane(size: int) -> int:
    if not 0 <= size <= MOST_BYTES:
        raise Broken(f"a message of {size} bytes, where {MOST_BYTES} are the most")
    return size


def _parse(text: bytes) -> dict:
    try:
        header = json.loads(text)
    except ValueError as error:
        raise Broken("a header that is no JSON") from error
    if not isinstance(header, dict):
        raise Broken("a header that is no object")
    return header


def _to_bytes(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        writer.write_table(table)
    return buffer.getvalue()


def _from_bytes(blob: bytes) -> pa.Table:
    try:
        with pa.ipc.open_stream(blob) as reader:
            table = reader.read_all()
        table.validate(full=True)
    except (pa.ArrowException, ValueError, OSError) as error:
        raise Broken("a table that is no Arrow") from error
    return table
