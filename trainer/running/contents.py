"""What state holds after each micro-batch of a run, row by row, read from its checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from trainer.running.state_columns import TIMER, columns
from trainer.running.stores import stores

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession

    from trainer.running.state_columns import Column
    from trainer.running.stores import Store

CHANGES = ("numRowsUpdated", "numRowsRemoved")
# Timers are no rows, nor are further elements of a list.
CHANGES_BY_PROCESSORS = (
    "numRegisteredTimers",
    "numDeletedTimers",
    "numValuesRemovedDueToTTLExpiry",
    "rocksdbPutCount",
)


class Part(NamedTuple):
    """A part of state: its columns, the first few of them keys, and its rows after each batch.

    In some parts, a list say, there may be several rows of one key: then they are not `unique`.
    Where the rows can't be read there is None.
    """

    title: str
    columns: tuple[str, ...]
    keys: int
    unique: bool
    batches: list[list[tuple] | None]


def contents(spark: SparkSession, checkpoint: Path, reports: Sequence[dict]) -> list[Part]:
    """Read all rows of state after each of the micro-batches that Spark reports on."""
    changed = [report["batchId"] for report in reports if changes(report)]
    if not changed:
        return []
    parts = []
    for store in stores(spark, checkpoint):
        read = {batch: _read(spark, checkpoint, store, batch) for batch in changed}
        parts += _part(store, read, [report["batchId"] for report in reports])
    return parts


def changes(report: dict) -> bool:
    """Tell whether a micro-batch changed anything in state."""
    return any(
        any(operator[what] for what in CHANGES)
        or any(operator["customMetrics"].get(what) for what in CHANGES_BY_PROCESSORS)
        for operator in report["stateOperators"]
    )


def _read(spark: SparkSession, checkpoint: Path, store: Store, batch: int) -> pa.Table | None:
    try:
        return store.read(spark, checkpoint, batch)
    except (PySparkException, Py4JError):
        # Of an old batch, say, which Spark keeps for a while only.
        return None


def _part(store: Store, read: dict[int, pa.Table | None], batches: list[int]) -> list[Part]:
    """Make a part of what was read after the micro-batches that changed something, if any was."""
    schema = next((table.schema for table in read.values() if table is not None), None)
    found = columns(schema, keys="joinSide" not in store.options) if schema else []
    if not found:
        return []
    keys = sum(column.is_key for column in found)
    rows, filled = [], []
    for batch in batches:
        rows = _rows(read[batch], found) if batch in read else rows
        filled.append(rows)
    unique = keys > 0 and not {"list_element", TIMER} & set(schema.names)
    return [Part(store.title, tuple(each.name for each in found), keys, unique, filled)]


def _rows(table: pa.Table | None, found: list[Column]) -> list[tuple] | None:
    if table is None:
        return None
    return list(zip(*(column.of(table) for column in found), strict=True))
