"""What state really holds at the end of a run, read from its checkpoint.

Spark's reports count a list as one row and a timer as none.
"""

from __future__ import annotations

import json
import operator
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, MapType, StructType

from trainer.running.scripted import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import Column, SparkSession
    from pyspark.sql.types import DataType

PROCESSOR = "transformWithState"
# What Spark names its own variables by.
OF_SPARK = "$"


class Held(NamedTuple):
    """What state holds: single values, elements of lists and arrays, entries of maps; and timers.

    Of an operator that is no processor it is the rows that Spark counts.
    """

    elements: int
    timers: int


def held(spark: SparkSession, checkpoint: Path, operators: list[dict]) -> Held:
    """Count what the state of a query holds, by Spark's last report on its stateful operators."""
    others = [each for each in operators if PROCESSOR not in each["operatorName"]]
    counted = {"elements": sum(each["numRowsTotal"] for each in others), "timers": 0}
    if len(others) < len(operators):
        for what, number in _in_processors(spark, checkpoint).items():
            counted[what] += number
    return Held(**counted)


def _in_processors(spark: SparkSession, checkpoint: Path) -> dict[str, int]:
    """Count what processors hold, all of it in one query of Spark's own reader of state."""
    # The session itself may be set for a run that starts at this moment.
    spark = spark.newSession()
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    parts = list(_parts(spark, str(checkpoint)))
    if not parts:
        return {}
    sums = reduce(DataFrame.union, parts).groupBy("what").agg(F.sum("number"))
    return dict(map(tuple, sums.collect()))


def _parts(spark: SparkSession, checkpoint: str) -> Iterator[DataFrame]:
    """Give what each variable holds, as rows of (what, number)."""
    known = spark.read.format("state-metadata").load(checkpoint)
    for each in known.filter(F.col("operatorName").startswith(PROCESSOR)).collect():
        for variable in json.loads(each.operatorProperties)["stateVariables"]:
            reader = spark.read.format("statestore").option("operatorId", each.operatorId)
            name = variable["stateName"]
            if name.startswith(OF_SPARK):
                state = reader.option("readRegisteredTimers", True).load(checkpoint)
                what, number = "timers", F.lit(1)
            else:
                state = reader.option("stateVarName", name).load(checkpoint)
                what, number = "elements", _elements(state)
            yield state.select(F.lit(what).alias("what"), number.alias("number"))


def _elements(state: DataFrame) -> Column:
    """Count a row of a variable as one, or as all that lies in the arrays and maps of its value."""
    value = state.schema.fields[-2]
    return _count(F.col(value.name), value.dataType)


def _count(column: Column, kind: DataType) -> Column:
    return F.greatest(F.lit(1), _inside(column, kind))


def _inside(column: Column, kind: DataType) -> Column:
    """Count what lies in the arrays and maps of a value, at any depth."""
    if isinstance(kind, MapType):
        return _inside(F.map_values(column), ArrayType(kind.valueType))
    if isinstance(kind, ArrayType):
        total = F.aggregate(column, F.lit(0), lambda n, one: n + _count(one, kind.elementType))
        return F.coalesce(total, F.lit(0))
    fields = kind.fields if isinstance(kind, StructType) else []
    counts = (_inside(column[field.name], field.dataType) for field in fields)
    return reduce(operator.add, counts, F.lit(0))
