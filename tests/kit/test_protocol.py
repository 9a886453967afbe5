"""What judge and runner send each other: whatever is no message of theirs is refused."""

import io
import json
import struct

import pyarrow as pa
import pytest

from trainer.grading.judging import protocol
from trainer.grading.judging.protocol import Broken, message, receive

RIDES = pa.table({"ride_id": pa.array([1, 2], pa.int64()), "tip": pa.array([1.5, None])})


def received(data: bytes) -> tuple[dict, list[pa.Table]]:
    """Receive a message from bytes; where they end, the other side has hung up."""
    rest = io.BytesIO(data)

    def read(size: int) -> bytes:
        part = rest.read(size)
        if len(part) < size:
            raise Broken("it hung up")
        return part

    return receive(read)


def raw(text: bytes, *blobs: bytes) -> bytes:
    """Make a message of any bytes."""
    return struct.pack(">I", len(text)) + text + b"".join(blobs)


def with_table(table: pa.Table, **options: object) -> bytes:
    """Make a message with one table, written as it is."""
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as to:
        to.write_table(table)
    blob = buffer.getvalue()
    return raw(json.dumps({"sizes": [len(blob)]}).encode(), blob)


def test_a_message_arrives_as_it_was_sent():
    """Its header and its tables."""
    assert received(message({"status": "ran"}, [RIDES, RIDES])) == ({"status": "ran"}, [RIDES] * 2)


@pytest.mark.parametrize(
    "text",
    [
        b"garbage",
        b"[]",
        b"{}",
        b'{"sizes": 1}',
        b'{"sizes": [-1, 2]}',
        b'{"sizes": [true]}',
        b'{"sizes": [1.5]}',
        b'{"sizes": [1e999]}',
        b'{"sizes": [NaN]}',
        b'{"sizes": [%s]}' % (b"9" * 4000),
        b'{"sizes": [%s]}' % (b"9" * 5000),
        b'{"sizes": [60000000, 60000000]}',
        b'{"sizes": [0]}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"a": "\\ud800", "sizes": [3]}abc',
    ],
)
def test_a_header_that_makes_no_sense_is_refused(text):
    """No JSON, no object, sizes that are none: one error for all of them."""
    with pytest.raises(Broken):
        received(raw(text))


def test_a_long_header_is_refused_before_it_is_read():
    """Four bytes claim four gigabytes; nothing is read after them."""
    with pytest.raises(Broken, match="bytes"):
        received(struct.pack(">I", 2**32 - 1))


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1], [2]]),
        pa.array(["a", "b"]).dictionary_encode(),
        pa.nulls(2),
        pa.StructArray.from_arrays([pa.array([1, 2])], ["x"]),
        pa.array([b"a", b"b"]),
        pa.RunEndEncodedArray.from_arrays(pa.array([2**31 - 2], pa.int32()), pa.array([1])),
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"a" * 16], pa.binary(16))),
        pa.array([1, 2], pa.timestamp("ns", tz="UTC")),
    ],
    ids=lambda column: str(column.type).split("<")[0],
)
def test_a_column_of_a_type_that_no_contract_has_is_refused(column):
    """Nested, dictionary, extension and run-end types, and those that take no room."""
    with pytest.raises(Broken, match="other types"):
        received(with_table(pa.table({"x": column})))


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
def test_a_compressed_table_is_refused(codec):
    """A few kilobytes could unpack to more than the judge has."""
    zeros = pa.table({"x": pa.array([0] * 1_000_000, pa.int64())})
    bomb = with_table(zeros, compression=codec)
    assert len(bomb) < 100_000
    with pytest.raises(Broken, match="compressed"):
        received(bomb)


def test_a_table_of_too_many_rows_is_refused():
    """Truth values take a bit each: a small message may hold millions."""
    rows = pa.table({"x": pa.array([None] * (protocol.MOST_ROWS + 1), pa.bool_())})
    with pytest.raises(Broken, match="rows"):
        received(message({}, [rows]))


def test_a_table_with_any_byte_changed_is_read_or_refused():
    """Whatever bytes come, there is a table or the one error; never another one, nor a crash."""
    whole = message({}, [RIDES])
    start = whole.index(b"}") + 1
    for position in range(start, len(whole)):
        for byte in (0x00, 0x7F, 0xFF):
            changed = whole[:position] + bytes([byte]) + whole[position + 1 :]
            try:
                tables = received(changed)[1]
            except Broken:
                continue
            assert tables[0].num_rows <= protocol.MOST_ROWS


def test_a_message_cut_short_is_refused():
    """Whoever hangs up in the middle has sent nothing."""
    whole = message({"status": "ran"}, [RIDES])
    for length in range(len(whole)):
        with pytest.raises(Broken):
            received(whole[:length])
