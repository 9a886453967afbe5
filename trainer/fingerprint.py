"""Short marks for scenarios and for what comes of them, to compare without keeping the rows."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trainer.recording import Outcome, outputs
from trainer.result import Row, Scenario


class Fingerprint(NamedTuple):
    """Marks of an outcome: its rows by micro-batch, their order, the state kept, the watermarks."""

    rows: str
    order: str
    state: str
    watermarks: str


def of_scenario(scenario: Scenario) -> str:
    """Mark a scenario: its rows in their micro-batches, and its options."""
    inputs = {name: _keys(rows) for name, rows in scenario.inputs.items()}
    return _mark(inputs, dict(scenario.options))


def of_outcome(outcome: Outcome) -> Fingerprint:
    """Mark an outcome; micro-batches at the end that bring nothing don't count."""
    results = sorted(outputs(outcome).items())
    ordered = [(name, _trimmed([list(map(_key, b)) for b in r.batches])) for name, r in results]
    unordered = [(name, [sorted(batch) for batch in batches]) for name, batches in ordered]
    states = [(name, result.state_rows) for name, result in results]
    watermarks = [(name, result.watermarks) for name, result in results]
    return Fingerprint(_mark(unordered), _mark(ordered), _mark(states), _mark(watermarks))


def _keys(given: object) -> object:
    """Mark a row, or a list of what can be marked; a number that was given stays as it is."""
    if isinstance(given, Mapping):
        return _key(given)
    return list(map(_keys, given)) if isinstance(given, list | tuple) else given


def _trimmed(batches: list[list[str]]) -> Sequence[list[str]]:
    while batches and not batches[-1]:
        batches.pop()
    return batches


def _key(row: Row | Mapping) -> str:
    return repr(list(row.items()))


def _mark(*things: object) -> str:
    return hashlib.sha256(repr(things).encode()).hexdigest()[:12]
