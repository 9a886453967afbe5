"""Short marks for what comes of runs, to compare without keeping the rows."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from trainer.rows import Row
from trainer.running.result import Outcome, Result, outputs


class Fingerprint(NamedTuple):
    """Marks of an outcome: its rows by micro-batch, their order, the state kept, the watermarks."""

    rows: str
    order: str
    state: str
    watermarks: str


def of_outcome(outcome: Outcome) -> Fingerprint:
    """Mark an outcome; micro-batches at the end that bring nothing don't count."""
    results = sorted(outputs(outcome).items())
    ordered = [(name, _trimmed([list(map(_key, b)) for b in r.batches])) for name, r in results]
    unordered = [(name, [sorted(batch) for batch in batches]) for name, batches in ordered]
    states = [(name, _state(result)) for name, result in results]
    watermarks = [(name, result.watermarks) for name, result in results]
    return Fingerprint(_mark(unordered), _mark(ordered), _mark(states), _mark(watermarks))


def _trimmed(batches: list[list[str]]) -> Sequence[list[str]]:
    while batches and not batches[-1]:
        batches.pop()
    return batches


def _state(result: Result) -> list[int]:
    return [*result.state_rows, *(result.state_held or ())]


def _key(row: Row) -> str:
    return repr(list(row.items()))


def _mark(*things: object) -> str:
    return hashlib.sha256(repr(things).encode()).hexdigest()[:12]
