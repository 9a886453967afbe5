"""Deadlines of single students: a table `[late.extensions]` in the file of points."""

import difflib
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from trainer.course.problem import Problem

# Whoever gets more days than that gets a time.
MOST_DAYS = 3660
EXPECTED = "expected days, 0 or more, or a time with its zone, as 2026-11-22T12:00:00+01:00"


def read(given: object, deadline: datetime, file: Path) -> dict[str, datetime]:
    """Read who has a deadline of their own, and which."""
    if not isinstance(given, Mapping):
        raise Problem(f"{file} has extensions that are no table; {EXPECTED} for each id.")
    return {who: _deadline(who, value, deadline, file) for who, value in given.items()}


def _deadline(who: str, value: object, deadline: datetime, file: Path) -> datetime:
    """Add days to the deadline of all, or read another; nobody's is before that of all."""
    own = _later(deadline, value) if _is_days(value) else _time(value)
    if own is None or own.tzinfo is None:
        raise Problem(f"{file} has {who} = {str(value)!r} in [late.extensions]; {EXPECTED}.")
    if own < deadline:
        raise Problem(f"{file} extends the deadline of {who} to {own}: that is before {deadline}.")
    return own


def _is_days(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value <= MOST_DAYS


def _later(deadline: datetime, days: float) -> datetime | None:
    try:
        return deadline + timedelta(days=days)
    except OverflowError:
        return None


def _time(value: object) -> datetime | None:
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None


def require_known(ids: Collection[str], known: Collection[str]) -> None:
    """Refuse an id that nobody has: whoever was meant would lose points by it."""
    for who in ids:
        if who not in known:
            near = difflib.get_close_matches(who, known, n=1)
            raise Problem(
                f"[late.extensions] names {who!r}, and neither the roster nor a submission does. "
                + (f"Did you mean {near[0]}?" if near else "It takes an id of the roster.")
            )
