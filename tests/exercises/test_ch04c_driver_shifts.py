"""Grades driver shifts: session windows by driver, with a gap of one hour."""

from datetime import datetime, timedelta
from itertools import groupby

import datagen
from trainer.rows import DRIVER, at, end, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "driver_id bigint, shift_start timestamp, shift_end timestamp, rides bigint"
HOUR = timedelta(hours=1)

TWO_RIDES = [
    ride(1, driver=1, at="08:00"),
    end(1, driver=1, at="08:20"),
    ride(2, driver=1, at="09:00") | {"taxi_id": 7},
    end(2, driver=1, at="09:30") | {"taxi_id": 7},
]
AN_HOUR_APART = [end(3, driver=2, at="08:10"), ride(4, driver=2, at="09:10")]
FURTHER_APART = [end(5, driver=3, at="08:10"), ride(6, driver=3, at="09:10:01")]
NO_START = [end(7, driver=4, at="08:15")]
A_LONG_RIDE = [ride(8, driver=5, at="08:00"), end(8, driver=5, at="09:01")]
# The watermark of the second micro-batch is 09:20.
OVER, NOT_YET = [end(15, driver=10, at="08:20")], [end(16, driver=11, at="08:20:01")]
TWICE = 2 * [ride(9, driver=6, at="08:05")]
ONE_SIDE, OTHER_SIDE = ride(10, driver=7, at="08:30"), ride(11, driver=7, at="09:35")
JOINS_THEM = end(10, driver=7, at="09:27")
TOO_LATE = [ride(12, driver=1, at="09:45"), end(13, driver=8, at="08:00")]
NOON, LAST = ride(14, driver=9, at="12:00"), end(14, driver=9, at="12:25")

SCRIPT = [
    [
        *(*A_LONG_RIDE, ONE_SIDE, *TWO_RIDES, *AN_HOUR_APART, *FURTHER_APART, *NO_START, *TWICE),
        *(*OVER, *NOT_YET),
    ],
    [OTHER_SIDE],
    [],
    [JOINS_THEM, NOON],
    [],
    [*TOO_LATE, LAST],
]
ON_TIME = [row for batch in SCRIPT for row in batch if row not in TOO_LATE]

# One script with everything in it: each test looks at its own drivers.
result = scripted(rides=SCRIPT)
backwards = scripted(rides=[ON_TIME[::-1]])
restarted = scripted(rides=[[ONE_SIDE, OTHER_SIDE], [JOINS_THEM, NOON]], restart_after=1)


def events_of(seed: int) -> list[dict]:
    """Generate hundreds of rides, out of order, some events twice."""
    first = 1000 * (seed % 10_000)
    flaws = {"seed": seed, "disorder": 400, "duplicates": 0.1}
    return datagen.ride_events(first, first + 1200, profile="classic", **flaws).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated events."""
    events = events_of(seed)
    return {"rides": [events[:600], events[600:]]}


def shift(driver: int, starts: str, ends: str, rides: int) -> dict:
    """Make a row of output; drivers are numbered from 1."""
    return {
        "driver_id": DRIVER + driver,
        "shift_start": at(starts),
        "shift_end": at(ends),
        "rides": rides,
    }


def of(result, driver: int) -> list[dict]:
    """Give the shifts of one driver, in the order of time."""
    shifts = result.sorted("shift_start")
    return [row for row in shifts if row["driver_id"] == DRIVER + driver]


def test_a_shift_begins_and_ends_with_an_event(result):
    """`shift_start` and `shift_end` must be the times of a shift's first and last event."""
    for row in result.rows:
        events = [event for batch in SCRIPT for event in batch]
        own = {each["event_time"] for each in events if each["driver_id"] == row["driver_id"]}
        assert {row["shift_start"], row["shift_end"]} <= own


def test_only_starts_count_as_rides(result):
    """Only STARTs must count as rides."""
    assert not any(row["rides"] for driver in (4, 10, 11) for row in of(result, driver))


