"""What state really holds at the end of a run, read from its checkpoint.

Spark's reports count a list as one row and a timer as none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainer.running.stores import PROCESSOR, TIMERS, stores

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession


class Held(NamedTuple):
    """What state holds: single values, elements of lists and arrays, entries of maps; and timers.

    Of an operator that is no processor it is the rows that Spark counts.
    """

    elements: int
    timers: int


def held(spark: SparkSession, checkpoint: Path, operators: list[dict]) -> Held:
    """Count what the state of a query holds, by Spark's last report on its stateful operators."""
    others = [each for each in operators if PROCESSOR not in each["operatorName"]]
    elements, timers = sum(each["numRowsTotal"] for each in others), 0
    if len(others) < len(operators):
        for store in filter(lambda each: each.of_processor, stores(spark, checkpoint)):
            rows = store.read(spark, checkpoint)
            if store.title == TIMERS:
                timers += rows.num_rows
            else:
                elements += _elements(rows)
    return Held(elements, timers)


def _elements(rows: pa.Table) -> int:
    """Count a row of a variable as one, or as all that lies in the arrays and maps of its value."""
    # Behind the value stands the number of its partition.
    return sum(map(_count, rows.column(rows.num_columns - 2).to_pylist()))


def _count(value: object) -> int:
    return max(1, _inside(value))


def _inside(value: object) -> int:
    """Count what lies in the arrays and maps of a value, at any depth."""
    if isinstance(value, dict):
        return sum(map(_inside, value.values()))
    if isinstance(value, list):
        # An entry of a map is a pair.
        return sum(_count(each[1] if isinstance(each, tuple) else each) for each in value)
    return 0
