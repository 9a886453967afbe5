"""Grades popular places: counts of starts and ends by cell, in windows that slide."""

import math
from collections import Counter
from datetime import datetime, timedelta

import datagen
from trainer.rows import (
    HARTFORD,
    JFK,
    MIDTOWN,
    NEWARK,
    NOWHERE,
    WALL_STREET,
    Place,
    at,
    end,
    f32,
    minutes,
    ride,
)
from trainer.runs import scripted, seeded

COLUMNS = "window_end timestamp, cell int, is_start boolean, ride_count bigint"
HARLEM: Place = (-73.9465, 40.81)
FLUSHING: Place = (-73.8305, 40.7595)
CONEY_ISLAND: Place = (-73.9795, 40.5755)
FOREST_HILLS: Place = (-73.8445, 40.7205)

FIRST = [
    *10 * [ride(1, at="12:02", starts_at=MIDTOWN, ends_at=JFK)],
    *10 * [ride(2, at="12:02", starts_at=MIDTOWN, ends_at=HARTFORD)],
    *10 * [end(3, at="12:03", starts_at=MIDTOWN, ends_at=JFK)],
    *11 * [end(4, at="12:03", starts_at=NEWARK, ends_at=JFK)],
    *12 * [ride(5, at="12:04", starts_at=HARLEM)],
    *8 * [ride(6, at="12:06", starts_at=HARLEM)],
    *10 * [ride(7, at="12:03", starts_at=FLUSHING)],
    *10 * [end(7, at="12:03", ends_at=FLUSHING)],
    *19 * [ride(8, at="12:03", starts_at=CONEY_ISLAND)],
    *20 * [ride(9, at="12:03", starts_at=NEWARK, ends_at=MIDTOWN)],
    *20 * [end(10, at="12:03", starts_at=MIDTOWN, ends_at=HARTFORD)],
    *20 * [ride(11, at="12:03", starts_at=NOWHERE, ends_at=MIDTOWN)],
    *19 * [ride(12, at="12:12", starts_at=WALL_STREET)],
    *25 * [ride(19, at="12:03", starts_at=FOREST_HILLS, ends_at=FOREST_HILLS)],
    ride(18, at="12:15"),
]
OUT_OF_ORDER = [ride(13, at="12:12", starts_at=WALL_STREET)]
TOO_LATE = 20 * [ride(14, at="11:50", starts_at=MIDTOWN)]
SCRIPT = [
    FIRST,
    [ride(15, at="12:21")],
    [],
    [*OUT_OF_ORDER, ride(16, at="12:24:58")],
    [ride(17, at="13:00")],
    TOO_LATE,
]
ON_TIME = [row for batch in SCRIPT for row in batch if row["ride_id"] != 14]
# They all stay where they are: what a place has to do with a count is asked elsewhere.
BUSY = [
    *(ride(number, at="12:02", starts_at=MIDTOWN, ends_at=MIDTOWN) for number in (1, 2)),
    ride(3, at="12:02", starts_at=JFK, ends_at=JFK),
]
# Five metres, or a little less.
STEP = 0.00005
WEST, EAST, SOUTH, NORTH = -74.05, -73.7, 40.5, 41.0
JUST_OUTSIDE = [
    *((WEST - STEP, 40.7), (EAST + STEP, 40.7), (-73.9, NORTH + STEP), (-73.9, SOUTH - STEP))
]


def corners(column: int, row: int) -> list[Place]:
    """Give four places in a cell, each a few metres from one of its corners."""
    west, north = WEST + column * 0.0014, NORTH - row * 0.00125
    return [
        (lon, lat)
        for lon in (west + STEP, west + 0.0014 - STEP)
        for lat in (north - STEP, north - 0.00125 + STEP)
    ]


AT_THE_BORDER = [*corners(0, 0), *corners(249, 399), *JUST_OUTSIDE]
KEYS = ("window_end", "cell", "is_start")

INSIDE = (MIDTOWN, JFK, HARLEM, WALL_STREET, FOREST_HILLS)

# One script with everything in it: each test looks at its own places.
result = scripted(rides=SCRIPT)
with_another_threshold = scripted(
    rides=[[*BUSY, ride(4, at="13:00", starts_at=HARLEM, ends_at=HARLEM)]], threshold=2
)
at_the_border = scripted(
    rides=[
        [
            *(ride(1, at="12:02", starts_at=place) for place in AT_THE_BORDER),
            *(end(2, at="12:02", ends_at=place) for place in AT_THE_BORDER),
            ride(3, at="13:00"),
        ]
    ],
    threshold=1,
)
backwards = scripted(rides=[ON_TIME[::-1]])
restarted = scripted(rides=[FIRST, [*OUT_OF_ORDER, ride(17, at="13:00")]], restart_after=1)


