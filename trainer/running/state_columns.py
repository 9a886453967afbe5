"""The columns of state as people know them: out of Spark's structs, times as times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMER = "expiration_timestamp_ms"
EXPIRY = "expiresAtMicros"
TTL = "ttlExpirationMs"
# The times that Spark keeps as numbers, and how people call what it keeps.
PER_SECOND = {TIMER: 1_000, EXPIRY: 1_000_000}
NAMES = {
    TIMER: "rings at",
    EXPIRY: "remembered until",
    "sessionStartTime": "session from",
    "valueWithExtremumOrdering": "best so far",
    "extremumOrdering": "compared by",
    "valueSet": "found one",
    "buf": "collected",
}
KEYS = ("key", "user_map_key")
PARTITION = "partition_id"


class Column(NamedTuple):
    """A column of state: its name, whether it is of the key, and where it lies in Spark's row."""

    name: str
    is_key: bool
    path: tuple[int, ...]
    per_second: int | None = None

    def of(self, rows: pa.Table) -> list[object]:
        """Take it out of rows, as plain data."""
        first, *inner = self.path
        values = rows.column(first)
        values = (pc.struct_field(values, inner) if inner else values).to_pylist()
        if self.per_second:
            return [
                value and datetime.fromtimestamp(value / self.per_second, UTC) for value in values
            ]
        return values


def columns(schema: pa.Schema, keys: bool) -> list[Column]:
    """Find the columns in Spark's key and value; what a join finds its rows by is in both."""
    found = [
        column
        for at, field in enumerate(schema)
        if field.name != PARTITION and (keys or field.name not in KEYS)
        for column in _inside(field, field.name in KEYS, (at,))
    ]
    of_key = {column.name for column in found if column.is_key}
    found = [column for column in found if column.is_key or column.name not in of_key]
    return [_named(column, found[:at]) for at, column in enumerate(found)]


def _named(column: Column, before: list[Column]) -> Column:
    """Call it as people do, and number what is named alike, two counts say."""
    same = sum(each.name == column.name for each in before)
    name = NAMES.get(column.name, column.name)
    per_second = PER_SECOND.get(column.name)
    return column._replace(name=f"{name} {same + 1}" if same else name, per_second=per_second)


def _inside(field: pa.Field, is_key: bool, path: tuple[int, ...]) -> Iterator[Column]:
    """Open the structs that Spark wraps a key and a value in; there are two for a time to live."""
    fields = list(field.type) if pa.types.is_struct(field.type) else []
    names = [each.name for each in fields]
    if not fields:
        yield Column(field.name, is_key, path)
    elif TTL in names:
        at = names.index("value")
        yield from _inside(fields[at], is_key, (*path, at))
    else:
        for at, each in enumerate(fields):
            # What begins so is Spark's own.
            if not each.name.startswith("__"):
                yield Column(each.name, is_key, (*path, at))
