"""The stores in which a query keeps its state: one of an aggregation, two of a join."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from trainer.running.state_reader import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession

PROCESSOR = "transformWithState"
JOIN = "symmetricHashJoin"
# What Spark names its own variables by.
OF_SPARK = "$"
TIMERS = "timers"
GROUPS = "groups, with what their results are made from"
TITLES = {
    "stateStoreSave": GROUPS,
    "sessionWindowStateStoreSaveExec": GROUPS.replace("groups", "sessions"),
    "dedupe": "what was seen",
    "dedupeWithinWatermark": "what was seen, and how long that is remembered",
}


class Store(NamedTuple):
    """A store: what lies there, whether a processor put it there, how Spark's reader is asked."""

    title: str
    of_processor: bool
    options: dict[str, object]

    def read(self, spark: SparkSession, checkpoint: Path, batch: int | None = None) -> pa.Table:
        """Give its rows after a micro-batch, or else after the last one."""
        reader = spark.read.format("statestore").options(**self.options)
        if batch is not None:
            reader = reader.option("batchId", batch)
        return rows_of(reader.load(str(checkpoint)))


def stores(spark: SparkSession, checkpoint: Path) -> list[Store]:
    """List all stores of a query, in the order in which rows go through them."""
    known = rows_of(spark.read.format("state-metadata").load(str(checkpoint))).to_pylist()
    # A join has a line for each of the four that it is kept in; Spark numbers from the sink.
    operators = {each["operatorId"]: each for each in known}
    return [store for _, each in sorted(operators.items(), reverse=True) for store in _of(each)]


def _of(operator: dict) -> Iterator[Store]:
    name, which = operator["operatorName"], {"operatorId": operator["operatorId"]}
    if name.startswith(PROCESSOR):
        variables = json.loads(operator["operatorProperties"])["stateVariables"]
        names = [variable["stateName"] for variable in variables]
        for own in names:
            if not own.startswith(OF_SPARK):
                yield Store(f"variable {own}", True, which | {"stateVarName": own})
        if any(each.startswith(OF_SPARK) for each in names):
            yield Store(TIMERS, True, which | {"readRegisteredTimers": True})
    elif name == JOIN:
        for side in ("left", "right"):
            yield Store(f"{side} side of the join", False, which | {"joinSide": side})
    else:
        yield Store(TITLES.get(name, ""), False, which)
