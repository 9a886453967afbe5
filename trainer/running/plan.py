"""What Spark's plan of a query says that no error and no schema does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame

_LIMIT = "GlobalLimit"


def analyzed(frame: DataFrame) -> JavaObject:
    """Give the plan of a query as it was written, with its columns resolved."""
    return frame._jdf.queryExecution().analyzed()


def nodes(plan: JavaObject) -> Iterator[JavaObject]:
    """Give the steps of a plan, each before those that it takes its rows from."""
    yield plan
    for child in listed(plan.children()):
        yield from nodes(child)


def listed(scala: JavaObject) -> list[JavaObject]:
    """Give a sequence of Scala's as a list."""
    return [scala.apply(at) for at in range(scala.size())]


def limit_of(frame: DataFrame) -> str:
    """Give the number of rows after which a stream is cut off; '' if it isn't."""
    plan = analyzed(frame)
    if _LIMIT not in plan.toString():
        return ""
    found = [node for node in nodes(plan) if node.nodeName() == _LIMIT and node.isStreaming()]
    return found[0].limitExpr().sql() if found else ""
