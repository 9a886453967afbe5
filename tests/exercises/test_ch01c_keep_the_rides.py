"""Grades keeping the rides: a query that is started every night, and goes on where it ended."""

from datagen import ride_events
from trainer.rows import end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)

# A list a night: what has come since the night before.
NIGHTS = [[ride(1), ride(2)], [end(1), ride(3), ride(4)], [], [end(2), end(3)]]
once = scripted(role="program", rides=NIGHTS[:1])
nights = scripted(role="program", rides=NIGHTS)
repeats = scripted(role="program", rides=[[ride(1), ride(1)], [ride(2), ride(1)]])
killed = scripted(role="program", killed_after=1, rides=NIGHTS[:2])


def nights_of(seed):
    """Generate three nights, three hundred events."""
    events = ride_events(0, 300, seed=seed).to_pylist()
    return [events[:120], events[120:200], events[200:]]


@seeded
def generated(seed):
    """Three nights of generated events; the query of the second is killed."""
    return {"role": "program", "killed_after": 2, "rides": nights_of(seed)}


def test_the_first_night_is_written(once):
    """After the first night `folder` must hold what the stream held, with all columns."""
    assert once.batches == [in_order(NIGHTS[0])]


def test_what_was_written_stays(nights):
    """What one night's query has written must still be in `folder` after the next one."""
    assert nights.batches[0] == in_order(NIGHTS[0])


def test_the_second_night_brings_what_has_come_since(nights):
    """The second night's query must write what has come since the first, and only that."""
    assert nights.batches[1] == in_order(NIGHTS[1])


def test_a_night_without_rides_brings_nothing(nights):
    """On a night without rides nothing must be written, and the night after must go on as ever."""
    assert nights.batches[2:] == [[], in_order(NIGHTS[3])]


def test_nothing_is_missing(nights):
    """After the last night `folder` must hold each row that came on any of them."""
    assert all(row in nights.rows for night in NIGHTS for row in night)


def test_nothing_is_there_twice(nights):
    """A row that came once must not be in `folder` twice."""
    assert all(nights.rows.count(row) <= 1 for row in nights.rows)


def test_a_killed_query_writes_nothing_twice(killed):
    """Where a query was killed after it wrote its rows and before it noted so, each row must be
    there once all the same."""
    assert killed.batches == [in_order(night) for night in NIGHTS[:2]]


def test_an_event_that_comes_twice_is_written_twice(repeats):
    """What the stream itself brings three times must be in `folder` three times."""
    assert repeats.rows.count(ride(1)) == 3


def test_generated_nights_are_kept(generated, seed):
    """All rows of three generated nights must be there, once each, though the second is killed."""
    assert generated.batches == [in_order(night) for night in nights_of(seed)]
