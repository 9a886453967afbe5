"""How a wrong answer is marked, with the checks that must fail it: `@caught_by("test_…")`."""

from trainer.checking.misconceptions import (
    KEEPS_TIMERS,
    LONGER_DELAY,
    NO_STATE,
    OPENS_STATE,
    ROWS_TWICE,
    SHORTER_DELAY,
    caught_by,
    other_delay,
)

__all__ = [
    "KEEPS_TIMERS",
    "LONGER_DELAY",
    "NO_STATE",
    "OPENS_STATE",
    "ROWS_TWICE",
    "SHORTER_DELAY",
    "caught_by",
    "other_delay",
]
