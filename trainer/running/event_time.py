"""When a row happened: the column that says so."""

from collections.abc import Iterable
from datetime import datetime

from trainer.rows import Row

TIMES = ("event_time", "start_time")
RESULT_TIMES = ("window_end", "event_time", "start_time", "shift_end", "since")


def time_of(row: Row, names: Iterable[str] = RESULT_TIMES) -> datetime | None:
    """Give the time by which a row is placed, if it has one."""
    return next((row[name] for name in names if isinstance(row.get(name), datetime)), None)
