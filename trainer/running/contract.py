"""The contract of an answer: which columns, of which types, in which order."""

from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from trainer.running.answer import ContractError
from trainer.running.columns import columns as parsed
from trainer.running.lines import line_of, lines_of, quoted
from trainer.running.plan import limit_of

Columns = str | Mapping[str, str]


def described(schema: StructType) -> str:
    """Write a schema as the contract does: `ride_id bigint, tip float`."""
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in schema)


def require(answer: object, columns: Columns | None, function: Callable) -> dict[str, DataFrame]:
    """Check what an answer returned; give its DataFrames by name, a single one under ''.

    `function` is what gave it, of which a line may be quoted.
    """
    if columns is None:
        columns = dict.fromkeys(answer) if isinstance(answer, dict) else None
    if not isinstance(columns, Mapping):
        require_frame(answer, columns, "Your function")
        _require_no_limit(answer, columns, "Your function", function)
        return {"": answer}
    named = " and ".join(f'"{name}"' for name in columns)
    if not isinstance(answer, dict):
        raise ContractError(f"Your function returned {_a(answer)}; expected a dict with {named}.")
    if set(answer) != set(columns):
        came = ", ".join(f'"{name}"' for name in answer) or "nothing"
        raise ContractError(f"Your function returned a dict with {came}; expected {named}.")
    for name, frame in answer.items():
        who = f'Your function, under "{name}",'
        require_frame(frame, columns[name], who)
        _require_no_limit(frame, columns[name], who, function)
    return answer


def require_frame(frame: object, columns: str | None, who: str) -> None:
    """Refuse what is no DataFrame, and one with other columns than these."""
    if frame is None:
        raise ContractError(f"{who} returned None; expected a DataFrame. Is a `return` missing?")
    if not isinstance(frame, DataFrame):
        raise ContractError(f"{who} returned {_a(frame)}; expected a DataFrame.")
    if columns is not None:
        # A name may be anything, `max(a, b)` say: what came is never written down to be parsed.
        came = [(field.name, field.dataType.simpleString()) for field in frame.schema]
        _require_columns(came, parsed(columns), who)


def _require_no_limit(frame: DataFrame, columns: str | None, who: str, function: Callable) -> None:
    """Refuse an answer that ends after some rows; without a contract it is no answer."""
    if columns is not None and frame.isStreaming and (rows := limit_of(frame)):
        raise ContractError(
            f"{who} takes limit({rows}), which counts from the start of the stream: after {rows} "
            "rows nothing comes any more. For the first or largest of each group use groupBy"
            f"{quoted(lines_of(function), line_of(function, ('limit',)))}."
        )


def _require_columns(
    came: list[tuple[str, str]], expected: list[tuple[str, str]], who: str
) -> None:
    names, wanted = [name for name, _ in came], [name for name, _ in expected]
    missing = [name for name in wanted if name not in names]
    extra = [name for name in names if name not in wanted]
    twice = sorted({name for name in names if names.count(name) > 1} - set(extra))
    faults = [f"lacks {', '.join(missing)}"] * bool(missing)
    faults += [f"also has {', '.join(extra)}"] * bool(extra)
    faults += [f"has {', '.join(twice)} {_times(names.count(twice[0]))}"] if twice else []
    if faults:
        raise ContractError(
            f"{who} returned a DataFrame that {' and '.join(faults)}; "
            f"expected the columns {', '.join(wanted)}."
        )
    if names != wanted:
        raise ContractError(
            f"{who} returned the columns in the order {', '.join(names)}; "
            f"expected {', '.join(wanted)}."
        )
    for (name, came_type), (_, expected_type) in zip(came, expected, strict=True):
        if came_type != expected_type:
            raise ContractError(
                f"{who} returned {name} as {came_type}; expected {expected_type}. `cast` it."
            )


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _a(thing: object) -> str:
    name = type(thing).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
