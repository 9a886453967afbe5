"""Values of state as people think of them: 12:20, [12:00, 13:00), a list, an entry of a map."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from trainer.display.columns import SELDOM_SHOWN
from trainer.display.tables import FEW_COLUMNS, cell
from trainer.rows import DAY, Row

# A number that is so near to the day of all scripts is a time of one's own making.
NEAR = timedelta(days=366)
PER_SECOND = {"s": 1, "ms": 1_000, "µs": 1_000_000}


def in_words(value: object) -> str:
    """Write a value short, a time by the clock, and a window as [12:00, 13:00)."""
    if isinstance(value, dict) and value.keys() == {"start", "end"}:
        return f"[{', '.join(map(in_words, value.values()))})"
    if isinstance(value, dict):
        return ", ".join(_fields(value))
    if isinstance(value, list):
        return f"[{'; '.join(map(in_words, value))}]"
    if isinstance(value, tuple):  # an entry of a map
        return ": ".join(map(in_words, value))
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    return _clock(value) if isinstance(value, datetime) else _number(value)


def sortable(value: object) -> tuple[int, object]:
    """Give what puts values in order: numbers and times as such, all else as text."""
    if isinstance(value, int | float):
        return 0, value
    return (1, str(value)) if isinstance(value, datetime) else (2, in_words(value))


def _fields(value: Row) -> Iterator[str]:
    """Write a whole ride by what tells most; three dots say that there is more."""
    seldom = SELDOM_SHOWN & value.keys() if len(value) > FEW_COLUMNS else set()
    yield from (f"{name} {in_words(each)}" for name, each in value.items() if name not in seldom)
    yield from ["…"] * bool(seldom)


def _clock(time: datetime) -> str:
    whole = not (time.second or time.microsecond)
    return cell(time).removesuffix(":00") if whole else cell(time)


def _number(value: object) -> str:
    """Say of a number that is a time which time it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        for unit, per_second in PER_SECOND.items():
            if abs(value / per_second - DAY.timestamp()) < NEAR.total_seconds():
                return f"{_clock(datetime.fromtimestamp(value / per_second, UTC))} (in {unit})"
    return cell(value)
