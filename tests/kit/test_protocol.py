"""What judge and runner send each other: whatever is no message of theirs is refused."""

import io
import json
import struct

import pyarrow as pa
import pytest

from trainer.grading.judging import protocol
from trainer.grading.judging.protocol import Broken, message, receive, schema_of

COLUMNS = "ride_id bigint, tip double, zone string, paid boolean, event_time timestamp"
SCHEMA = schema_of(COLUMNS)
RIDES = pa.Table.from_pylist(
    [
        {"ride_id": 1, "tip": 1.5, "zone": "Zürich", "paid": True, "event_time": 0},
        {"ride_id": 2, "tip": None, "zone": "", "paid": None, "event_time": 2**40},
        {"ride_id": 3, "tip": 0.0, "zone": None, "paid": False, "event_time": None},
    ],
    schema=SCHEMA,
)


def received(data: bytes, *schemas: pa.Schema) -> tuple[dict, list[pa.Table]]:
    """Receive a message from bytes; where they end, the other side has hung up."""
    rest = io.BytesIO(data)

    def read(size: int) -> bytes:
        part = rest.read(size)
        if len(part) < size:
            raise Broken("it hung up")
        return part

    return receive(read, lambda header: schemas)


def raw(text: bytes, *blobs: bytes) -> bytes:
    """Make a message of any bytes."""
    return struct.pack(">I", len(text)) + text + b"".join(blobs)


def with_column(rows: object, *parts: bytes, sizes: object = None) -> bytes:
    """Make a message with one table of one column, of any buffers."""
    sizes = [len(part) for part in parts] if sizes is None else sizes
    return raw(json.dumps({"tables": [{"rows": rows, "sizes": sizes}]}).encode(), *parts)


@pytest.mark.parametrize(
    "table",
    [RIDES, RIDES[:0], RIDES[1:], SCHEMA.empty_table(), pa.concat_tables([RIDES, RIDES[2:]])],
    ids=["whole", "cut to nothing", "cut", "empty", "in chunks"],
)
def test_a_message_arrives_as_it_was_sent(table):
    """Its header and its tables, from a judge who tells the columns or a runner who need not."""
    sent = message({"status": "ran"}, [table, table])
    assert received(sent, SCHEMA, SCHEMA) == ({"status": "ran"}, [table, table])
    assert receive(io.BytesIO(sent).read) == ({"status": "ran"}, [table, table])


@pytest.mark.parametrize(
    "text",
    [
        b"garbage",
        b"[]",
        b"{}",
        b'{"tables": 1}',
        b'{"tables": [1]}',
        b'{"tables": [{}]}',
        b'{"tables": [{"rows": 1}]}',
        b'{"tables": [{"rows": -1, "sizes": [0, 8]}]}',
        b'{"tables": [{"rows": true, "sizes": [0, 8]}]}',
        b'{"tables": [{"rows": 1.0, "sizes": [0, 8]}]}',
        b'{"tables": [{"rows": 1, "sizes": [0, 8.0]}]}',
        b'{"tables": [{"rows": 1, "sizes": [0, NaN]}]}',
        b'{"tables": [{"rows": 1, "sizes": [0, 1e999]}]}',
        b'{"tables": [{"rows": 1, "sizes": "08"}]}',
        b'{"tables": [{"rows": %s, "sizes": [0, 8]}]}' % (b"9" * 4000),
        b'{"tables": [{"rows": %s, "sizes": [0, 8]}]}' % (b"9" * 5000),
        b'{"tables": [{"rows": 0, "sizes": [0, 0]}, {"rows": 0, "sizes": [0, 0]}]}',
        b'{"tables": []}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"a": "\\ud800", "tables": [3]}abc',
    ],
)
def test_a_header_that_makes_no_sense_is_refused(text):
    """No JSON, no object, tables that are none: one error for all of them."""
    with pytest.raises(Broken):
        received(raw(text, bytes(100)), schema_of("ride_id bigint"))


def test_a_long_header_is_refused_before_it_is_read():
    """Four bytes claim four gigabytes; nothing is read after them."""
    with pytest.raises(Broken, match="bytes"):
        received(struct.pack(">I", 2**32 - 1))


@pytest.mark.parametrize(
    "sizes", [[], [0], [8], [0, 7], [0, 9], [0, 8, 0, 8], [1, 8], [0, -8], [0, 4, 4], [8, 0]]
)
@pytest.mark.parametrize("rows", [1, 9, 2**31])
def test_buffers_of_other_sizes_than_the_rows_need_are_refused(rows, sizes):
    """Before any is read: a type that no contract has can't even be said."""
    if (rows, sizes) == (1, [1, 8]):
        sizes = [2, 8]
    with pytest.raises(Broken):
        received(with_column(rows, sizes=sizes), schema_of("ride_id bigint"))


@pytest.mark.parametrize(
    ("offsets", "text"),
    [
        ((0, 9), b"abc"),
        ((2, 1), b"abc"),
        ((-1, 3), b"abc"),
        ((0, 2**31 - 1), b"abc"),
        ((0, 1), b"\xff"),
        ((0, 2), "😀".encode()),
    ],
)
def test_texts_that_are_none_are_refused(offsets, text):
    """Those that lie elsewhere, and those that are no UTF-8."""
    with pytest.raises(Broken, match="no Arrow"):
        received(with_column(1, b"", struct.pack("<2i", *offsets), text), schema_of("zone string"))


def test_a_table_of_too_many_rows_is_refused():
    """Truth values take a bit each: a small message may hold millions."""
    rows = protocol.MOST_ROWS + 1
    with pytest.raises(Broken, match="rows"):
        received(with_column(rows, b"", bytes(rows // 8 + 1)), schema_of("paid boolean"))


def test_too_much_text_is_refused():
    """In one cell before it is taken for a text, and in all before it is read."""
    long = "😀" * (protocol.MOST_BYTES_IN_A_TEXT // 4 + 1)
    table = pa.table({"zone": [long]})
    with pytest.raises(Broken, match="bytes in a text"):
        received(message({}, [table]), table.schema)
    with pytest.raises(Broken, match="to 8,388,608 bytes"):
        received(with_column(1, sizes=[0, 8, protocol.MOST_BYTES]), table.schema)


def test_what_no_contract_can_say_is_not_sent():
    """An instructor is told which column it is."""
    with pytest.raises(ValueError, match="zones: list"):
        message({}, [pa.table({"zones": [["a"]]})])


def test_a_table_with_any_byte_changed_is_read_or_refused():
    """Whatever bytes come, there is a table or the one error; never another one, nor a crash."""
    whole = message({}, [RIDES])
    for position in range(len(whole)):
        for byte in (0x00, 0x7F, 0xFF):
            changed = whole[:position] + bytes([byte]) + whole[position + 1 :]
            try:
                tables = received(changed, SCHEMA)[1]
            except Broken:
                continue
            assert tables[0].num_rows == RIDES.num_rows


def test_a_message_cut_short_is_refused():
    """Whoever hangs up in the middle has sent nothing."""
    whole = message({"status": "ran"}, [RIDES])
    for length in range(len(whole)):
        with pytest.raises(Broken):
            received(whole[:length], SCHEMA)
