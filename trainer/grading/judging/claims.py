"""What a runner says of a run, held against what it must look like; nothing is taken on trust."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pyarrow as pa

from trainer.grading.judging.protocol import Broken
from trainer.rows import Row
from trainer.running.held import Held
from trainer.running.result import Outcome, Result
from trainer.running.scenario import Scenario

NUMBERS = ("lengths", "state_rows", "dropped_late")
# Far above any grader's; each costs Spark a moment, so an honest run can't come near it.
MOST_BATCHES = 1000
MOST = 2**63


def outcome(
    header: dict, tables: list[pa.Table], columns: str | Mapping[str, str], scenario: Scenario
) -> Outcome:
    """Turn a runner's answer into the outcome of a run; Broken where it can't be one."""
    contract = by_output(columns)
    described = header.get("outputs")
    if not isinstance(described, dict) or set(described) != set(contract):
        raise Broken("other outputs than the contract's")
    found = {
        name: _result(described[name], table, contract[name], scenario)
        for name, table in zip(contract, tables, strict=True)
    }
    return found if isinstance(columns, Mapping) else found[""]


def by_output(columns: str | Mapping[str, str]) -> Mapping[str, str]:
    """Give the contract of each output, in the order in which their tables are sent."""
    return columns if isinstance(columns, Mapping) else {"": columns}


def _result(about: object, table: pa.Table, columns: str, scenario: Scenario) -> Result:
    if not isinstance(about, dict):
        raise Broken("a result that is incomplete")
    lengths, state, dropped = (_counts(about.get(name)) for name in NUMBERS)
    times = _times(about.get("watermarks"))
    alike = len(lengths) == len(state) == len(dropped) == len(times)
    if not alike or sum(lengths) != table.num_rows:
        raise Broken("micro-batches that do not add up")
    if len(lengths) > MOST_BATCHES:
        raise Broken(f"more than {MOST_BATCHES:,} micro-batches")
    held = _held(about.get("state_held")) if scenario.options.get("state_held") else None
    return Result(_cut(table, lengths), state, dropped, times, columns, scenario, held)


def _held(numbers: object) -> Held:
    """Give what state is said to hold, of a run that was asked to look."""
    counts = _counts(numbers)
    if len(counts) != len(Held._fields):
        raise Broken("a state that holds other than elements and timers")
    return Held(*counts)


def _counts(numbers: object) -> list[int]:
    """Give whole numbers, none below zero; a float, a truth or a text is none."""
    if not isinstance(numbers, list) or not all(type(n) is int and 0 <= n < MOST for n in numbers):
        raise Broken("a result with counts that are none")
    return numbers


def _times(texts: object) -> list[datetime | None]:
    if not isinstance(texts, list):
        raise Broken("a result without watermarks")
    try:
        return [None if text is None else _utc(text) for text in texts]
    except (TypeError, ValueError, OverflowError) as error:
        raise Broken("a watermark that is no time") from error


def _utc(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError("a time of nowhere")
    return time.astimezone(UTC)


def _cut(table: pa.Table, lengths: list[int]) -> list[list[Row]]:
    try:
        rows = iter(table.to_pylist())
    except (ValueError, OverflowError) as error:
        raise Broken("a time beyond the year 9999") from error
    return [[next(rows) for _ in range(length)] for length in lengths]
