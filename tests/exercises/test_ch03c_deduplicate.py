"""Grades deduplication: each event once, the first to arrive, with state that shrinks again."""

from datetime import timedelta

from datagen import ride_events
from trainer.rows import at, end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)
# A day after the newest event, for the watermark as well.
A_DAY_LATER = at("12:40") + timedelta(days=1)

# One script with everything in it: each test looks at its own rides.
result = scripted(
    rides=[
        [ride(1), ride(2), ride(2), ride(3, passengers=None), ride(3, passengers=None)],
        [ride(1), ride(4, at="12:05"), end(2, at="12:09")],
        [
            ride(5, at="12:18"),
            end(4, at="12:18"),
            end(1, at="12:19"),
            ride(6, at="12:10"),
            ride(4, at="12:14"),
            ride(7, at="12:29:59"),
        ],
        [],
        [
            ride(1, at="12:20"),
            ride(4, at="12:25"),
            end(2, at="12:29"),
            ride(6, at="12:30"),
            ride(8, at="12:21"),
            ride(10, at="12:20"),
        ],
        [ride(9, at=A_DAY_LATER)],
    ]
)


def micro_batches_of(seed):
    """Give 400 events of the city, out of order, many sent again with the time they came at."""
    first = 1000 * (seed % 10_000)
    flaws = {"disorder": 500, "duplicates": 0.3, "truth": True}
    events = ride_events(first, first + 400, profile="city", seed=seed, **flaws).to_pylist()
    return list(stamped_again([events[:150], events[150:151], events[151:]]))


@seeded
def generated(seed):
    """These events, with a restart after the first micro-batch."""
    return {"rides": micro_batches_of(seed), "restart_after": 1}


def stamped_again(micro_batches):
    """Give a repeat from an earlier micro-batch the newest time so far, as a car would do."""
    seen, newest = set(), at("12:00")
    for batch in micro_batches:
        rows = [{name: row[name] for name in ride(1)} for row in batch]
        before = set(seen)
        for row in rows:
            newest = max(newest, row["event_time"])
            if _event(row) in before:
                row["event_time"] = newest
            seen.add(_event(row))
        yield rows


def _event(row):
    return row["ride_id"], row["is_start"]


def times(result, ride_id, is_start=True):
    """Give the event times of what came out of a START, or an END."""
    return [
        row["event_time"]
        for row in result.rows
        if (row["ride_id"], row["is_start"]) == (ride_id, is_start)
    ]


def test_an_event_comes_out_as_it_came(result):
    """An event must come out in its own micro-batch, with all its columns, nulls too."""
    assert ride(1) in result.batches[0]
    assert ride(3, passengers=None) in result.batches[0]


def test_a_repeat_in_the_same_micro_batch_is_dropped(result):
    """Of an event that comes twice in one micro-batch only one must come out."""
    assert len(times(result, 2)) == 1
    assert len(times(result, 3)) == 1


def test_a_repeat_in_a_later_micro_batch_is_dropped(result):
    """An event that comes again in a later micro-batch must be dropped."""
    assert ride(1) not in result.batches[1]


def test_a_repeat_with_another_time_is_dropped(result):
    """A repeat must be dropped even if it carries another event_time."""
    assert times(result, 4) == [at("12:05")]


def test_start_and_end_are_two_events(result):
    """The END of a ride must come out as well: it is no repeat of the START."""
    assert [len(times(result, number, is_start=False)) for number in (1, 2, 4)] == [1, 1, 1]


def test_a_repeat_of_twenty_minutes_later_is_dropped(result):
    """A repeat must be dropped if its event_time is up to 20 minutes from the first one's."""
    assert times(result, 1) == [at("12:00")]
    assert times(result, 2, is_start=False) == [at("12:09")]
    assert times(result, 6) == [at("12:10")]


def test_an_event_out_of_order_is_kept(result):
    """An event that comes less than ten minutes out of order must come out."""
    assert at("12:10") in times(result, 6)
    assert times(result, 8) == [at("12:21")]
    assert times(result, 10) == [at("12:20")]


def test_each_event_comes_out_at_once(result):
    """An event must come out at once: none waits for the watermark."""
    assert [len(batch) for batch in result.batches[:6]] == [3, 2, 5, 0, 2, 1]


def test_the_state_shrinks_again(result):
    """A day on, nothing must be left in the state but what the newest event takes."""
    assert 3 * result.state_rows[-1] <= result.state_rows[0]


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Four hundred events in three micro-batches, with a restart, must come out once each, as they
    first came."""
    first = {}
    for row in (row for batch in micro_batches_of(seed) for row in batch):
        first.setdefault(_event(row), row)
    names = ("ride_id", "is_start")
    assert generated.sorted(*names) == in_order(list(first.values()), *names)
