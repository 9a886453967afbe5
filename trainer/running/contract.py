"""The contract of an answer: which columns, of which types, in which order."""

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from trainer.running.answer import ContractError
from trainer.running.columns import columns as parsed

Columns = str | Mapping[str, str]


def described(schema: StructType) -> str:
    """Write a schema as the contract does: `ride_id bigint, tip float`."""
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in schema)


def require(answer: object, columns: Columns | None) -> dict[str, DataFrame]:
    """Check what an answer returned; give its DataFrames by name, a single one under ''."""
    if columns is None:
        columns = dict.fromkeys(answer) if isinstance(answer, dict) else None
    if not isinstance(columns, Mapping):
        require_frame(answer, columns, "Your function")
        return {"": answer}
    named = " and ".join(f'"{name}"' for name in columns)
    if not isinstance(answer, dict):
        raise ContractError(f"Your function returned {_a(answer)}; expected a dict with {named}.")
    if set(answer) != set(columns):
        came = ", ".join(f'"{name}"' for name in answer) or "nothing"
        raise ContractError(f"Your function returned a dict with {came}; expected {named}.")
    for name, frame in answer.items():
        require_frame(frame, columns[name], f'Your function, under "{name}",')
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


def _require_columns(
    came: list[tuple[str, str]], expected: list[tuple[str, str]], who: str
) -> None:
    names, wanted = [name for name, _ in came], [name for name, _ in expected]
    missing = [name for name in wanted if name not in names]
    extra = [name for name in names if name not in wanted]
    if missing or extra:
        faults = [f"lacks {', '.join(missing)}"] * bool(missing)
        faults += [f"has {', '.join(extra)} too many"] * bool(extra)
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


def _a(thing: object) -> str:
    name = type(thing).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
