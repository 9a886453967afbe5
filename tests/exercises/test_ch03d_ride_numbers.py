"""Grades ride numbers: each START gets its driver's next number."""

from collections import Counter

from datagen import ride_events
from trainer.rows import DRIVER, TAXI, end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = "driver_id bigint, ride_id bigint, number bigint"

# One script with everything in it: each test looks at its own drivers.
result = scripted(
    state_held=True,
    rides=[
        [
            ride(11, driver=1, at="12:09"),
            end(10, driver=1, at="12:01"),
            ride(12, driver=1, at="12:03"),
            ride(22, driver=2, at="12:05"),
            ride(21, driver=2, at="12:05"),
            ride(31, driver=3, at="12:06:30"),
            ride(32, driver=3, at="12:06:10"),
            end(40, driver=4, at="12:07"),
        ],
        [
            ride(13, driver=1, at="12:15") | {"taxi_id": TAXI + 2},
            end(21, driver=2, at="12:14"),
            ride(33, driver=3, at="12:16"),
        ],
        [],
        [
            ride(14, driver=1, at="12:08"),
            end(12, driver=1, at="12:19"),
            ride(23, driver=2, at="12:20"),
        ],
        [
            ride(34, driver=3, at="12:26"),
            ride(35, driver=3, at="12:25"),
            ride(24, driver=2, at="12:24"),
        ],
    ],
)


def events_of(seed):
    """Give some seven hundred events of two hundred drivers, out of order."""
    first = 1000 * (seed % 10_000)
    events = ride_events(first, first + 700, profile="classic", seed=seed, disorder=500)
    return events.to_pylist()


def micro_batches_of(seed):
    """Cut them into three micro-batches, one of them small."""
    events = events_of(seed)
    return [events[:300], events[300:303], events[303:]]


@seeded
def generated(seed):
    """These events, with a restart after the first micro-batch."""
    return {"rides": micro_batches_of(seed), "restart_after": 1}


def numbers(result, driver, micro_batch=None):
    """Give a driver's rides in the order of their numbers: (ride, number)."""
    rows = result.rows if micro_batch is None else result.batches[micro_batch]
    rows = [row for row in rows if row["driver_id"] == DRIVER + driver]
    return [(row["ride_id"], row["number"]) for row in in_order(rows, "number", "ride_id")]


def test_a_first_ride_has_number_one(result):
    """A driver's first number must be 1."""
    assert [number for _, number in numbers(result, 1, micro_batch=0)][:1] == [1]
    assert [number for _, number in numbers(result, 2, micro_batch=0)][:1] == [1]


def test_the_next_micro_batch_goes_on(result):
    """Counting must go on where the micro-batch before ended: a third ride gets number 3."""
    assert numbers(result, 1, micro_batch=1) == [(13, 3)]


def test_every_start_has_its_row(result):
    """Each START must have its row, in its own micro-batch, even where a driver has several."""
    came = [sorted(row["ride_id"] for row in batch) for batch in result.batches[:5]]
    assert came == [[11, 12, 21, 22, 31, 32], [13, 33], [], [14, 23], [24, 34, 35]]


def test_an_end_is_not_counted(result):
    """An END must have no row and take no number."""
    assert [number for _, number in numbers(result, 2)] == [1, 2, 3, 4]
    assert numbers(result, 4) == []


def test_a_micro_batch_is_numbered_by_time(result):
    """The STARTs of one micro-batch must be numbered by event_time, to the second."""
    assert numbers(result, 1, micro_batch=0) == [(12, 1), (11, 2)]
    assert numbers(result, 3, micro_batch=0) == [(32, 1), (31, 2)]


def test_at_the_same_time_the_lower_ride_id_comes_first(result):
    """Of two STARTs of the same time, the one with the lower ride_id must come first."""
    assert numbers(result, 2, micro_batch=0) == [(21, 1), (22, 2)]


def test_a_number_that_was_given_stays(result):
    """A START that comes in a later micro-batch must get the next number, even if its event_time is
    earlier."""
    assert numbers(result, 1, micro_batch=3) == [(14, 4)]


def test_a_driver_may_change_taxis(result):
    """A ride must be counted for its driver, even in a taxi that another driver had before."""
    assert [ride_id for ride_id, _ in numbers(result, 1)] == [12, 11, 13, 14]
    assert numbers(result, 2) == [(21, 1), (22, 2), (23, 3), (24, 4)]


def test_the_state_grows_with_drivers_only(result):
    """State must grow with the drivers, not with the rides: a single number for each is enough."""
    assert result.state_rows[4] == result.state_rows[0]
    assert result.state_held.elements < 13


def numbered(micro_batches):
    """Number the rides in plain Python, micro-batch by micro-batch."""
    seen = Counter()
    for batch in micro_batches:
        for event in in_order([e for e in batch if e["is_start"]], "event_time", "ride_id"):
            driver = event["driver_id"]
            seen[driver] += 1
            yield {"driver_id": driver, "ride_id": event["ride_id"], "number": seen[driver]}


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Hundreds of rides in three micro-batches, with a restart, must get plain Python's numbers."""
    assert generated.sorted() == in_order(list(numbered(micro_batches_of(seed))))
