"""Which columns of rows are shown: keys and what differs always, the rest as far as it tells."""

from collections.abc import Iterable, Sequence

from trainer.checking.case import Case
from trainer.rows import Row
from trainer.running.event_time import RESULT_TIMES
from trainer.running.result import outputs

KEYS = {"ride_id", "is_start", "cell", "start_cell", "value", "reason", "shift_start"}
KEYS |= {*RESULT_TIMES}
PLACES = {"start_lon", "start_lat", "end_lon", "end_lat"}
PAID = {"tolls", "total_fare", "payment_type"}
# Of a ride that is known by its number these say little more.
ALONG_WITH_A_RIDE = {"taxi_id", "driver_id", "passenger_count"}
SELDOM_SHOWN = ALONG_WITH_A_RIDE | PAID | PLACES


def seldomness(name: str) -> int:
    """Rank a column where there is no room for all: the higher, the sooner it is left out."""
    # In scripts each driver has a taxi of the same number.
    ranks = (SELDOM_SHOWN, ALONG_WITH_A_RIDE, {"taxi_id"})
    return sum(name in rank for rank in ranks)


def wanted(case: Case) -> frozenset[str]:
    """Give the columns that an answer has to do with: they stand in what comes out."""
    results = [*outputs(case.expected).values(), *outputs(case.came).values()]
    names = {name for result in results for row in result.rows[:1] for name in row}
    if "ride_id" in names:
        names -= ALONG_WITH_A_RIDE
    return frozenset(names | PLACES if names & {"cell", "start_cell"} else names)


def keys(wanted: Iterable[str]) -> frozenset[str]:
    """Give the columns that tell rows apart, and stay however narrow a table gets."""
    drivers = {"driver_id"} if "driver_id" in wanted else set()
    return frozenset(KEYS | drivers)


def telling(rows: Sequence[Row], wanted: Iterable[str] = ()) -> tuple[str, ...]:
    """Leave out what only fills the screen: all rides have it, and it is the same in these."""
    if not rows:
        return ()
    return tuple(
        name
        for name in rows[0]
        if name not in SELDOM_SHOWN
        or name in wanted
        or len({repr(row.get(name)) for row in rows}) > 1
    )
