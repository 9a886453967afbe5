"""The ride stream as lines of JSON, some of them broken if asked for.

How a line can be broken: `cut_off`, `not_json`, `missing_field`, `wrong_type` (a word for a
truth value), `quoted_number`, `out_of_range` (too large for its column), `bad_time`, `empty_line`.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datagen.hashing import bits, hash64
from datagen.options import Options
from datagen.schema import LINE_SCHEMA, RIDE_SCHEMA
from datagen.stream import BATCH_ROWS, RideStream
from datagen.text import json_lines
from datagen.truth import TRUTH_SCHEMA

FLAWS = (
    "cut_off",
    "not_json",
    "missing_field",
    "wrong_type",
    "quoted_number",
    "out_of_range",
    "bad_time",
    "empty_line",
)
_MALFORMED = 50
_FIELDS = tuple(RIDE_SCHEMA.names)
_NUMBERS = tuple(n for n in _FIELDS if n not in ("is_start", "event_time"))
_KINDS = ("is_start", "is_duplicate")


class LineStream:
    """The ride stream, each event a line of JSON."""

    def __init__(self, options: Options) -> None:
        """Take what stream to make."""
        self._options = options
        knowing = {**_as_dict(options), "truth": True}
        self._rides = RideStream(Options(**knowing))
        truth = [("flaw", pa.string()), *TRUTH_SCHEMA] if options.truth else []
        self.schema = pa.schema([*LINE_SCHEMA, *truth])

    def __len__(self) -> int:
        """How many lines the stream holds: as many as the ride stream has events."""
        return len(self._rides)

    def batches(
        self, start: int, stop: int, batch_rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Make lines start…stop−1 in batches of so many rows."""
        for events in self._rides.batches(start, stop, batch_rows):
            lines, flaws = self._break(events, json_lines(events.select(_FIELDS)))
            truth = [events[name] for name in TRUTH_SCHEMA.names]
            columns = [lines, flaws, *truth] if self._options.truth else [lines]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _break(self, events: pa.RecordBatch, lines: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Break a share of the lines; give the lines and the flaw of each, null for none."""
        hashes = hash64(self._options.seed, _MALFORMED, _event_numbers(events))
        chosen = bits(hashes, 0, 31) < round(self._options.malformed * 2**31)
        mask = pa.array(chosen)
        flaws = [FLAWS[n] for n in bits(hashes[chosen], 31, 3)]
        luck = bits(hashes[chosen], 40, 20).tolist()
        whole = lines.filter(mask).to_pylist()
        broken = [_broken(*one) for one in zip(whole, flaws, luck, strict=True)]
        none = pa.nulls(len(lines), pa.string())
        return (
            pc.replace_with_mask(lines, mask, pa.array(broken, pa.string())),
            pc.replace_with_mask(none, mask, pa.array(flaws, pa.string())),
        )


def _as_dict(options: Options) -> dict[str, object]:
    return {name: getattr(options, name) for name in options.__slots__}


def _event_numbers(events: pa.RecordBatch) -> np.ndarray:
    """A number of its own for every event and every copy."""
    kind, copy = (events[name].to_numpy(zero_copy_only=False) for name in _KINDS)
    return events["ride_id"].to_numpy() * 4 + kind * 2 + copy


def _broken(line: str, flaw: str, luck: int) -> str:
    """Break a line in one way; luck says where."""
    if flaw == "cut_off":
        return line[: 1 + luck % (len(line) - 1)]
    if flaw == "not_json":
        return f"ERROR meter {luck} did not answer"
    if flaw == "empty_line":
        return ""
    fields = dict(pair.split(":", 1) for pair in line[1:-1].split(","))
    _spoil(fields, flaw, luck)
    return "{" + ",".join(f"{name}:{value}" for name, value in fields.items()) + "}"


def _spoil(fields: dict[str, str], flaw: str, luck: int) -> None:
    number = f'"{_NUMBERS[luck % len(_NUMBERS)]}"'
    if flaw == "missing_field":
        del fields[f'"{_FIELDS[luck % len(_FIELDS)]}"']
    elif flaw == "wrong_type":
        fields['"is_start"'] = '"yes"' if luck % 2 else '"no"'
    elif flaw == "quoted_number":
        fields[number] = f'"{fields[number]}"'
    elif flaw == "out_of_range":
        fields['"passenger_count"'] = str(40_000 + luck)
    elif flaw == "bad_time":
        fields['"event_time"'] = f'"2024-{13 + luck % 80}-45T25:61:00Z"'