def test_a_shift_of_two_rides(result):
    """Events with no more than an hour between one and the next must make one shift, even if the
    driver changes taxis."""
    assert of(result, 1) == [shift(1, "08:00", "09:30", 2)]


def test_an_hour_apart_is_one_shift(result):
    """Two events exactly one hour apart must belong to one shift."""
    assert of(result, 2) == [shift(2, "08:10", "09:10", 1)]


def test_more_than_an_hour_apart_are_two_shifts(result):
    """Two events more than an hour apart, if only by a second, must belong to two shifts, each with
    its own rides."""
    assert of(result, 3) == [shift(3, "08:10", "08:10", 0), shift(3, "09:10:01", "09:10:01", 1)]


def test_a_shift_without_a_start_has_no_rides(result):
    """A shift without a START must come out, too, with 0 rides; one of a single event begins and
    ends with it."""
    assert of(result, 4) == [shift(4, "08:15", "08:15", 0)]


def test_a_ride_of_more_than_an_hour_parts_a_shift(result):
    """The START and the END of a ride of more than an hour must lie in two shifts."""
    assert of(result, 5) == [shift(5, "08:00", "08:00", 1), shift(5, "09:01", "09:01", 0)]


def test_a_start_that_comes_twice_counts_twice(result):
    """Every START must count as a ride, even one that comes twice."""
    assert of(result, 6) == [shift(6, "08:05", "08:05", 2)]


def test_an_event_out_of_order_joins_two_shifts(result):
    """An event that arrives out of order, and fills the gap between two shifts, must join them into
    one."""
    assert of(result, 7) == [shift(7, "08:30", "09:35", 2)]


def test_each_shift_comes_once_when_it_is_over(result):
    """Each shift must come once: in the first micro-batch whose watermark is at or past its end
    plus one hour. What comes later than that must change nothing."""
    drivers = [sorted(row["driver_id"] - DRIVER for row in batch) for batch in result.batches]
    assert drivers[:6] == [[], [3, 4, 5, 6, 10], [11], [], [1, 2, 3, 5, 7], []]
    assert not any(drivers[6:])


def test_state_shrinks_when_shifts_are_over(result):
    """Once a shift is over, nothing of it must be kept: only the one that goes on may be left."""
    assert max(result.state_rows) > 2
    assert result.state_rows[-1] <= 2


def test_the_split_into_micro_batches_does_not_matter(backwards, result):
    """The same events in one micro-batch, backwards, must give the same shifts."""
    names = ("driver_id", "shift_start")
    assert backwards.sorted(*names) == result.sorted(*names)


def test_a_restart_does_not_matter(restarted):
    """Stopped in the middle of a shift and started again, the query must go on with that shift."""
    assert restarted.rows == [shift(7, "08:30", "09:35", 2)]


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Hundreds of generated rides, out of order, must give the shifts that plain Python gives."""
    expected = _by_plain_python(events_of(seed))
    assert generated.sorted("driver_id", "shift_start") == expected
    assert expected


def _by_plain_python(events: list[dict]) -> list[dict]:
    over = max(event["event_time"] for event in events) - minutes(10) - HOUR
    shifts = []
    events = sorted(events, key=lambda event: (event["driver_id"], event["event_time"]))
    for driver, of_driver in groupby(events, key=lambda event: event["driver_id"]):
        shifts += [_as_row(driver, shift) for shift in _part(list(of_driver))]
    return [shift for shift in shifts if shift["shift_end"] <= over]


def _part(events: list[dict]) -> list[list[dict]]:
    """Part one driver's events wherever more than an hour lies between two of them."""
    shifts: list[list[dict]] = []
    last: datetime | None = None
    for event in events:
        if last is None or event["event_time"] - last > HOUR:
            shifts.append([])
        shifts[-1].append(event)
        last = event["event_time"]
    return shifts


def _as_row(driver: int, events: list[dict]) -> dict:
    return {
        "driver_id": driver,
        "shift_start": events[0]["event_time"],
        "shift_end": events[-1]["event_time"],
        "rides": sum(event["is_start"] for event in events),
    }
