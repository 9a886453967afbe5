"""How judge and runner talk: JSON, and tables as Arrow IPC; nothing that could run code."""

import io
import json
import struct
from collections.abc import Callable, Sequence

import pyarrow as pa

from trainer.running.columns import columns as parsed

# A message, its header, and all its rows together: far above any grader's, far below any harm.
MOST_BYTES = 64 * 2**20
MOST_HEADER_BYTES = 2**20
MOST_ROWS = 200_000

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
    pairs = parsed(columns)
    if strange := [f"{name} {kind}" for name, kind in pairs if kind not in TYPES]:
        raise ValueError(f"No sandbox can send {', '.join(strange)}: only {', '.join(TYPES)}.")
    return pa.schema([(name, TYPES[kind]) for name, kind in pairs])


def message(header: dict, tables: Sequence[pa.Table] = ()) -> bytes:
    """Write a message: the length of its header, the header, and each table."""
    blobs = [_to_bytes(table) for table in tables]
    text = json.dumps(header | {"sizes": [len(blob) for blob in blobs]}).encode()
    return struct.pack(">I", len(text)) + text + b"".join(blobs)


def receive(read: Callable[[int], bytes]) -> tuple[dict, list[pa.Table]]:
    """Receive a message; `read(n)` gives exactly n bytes, or raises."""
    (length,) = struct.unpack(">I", read(4))
    header = _parse(read(_sane(length, MOST_HEADER_BYTES)))
    sizes = header.pop("sizes", None)
    if not isinstance(sizes, list) or not all(type(size) is int for size in sizes):
        raise Broken("a header without sizes")
    for total in (*sizes, sum(sizes)):
        _sane(total, MOST_BYTES)
    tables = [_from_bytes(read(size)) for size in sizes]
    if sum(table.num_rows for table in tables) > MOST_ROWS:
        raise Broken(f"more than {MOST_ROWS:,} rows")
    return header, tables


def _sane(size: int, most: int) -> int:
    if not 0 <= size <= most:
        raise Broken(f"a message of other than 0 to {most:,} bytes")
    return size


def _parse(text: bytes) -> dict:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
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
    """Read a table of plain types and plain batches; anything else is refused before it is read."""
    try:
        with pa.ipc.open_stream(blob) as reader:
            # Nested, dictionary and extension types, and those without a size, end here.
            if not all(field.type in TYPES.values() for field in reader.schema):
                raise Broken("a table with other types than a contract has")
            if any(map(_is_compressed, _batches(blob))):
                raise Broken("a compressed table")
            table = reader.read_all()
        table.validate(full=True)
    except Broken:
        raise
    except Exception as error:  # whatever Arrow makes of bytes that someone chose with care
        raise Broken("a table that is no Arrow") from error
    return table


def _batches(blob: bytes) -> list[pa.ipc.Message]:
    parts = pa.ipc.MessageReader.open_stream(blob)
    return [part for part in parts if part.type == "record batch"]


def _is_compressed(batch: pa.ipc.Message) -> bool:
    """Look up RecordBatch.compression in Arrow's flatbuffer: 64 MB could unpack to terabytes."""
    metadata = batch.metadata.to_pybytes()

    def field(table: int, number: int) -> int:
        (back,) = struct.unpack_from("<i", metadata, table)
        size, entry = struct.unpack_from("<H", metadata, table - back)[0], 4 + 2 * number
        return struct.unpack_from("<H", metadata, table - back + entry)[0] if entry < size else 0

    (root,) = struct.unpack_from("<I", metadata)
    header = root + field(root, 2)
    (offset,) = struct.unpack_from("<I", metadata, header)
    return field(header + offset, 3) != 0
