"""Grades ride cleansing: the rides that both start and end in New York City."""

from datagen import ride_events
from trainer.rows import HARTFORD, MIDTOWN, NEWARK, NOWHERE, end, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)
WEST, EAST, SOUTH, NORTH = -74.05, -73.7, 40.5, 41.0
# Five metres, or a little less.
STEP = 0.00005
JUST_INSIDE = [
    (WEST + STEP, 40.7),
    (EAST - STEP, 40.7),
    (-73.9, SOUTH + STEP),
    (-73.9, NORTH - STEP),
]
JUST_OUTSIDE = [
    (WEST - STEP, 40.7),
    (EAST + STEP, 40.7),
    (-73.9, SOUTH - STEP),
    (-73.9, NORTH + STEP),
]

# One script with everything in it: each test looks at its own rides.
result = scripted(
    rides=[
        [ride(1), ride(2, ends_at=HARTFORD), ride(3, starts_at=NEWARK)],
        [ride(4, starts_at=NEWARK, ends_at=HARTFORD), end(1), end(2, ends_at=HARTFORD)],
        [],
        [
            ride(5, starts_at=NOWHERE),
            ride(6, ends_at=NOWHERE),
            ride(7, starts_at=(None, MIDTOWN[1])),
            ride(8, ends_at=(MIDTOWN[0], None)),
        ],
        [
            ride(11, starts_at=(-73.9, NORTH), ends_at=(-73.9, SOUTH)),
            ride(12, starts_at=(-73.9, SOUTH), ends_at=(-73.9, NORTH)),
            ride(13, ends_at=(-73.9, NORTH + 0.01)),
            ride(14, ends_at=(-73.9, SOUTH - 0.01)),
            ride(15, ends_at=(WEST - 0.01, 40.7)),
            ride(16, ends_at=(EAST + 0.01, 40.7)),
            ride(17, starts_at=(WEST + 0.001, 40.7), ends_at=(EAST - 0.001, 40.7)),
        ],
        [ride(21, passengers=None), ride(21, passengers=None), end(22, at="09:00")],
        [
            *(ride(30 + n, starts_at=place) for n, place in enumerate(JUST_INSIDE)),
            *(ride(40 + n, ends_at=place) for n, place in enumerate(JUST_INSIDE)),
            *(ride(50 + n, starts_at=place) for n, place in enumerate(JUST_OUTSIDE)),
            *(ride(60 + n, ends_at=place) for n, place in enumerate(JUST_OUTSIDE)),
        ],
    ]
)


def events_of(seed):
    """Generate a thousand events."""
    return ride_events(0, 1000, seed=seed).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated events."""
    events = events_of(seed)
    return {"rides": [events[:400], events[400:]]}


def test_a_ride_in_the_city_is_kept(result):
    """A ride that starts and ends in the city must be kept, with all its columns as they came."""
    assert result.rows[0] == ride(1)


def test_a_ride_that_ends_outside_the_city_is_dropped(result):
    """A ride that ends outside the city must be dropped: both its ends have to lie in the city."""
    assert 2 not in result.column("ride_id")


def test_a_ride_that_starts_outside_the_city_is_dropped(result):
    """A ride that starts outside the city must be dropped: both its ends have to lie in the
    city."""
    assert 3 not in result.column("ride_id")


def test_a_ride_that_lies_outside_the_city_is_dropped(result):
    """A ride that starts and ends outside the city must be dropped."""
    assert 4 not in result.column("ride_id")


def test_both_events_of_a_ride_are_kept(result):
    """Both events of a ride in the city must be kept, its START and its END."""
    assert [row for row in result.rows if row["ride_id"] == 1] == [ride(1), end(1)]


def test_an_unknown_place_is_not_in_the_city(result):
    """A ride with an unknown place must be dropped: where a coordinate is null, the place is not in
    the city."""
    assert not {5, 6, 7, 8} & set(result.column("ride_id"))


def test_the_border_is_inside(result):
    """A place on the city's border must count as in the city; one beyond it must not."""
    kept = sorted(number for number in result.column("ride_id") if 10 < number < 20)
    assert kept == [11, 12, 17]


def test_the_border_is_where_it_is(result):
    """The border must be where it is: a few metres inside it is in the city, a few metres beyond it
    is not. That goes for all four sides, and for both ends of a ride."""
    kept = sorted(number for number in result.column("ride_id") if number >= 30)
    assert kept == [30, 31, 32, 33, 40, 41, 42, 43]


def test_an_event_that_comes_twice_is_kept_twice(result):
    """Every event must be judged by itself: what comes twice is kept twice, and what comes late is
    kept, too."""
    assert result.batches[5] == [
        ride(21, passengers=None),
        ride(21, passengers=None),
        end(22, at="09:00"),
    ]


def test_each_event_comes_out_in_its_own_micro_batch(result):
    """What is kept must come out in the micro-batch in which it came: a filter needs no state."""
    assert [len(batch) for batch in result.batches] == [1, 1, 0, 0, 3, 3, 8]
    assert not any(result.state_rows)


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """A thousand generated events must give what a loop in plain Python gives."""
    assert generated.rows == [
        event
        for event in events_of(seed)
        if WEST <= event["start_lon"] <= EAST
        and WEST <= event["end_lon"] <= EAST
        and SOUTH <= event["start_lat"] <= NORTH
        and SOUTH <= event["end_lat"] <= NORTH
    ]
