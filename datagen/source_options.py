"""The options that only the Spark source has: how a stream is cut, paced and spread."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from datagen.options import OPTION_NAMES, OptionError, Options, parse_options


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """How Spark reads a stream.

    `start` and `stop` are positions: rows start…stop−1 are read. `rows_per_batch` is how many rows
    one micro-batch takes at most, and `batches_per_run` how many such micro-batches one run of a
    query takes: then it waits or, with `availableNow`, ends, and its next run goes on from there.
    `rows_per_second` sets a live pace, and so does `speedup`, as event time against the clock; 0
    is as fast as possible. A stopped query goes on where it was, unless `catch_up` asks for all
    that would have come meanwhile. `partitions` is how many tasks share the work.
    """

    start: int = 0
    stop: int | None = None
    rows_per_batch: int = 100_000
    batches_per_run: int | None = None
    rows_per_second: float = 0.0
    speedup: float = 0.0
    catch_up: bool = False
    partitions: int = 1

    def __post_init__(self) -> None:
        """Refuse a pace that contradicts itself, and a range that runs backwards."""
        if self.rows_per_second and self.speedup:
            raise OptionError("Both rows_per_second and speedup are given. Choose one of them.")
        if self.stop is not None and self.stop < self.start:
            raise OptionError(
                f"Option stop is {self.stop}. It can't be less than start, {self.start}."
            )


NAMES = tuple(field.name for field in fields(SourceOptions))
_LEAST = {"start": 0, "stop": 0, "rows_per_batch": 1, "batches_per_run": 1, "partitions": 1}


def parse(given: Mapping[str, str]) -> tuple[Options, SourceOptions]:
    """Make the options of the stream and of the source from strings, as Spark gives them."""
    given = {name.lower(): text for name, text in given.items()}
    for name in given:
        if name not in NAMES + OPTION_NAMES:
            known = ", ".join(OPTION_NAMES + NAMES)
            raise OptionError(f"No option {name!r} in a taxi stream. There are: {known}.")
    stream = parse_options({name: text for name, text in given.items() if name in OPTION_NAMES})
    own = {name: _value(name, text) for name, text in given.items() if name in NAMES}
    return stream, SourceOptions(**own)


def _value(name: str, text: str) -> int | float | bool:
    if name in _LEAST:
        return _whole(name, text)
    if name == "catch_up":
        return _yes_or_no(name, text)
    return _pace(name, text)


def _whole(name: str, text: str) -> int:
    least = _LEAST[name]
    if text.strip().isdecimal() and int(text) >= least:
        return int(text)
    raise OptionError(f"Option {name} is {text!r}. It has to be a whole number from {least}.")


def _yes_or_no(name: str, text: str) -> bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    raise OptionError(f"Option {name} is {text!r}. It has to be true or false.")


def _pace(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if 0 <= value < float("inf"):
        return value
    raise OptionError(f"Option {name} is {text!r}. It has to be a number from 0.")
