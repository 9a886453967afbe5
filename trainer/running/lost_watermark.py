"""Why Spark refuses to group a stream in append mode: which watermark the grouping has lost, where.

Spark says the same sentence whether there is no watermark, or one that comes too late, or one that
got lost on the way to the groupBy. The plan of the query tells them apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainer.running.plan import analyzed, listed, nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame

GROUPING = "Aggregate"
WATERMARK = "EventTimeWatermark"
# Spark writes a column that a watermark is on as event_time#47-T600000ms.
_TIMED = re.compile(r"\w+#\d+-T\d+ms")
_REFERENCE = re.compile(r"\w+#(\d+)")
# A window is a struct of two times.
_A_WINDOW = "named_struct(start"
# A longer expression says nothing to anyone.
LONGEST = 40
_FIELD_OF_A_WINDOW = re.compile(r"#\d+-T\d+ms\.(start|end)$")


def explained(frame: DataFrame) -> tuple[str, str] | None:
    """Say why a grouping of this stream is never complete, and give the name of what it groups by.

    None where each has what it needs.
    """
    plan = analyzed(frame)
    without = [node for node in nodes(plan) if node.nodeName() == GROUPING and not _timed(node)]
    if not without:
        return None
    # The innermost: what is above it may lack the watermark only because this one does.
    grouping = without[-1]
    names = [_name(key) for key in listed(grouping.groupingExpressions())]
    below = [node for node in nodes(grouping) if node.nodeName() == WATERMARK]
    if below:
        why = _lost(grouping, names, below[0].eventTime().name())
    else:
        elsewhere = any(node.nodeName() == WATERMARK for node in nodes(plan))
        why = _none_below(grouping, names, elsewhere)
    return why, (names or [""])[0]


def _none_below(grouping: JavaObject, names: list[str], elsewhere: bool) -> str:
    time, by = _time_of(grouping), _spoken(names)
    if elsewhere:
        return (
            f"withWatermark comes after the grouping by {by}, which has to know it: put it before "
            f"groupBy, on {time}"
        )
    keys = listed(grouping.groupingExpressions())
    by_time = any(_A_WINDOW in text for key in keys for text in _origins(grouping, key))
    window = "" if by_time else f", and group by a window of {time}"
    return (
        f"There is no watermark, so nothing says when a group is complete: put "
        f'withWatermark("{time}", "…") before groupBy{window}'
    )


def _lost(grouping: JavaObject, names: list[str], on: str) -> str:
    """Say where a watermark that is there got lost on its way to a grouping."""
    for key, name in zip(listed(grouping.groupingExpressions()), names, strict=True):
        origins = _origins(grouping, key)
        fields = [field for field in map(_FIELD_OF_A_WINDOW.search, origins) if field]
        timed = any(map(_TIMED.search, origins))
        a_window = any(_A_WINDOW in text for text in origins)
        if fields:
            return (
                f"{name} is the {fields[0][1]} of a window, and only the window itself keeps the "
                f"watermark: group by the window, and take its {fields[0][1]} afterwards"
            )
        if timed and a_window:
            return (
                f"The window is made of a column that was computed from {on}, and what is computed "
                f"has lost the watermark: make it of {on} itself, or compute before withWatermark"
            )
        if timed:
            return (
                f"{name} is computed from {on}, and what is computed has lost the watermark: group "
                f'by window("{on}", "…"), which keeps it'
            )
        if a_window:
            return (
                f"The watermark is on {on}, but the window was made of a column that has none: put "
                "withWatermark before the window, on the column that the window is made of"
            )
    return (
        f"The watermark is on {on}, but the grouping is by {_spoken(names)} alone, and a group "
        f'that has no end in time is never complete: group by window("{on}", "…") as well'
    )


def _is_column(key: JavaObject) -> bool:
    return key.getClass().getSimpleName() == "AttributeReference"


def _timed(grouping: JavaObject) -> bool:
    """Tell whether a grouping has among its keys one that a watermark is on."""
    keys = listed(grouping.groupingExpressions())
    return any(_is_column(key) and _TIMED.fullmatch(key.toString()) for key in keys)


def _name(key: JavaObject) -> str:
    """Name what is grouped by; what is computed there and then has no name, and may be long."""
    sql = "" if _is_column(key) else key.sql()
    return key.name() if not sql else sql if len(sql) <= LONGEST else "what is computed there"


def _spoken(names: list[str]) -> str:
    return " and ".join(names) or "nothing"


def _origins(plan: JavaObject, key: JavaObject) -> list[str]:
    """Write out a key and all that it was made of, as far down as there are names."""
    definitions = {
        entry.exprId().id(): entry.child().toString()
        for node in nodes(plan)
        for entry in _entries(node)
        if entry.getClass().getSimpleName() == "Alias"
    }
    definitions |= dict(made for node in nodes(plan) for made in _windows(node))
    origins, seen = [key.toString()], set()
    for text in origins:
        new = [int(number) for number in _REFERENCE.findall(text)]
        new = [number for number in dict.fromkeys(new) if number in definitions.keys() - seen]
        seen.update(new)
        origins += [definitions[number] for number in new]
    return origins


def _windows(node: JavaObject) -> Iterator[tuple[int, str]]:
    """Give what a step makes that multiplies rows, as sliding windows do: number and definition."""
    if node.nodeName() == "Expand":
        made = zip(listed(node.output()), listed(node.projections().head()), strict=True)
        yield from ((column.exprId().id(), text.toString()) for column, text in made)


def _entries(node: JavaObject) -> list[JavaObject]:
    if node.nodeName() == "Project":
        return listed(node.projectList())
    return listed(node.aggregateExpressions()) if node.nodeName() == GROUPING else []


def _time_of(plan: JavaObject) -> str:
    """Name the first column of a stream that is a time."""
    leaves = (node for node in nodes(plan) if not listed(node.children()))
    for leaf in leaves:
        for column in listed(leaf.output()):
            if column.dataType().simpleString() == "timestamp":
                return column.name()
    return "its time"
