"""A case as code: a call of `step` that can be pasted, and walks through the learner's answer."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from math import isfinite

from trainer import rows as make
from trainer.course.exercise import Exercise
from trainer.rows import DAY, DRIVER, Row, f32
from trainer.running.inputs import Kind, kind_of
from trainer.running.scenario import Scenario

WIDTH, MOST_LINES = 78, 60
PLACES = {
    name: place
    for name, place in sorted(vars(make).items())
    if name.isupper() and isinstance(place, tuple)
}
# What `trainer.rows` makes rows with, and from which columns each setting is read.
COLUMNS = {
    "driver": ("driver_id",),
    "starts_at": ("start_lon", "start_lat"),
    "ends_at": ("end_lon", "end_lat"),
    "passengers": ("passenger_count",),
    "payment": ("payment_type",),
    "tip": ("tip",),
    "tolls": ("tolls",),
    "total": ("total_fare",),
    "over": ("over",),
    "active": ("active",),
}

# What an option does, or a role is, for who has never seen one.
SAID = {
    "program": "your function starts the query: once for each list",
    "sink": "your function is the sink: it is called with the rows of each list",
    "reader": "your function reads the state of `trainer.duty.duty(rides)`, after each list",
    "running": "without a batch_id, while the query is in its next micro-batch",
    "killed_after": "in this micro-batch, counted from 1, the query is killed, and started again",
    "killed_at": "it is killed before, within or after your function, and has noted nothing then",
    "upgraded_after": "so many micro-batches are version one's, the others yours",
    "upgraded_from": "version one: the stub as it was issued",
    "state_encoding": "how version one wrote its state",
    "restart_after": "after so many micro-batches the query stops and starts again",
}


def as_code(exercise: Exercise, scenario: Scenario) -> str:
    """Write a scenario as a call of `step` on the learner's answer; '' if it is too long to read.

    It may be pasted into a notebook as it is.
    """
    hidden = {"output_mode": "append", "state_held": True}
    options = {key: value for key, value in scenario.options.items() if value != hidden.get(key)}
    lines = [f"    {name}={_input(value)}," for name, value in scenario.inputs.items()]
    lines += [f"    {name}={_plain(value)},{_said(name, value)}" for name, value in options.items()]
    call = "\n".join(["step(", f"    {_plain(exercise.stem)},", *lines, ")"])
    text = f"{_imports(call)}\n\n{call}"
    return text if text.count("\n") < MOST_LINES else ""


def _said(option: str, value: object) -> str:
    said = SAID.get(value if option == "role" else option)
    return f"  # {said}" if said else ""


def _imports(call: str) -> str:
    names = [*PLACES, "at", "block", "end", "fare", "ride", "rule", "unblock"]
    used = [name for name in names if re.search(rf"\b{name}\b(?!=)", call)]
    lines = ["from datetime import UTC, datetime\n"] * ("datetime(" in call)
    lines.append("from trainer import step")
    line = f"from trainer.rows import {', '.join(used)}"
    if len(line) > WIDTH:
        line = "\n".join(["from trainer.rows import (", *(f"    {each}," for each in used), ")"])
    return "\n".join([*lines, *[line] * bool(used)])


def _input(value: object) -> str:
    match kind_of(value):
        case Kind.STREAM:
            return _listed([_listed(_rows(batch), 8) for batch in value], 4)
        case Kind.TABLE:
            return _listed(_rows(value), 4)
    return _plain(value)


def _listed(items: Sequence[str], indent: int) -> str:
    """Write a list in one line if there is room, else item by item."""
    line = f"[{', '.join(items)}]"
    if indent + len(line) < WIDTH and "\n" not in line:
        return line
    inner = " " * (indent + 4)
    return "\n".join(["[", *(f"{inner}{item}," for item in items), " " * indent + "]"])


def _rows(rows: Iterable[Row]) -> list[str]:
    counted = [(_row(row), len(list(equal))) for row, equal in groupby(rows)]
    return [text if count == 1 else f"*{count} * [{text}]" for text, count in counted]


def _row(row: Row) -> str:
    """Write a row as `ride(…)`, `fare(…)` or what else makes such rows, or else as it is."""
    function = _maker(row)
    if function is None:
        return _dict(row)
    number = _number(row)
    settings = dict(_settings(row, function(number)))
    made = function(number, **settings)
    said = [f"{name}={_setting(value)}" for name, value in settings.items()]
    call = f"{function.__name__}({', '.join([_plain(number), *said])})"
    others = {name: value for name, value in row.items() if repr(made[name]) != repr(value)}
    return f"{call} | {_dict(others)}" if others else call


def _maker(row: Row) -> Callable[..., Row] | None:
    """Give what makes rows like this one."""
    if set(row) == set(make.fare(1)):
        return make.fare
    if set(row) == set(make.ride(1)):
        return make.end if row["is_start"] is False else make.ride
    if set(row) == set(make.block(1)):
        return make.unblock if row["blocked"] is False else make.block
    return make.rule if set(row) == set(make.rule(1)) else None


def _number(row: Row) -> int | None:
    """Give the number that a row is made with: its ride's, its rule's, or its driver's."""
    named = next((row[name] for name in ("ride_id", "rule_id") if name in row), None)
    return row["driver_id"] - DRIVER if "blocked" in row else named


def _settings(row: Row, plain: Row) -> Iterator[tuple[str, object]]:
    """Give what has to be set to make a row, where it isn't as it comes unless told."""
    when = "event_time" if "event_time" in row else "start_time"
    if row[when] != plain[when] and (row[when] is None or _clock(row[when])):
        yield "at", row[when] and _clock(row[when])
    for setting, columns in COLUMNS.items():
        values = tuple(row.get(column) for column in columns)
        if values != tuple(plain.get(column) for column in columns):
            yield setting, _as_set(setting, values)


def _as_set(setting: str, values: tuple) -> object:
    if setting == "driver":
        return None if values[0] is None else values[0] - DRIVER
    if len(values) == 2:
        return tuple(map(_shortest, values))
    return _shortest(values[0])


def _shortest(value: object) -> object:
    """Give the shortest number that is the same in 32 bits."""
    if not isinstance(value, float):
        return value
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    return next((float(text) for text in texts if f32(float(text)) == value), value)


def _setting(value: object) -> str:
    named = (name for name, place in PLACES.items() if place == value)
    return next(named, None) or _plain(value)


def _clock(moment: datetime) -> str:
    """Write a time of the day of all scripts as scripts do; '' for one of another day."""
    if moment.utcoffset() != timedelta() or moment.date() != DAY.date():
        return ""
    text = moment.time().isoformat()
    return text.removesuffix(":00") if len(text) == len("12:00:00") else text


def _without_zeros(parts: Sequence[int]) -> Sequence[int]:
    """Leave out seconds and less where they are none."""
    last = max((at for at, part in enumerate(parts) if part), default=0)
    return parts[: max(last + 1, len(("year", "month", "day", "hour", "minute")))]


def _dict(row: Row) -> str:
    return f"{{{', '.join(f'{_plain(name)}: {_plain(value)}' for name, value in row.items())}}}"


def _plain(value: object) -> str:
    """Write a value as Python."""
    if isinstance(value, datetime):
        clock, parts = _clock(value), value.timetuple()[:6]
        numbers = ", ".join(map(str, _without_zeros((*parts, value.microsecond))))
        return f'at("{clock}")' if clock else f"datetime({numbers}, tzinfo=UTC)"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    # As the course's own code is written, in double quotes.
    simple = isinstance(value, str) and value.isprintable() and not set(value) & {'"', "\\"}
    return f'"{value}"' if simple else repr(value)
