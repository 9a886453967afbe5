"""Rows for scripts and tests: rides and fares in a few words, and places to go."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta

Row = Mapping[str, object]
Place = tuple[float | None, float | None]

DAY = datetime(2020, 1, 1, tzinfo=UTC)
DRIVER, TAXI = 2013000000, 2013000000

# Longitude and latitude.
MIDTOWN: Place = (-73.985, 40.755)
WALL_STREET: Place = (-74.01, 40.705)
JFK: Place = (-73.785, 40.645)
HARTFORD: Place = (-72.68, 41.76)
NEWARK: Place = (-74.17, 40.735)
NOWHERE: Place = (None, None)


def at(clock: str | datetime) -> datetime:
    """Give a time of 1 January 2020, in UTC: `at("12:30")`, `at("12:30:15")`."""
    if isinstance(clock, datetime):
        return clock
    return datetime.combine(DAY, time.fromisoformat(clock), UTC)


def minutes(number: float) -> timedelta:
    """Give a span of so many minutes."""
    return timedelta(minutes=number)


def ride(
    ride_id: int | None,
    *,
    at: str | datetime | None = "12:00",
    is_start: bool | None = True,
    driver: int | None = 1,
    starts_at: Place = MIDTOWN,
    ends_at: Place = JFK,
    passengers: int | None = 1,
) -> Row:
    """Make an event of a ride, its START unless told; drivers are numbered from 1."""
    return {
        "ride_id": ride_id,
        "taxi_id": None if driver is None else TAXI + driver,
        "driver_id": None if driver is None else DRIVER + driver,
        "is_start": is_start,
        "event_time": _time(at),
        "start_lon": f32(starts_at[0]),
        "start_lat": f32(starts_at[1]),
        "end_lon": f32(ends_at[0]),
        "end_lat": f32(ends_at[1]),
        "passenger_count": passengers,
    }


def end(ride_id: int | None, *, at: str | datetime | None = "12:20", **rest: object) -> Row:
    """Make the END of a ride, twenty minutes past noon unless told."""
    return ride(ride_id, at=at, is_start=False, **rest)


def fare(
    ride_id: int | None,
    *,
    at: str | datetime | None = "12:00",
    driver: int | None = 1,
    taxi: int | None = None,
    payment: str | None = "CARD",
    tip: float | None = 2.0,
    tolls: float | None = 0.0,
    total: float | None = 20.0,
) -> Row:
    """Make the fare of a ride; `at` is the time at which the ride started.

    A driver's taxi has the driver's number unless told.
    """
    taxi = driver if taxi is None else taxi
    return {
        "ride_id": ride_id,
        "taxi_id": None if taxi is None else TAXI + taxi,
        "driver_id": None if driver is None else DRIVER + driver,
        "start_time": _time(at),
        "payment_type": payment,
        "tip": f32(tip),
        "tolls": f32(tolls),
        "total_fare": f32(total),
    }


def block(driver: int, *, at: str | datetime = "12:00", blocked: bool = True) -> Row:
    """Say of a driver, numbered from 1, that he is blocked from this time on, or is no longer."""
    return {"driver_id": DRIVER + driver, "blocked": blocked, "event_time": _time(at)}


def unblock(driver: int, *, at: str | datetime = "12:20") -> Row:
    """Say of a driver that he may take rides again, twenty minutes past noon unless told."""
    return block(driver, at=at, blocked=False)


def rule(
    rule_id: int, *, at: str | datetime = "12:00", over: float = 50.0, active: bool = True
) -> Row:
    """Say that from this time on fares over a limit are flagged, or no longer."""
    time = _time(at)
    return {"rule_id": rule_id, "over": f32(over), "active": active, "event_time": time}


def f32(number: float | None) -> float | None:
    """Round to what a 32-bit float holds, so that a row compares equal after its journey."""
    return None if number is None else struct.unpack("f", struct.pack("f", number))[0]


def in_order(rows: list[Row], *names: str) -> list[Row]:
    """Sort rows by these columns, or by all of them; nulls last."""
    return sorted(rows, key=lambda row: [(row[n] is None, row[n]) for n in names or row])


def _time(clock: str | datetime | None) -> datetime | None:
    return None if clock is None else at(clock)