def events_of(seed: int) -> list[dict]:
    """Generate a busy half hour of the city, out of order, some events twice."""
    flaws = {"disorder": 500, "duplicates": 0.1}
    return datagen.ride_events(100_000, 102_500, seed=seed, **flaws).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated events, with a threshold of 10."""
    events = events_of(seed)
    return {"rides": [events[:1200], events[1200:]], "threshold": 10}


def cell_of(place: Place) -> int:
    """Number the cell of a place in the city, from the north-west."""
    lon, lat = map(f32, place)
    return math.floor((lon + 74.05) / 0.0014) + 250 * math.floor((41 - lat) / 0.00125)


def counts(result, place: Place, is_start: bool = True) -> list[tuple[datetime, int]]:
    """Give window_end and ride_count of one place."""
    found = [
        (row["window_end"], row["ride_count"])
        for row in result.rows
        if (row["cell"], row["is_start"]) == (cell_of(place), is_start)
    ]
    return sorted(found)


def test_a_count_that_just_reaches_the_threshold_comes_out(with_another_threshold):
    """A count must come out if it reaches the threshold, and must not if it is one below."""
    assert set(with_another_threshold.column("ride_count")) == {2}


def test_every_event_lies_in_three_windows(result):
    """Every event must count in three windows: the one that ends next, and those that end five and
    ten minutes later."""
    found = counts(result, FOREST_HILLS)
    assert found == [(at("12:05"), 25), (at("12:10"), 25), (at("12:15"), 25)]


def test_the_start_of_a_ride_counts_where_it_starts(result):
    """A START must count in the cell where the ride starts, whether or not it ends in the city."""
    expected = [(at("12:05"), 20), (at("12:10"), 20), (at("12:15"), 20)]
    assert counts(result, MIDTOWN) == expected


def test_the_end_of_a_ride_counts_where_it_ends(result):
    """An END must count in the cell where the ride ends, whether or not it started in the city."""
    expected = [(at("12:05"), 21), (at("12:10"), 21), (at("12:15"), 21)]
    assert counts(result, JFK, is_start=False) == expected


def test_a_window_counts_what_lies_in_it(result):
    """A window must count what lies in it: its start is inside, its end is not."""
    assert counts(result, HARLEM) == [(at("12:10"), 20), (at("12:15"), 20)]


def test_starts_and_ends_are_counted_apart(result):
    """Rides that start in a cell and rides that end there must be counted apart."""
    assert counts(result, FLUSHING) + counts(result, FLUSHING, is_start=False) == []


def test_nineteen_are_too_few(result):
    """A count below the threshold must not come out."""
    assert not counts(result, CONEY_ISLAND)


def test_a_place_outside_the_city_does_not_count(result):
    """An event whose own place lies outside the city, or is unknown, must not count in any cell."""
    assert set(result.column("cell")) <= set(map(cell_of, INSIDE))
    assert not counts(result, MIDTOWN, is_start=False)
    assert {count for _, count in counts(result, MIDTOWN)} == {20}


def test_the_border_is_where_it_is(at_the_border):
    """The border must be where it is: a few metres inside it events count, for their own cell; a
    few metres beyond it, on any side, they don't."""
    found = sorted((row["cell"], row["is_start"], row["ride_count"]) for row in at_the_border.rows)
    four = [(cell, is_start, 4) for cell in (0, 99_999) for is_start in (False, True)]
    assert found == sorted(3 * four)


def test_an_event_out_of_order_counts(result):
    """An event that arrives less than ten minutes out of order must count."""
    assert counts(result, WALL_STREET) == [(at("12:15"), 20), (at("12:20"), 20), (at("12:25"), 20)]


def test_each_window_comes_once_when_it_is_complete(result):
    """Each window must come once: in the first micro-batch whose watermark is at or past its end.
    What comes later than that must change nothing."""
    ends = [sorted({row["window_end"] for row in batch}) for batch in result.batches]
    first, second, *others = map(at, ("12:05", "12:10", "12:15", "12:20", "12:25"))
    assert ends[:6] == [[], [first], [second], [], [], others]
    assert not any(ends[6:])


def test_state_shrinks_when_windows_are_complete(result):
    """Once a window is complete, nothing of it must be kept: only the three open ones may be
    left."""
    assert max(result.state_rows) > 3
    assert result.state_rows[-1] <= 3


def test_the_threshold_is_a_parameter(with_another_threshold):
    """The threshold must be the one that the caller gives."""
    assert with_another_threshold.column("ride_count") == [2, 2, 2]


def test_the_split_into_micro_batches_does_not_matter(backwards, result):
    """The same events in one micro-batch, backwards, must give the same counts."""
    assert backwards.sorted(*KEYS) == result.sorted(*KEYS)


def test_a_restart_does_not_matter(restarted):
    """Stopped in the middle of a window and started again, the query must count on."""
    assert len(counts(restarted, MIDTOWN)) == len(counts(restarted, WALL_STREET)) == 3


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """A busy half hour of the city, out of order, must give what plain Python gives."""
    expected = _by_plain_python(events_of(seed), threshold=10)
    assert generated.sorted(*KEYS) == expected
    assert expected


def _by_plain_python(events: list[dict], threshold: int) -> list[dict]:
    found = Counter()
    for event in events:
        end_or_start = "start" if event["is_start"] else "end"
        lon, lat = event[f"{end_or_start}_lon"], event[f"{end_or_start}_lat"]
        if -74.05 <= lon <= -73.7 and 40.5 <= lat <= 41:
            for window_end in _window_ends(event["event_time"]):
                found[window_end, cell_of((lon, lat)), event["is_start"]] += 1
    over = max(event["event_time"] for event in events) - minutes(10)
    return [
        {"window_end": key[0], "cell": key[1], "is_start": key[2], "ride_count": count}
        for key, count in sorted(found.items())
        if count >= threshold and key[0] <= over
    ]


def _window_ends(time: datetime) -> list[datetime]:
    since = timedelta(seconds=time.timestamp() % 300)
    return [time - since + minutes(number) for number in (5, 10, 15)]
