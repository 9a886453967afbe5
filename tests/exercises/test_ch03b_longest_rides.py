"""Grades longest rides: a row whenever a ride is longer than every one seen before there."""

from datagen import ride_events
from trainer.rows import DRIVER, at, in_order
from trainer.runs import scripted, seeded

COLUMNS = "start_cell int, ride_id bigint, minutes double"


def done(ride_id, cell, minutes, time, driver=1):
    """Make the row of a finished ride."""
    return {
        "ride_id": ride_id,
        "driver_id": DRIVER + driver,
        "start_cell": cell,
        "minutes": float(minutes),
        "event_time": at(time),
    }


# One script with everything in it: each test looks at its own cell.
SCRIPT = [
    [
        done(11, cell=1, minutes=10, time="12:03"),
        done(12, cell=1, minutes=5, time="12:01"),
        done(13, cell=1, minutes=8, time="12:02"),
        done(22, cell=2, minutes=30, time="12:05"),
        done(21, cell=2, minutes=20, time="12:05"),
        done(24, cell=2, minutes=40, time="12:06"),
        done(23, cell=2, minutes=50, time="12:06"),
        done(31, cell=3, minutes=0, time="12:02"),
    ],
    [
        done(14, cell=1, minutes=10, time="12:06"),
        done(15, cell=1, minutes=10.5, time="12:07", driver=2),
        done(32, cell=3, minutes=0, time="12:07"),
        done(33, cell=3, minutes=0.5, time="12:08"),
    ],
    [],
    [
        done(16, cell=1, minutes=12, time="12:00:30"),
        done(41, cell=4, minutes=3, time="12:08"),
        done(52, cell=5, minutes=4, time="12:07"),
        done(51, cell=5, minutes=6, time="12:08"),
        done(61, cell=6, minutes=4, time="12:05:01"),
        done(62, cell=6, minutes=6, time="12:05"),
        done(71, cell=7, minutes=10, time="12:01"),
        done(72, cell=7, minutes=10 + 1 / 60, time="12:02"),
    ],
    [
        done(17, cell=1, minutes=11, time="12:09"),
        done(25, cell=2, minutes=49, time="12:10"),
        done(26, cell=2, minutes=50, time="12:11"),
        done(27, cell=2, minutes=51, time="12:12", driver=3),
        done(42, cell=4, minutes=2, time="12:12"),
    ],
]
# Longer rides, one after the other, from cells that have been seen.
RECORDS = [
    done(100 + number, cell=1 + number % 7, minutes=60 + number, time=f"13:{number:02}")
    for number in range(42)
]
result = scripted(durations=SCRIPT, state_held=True)
with_more_rides = scripted(durations=[*SCRIPT, RECORDS], state_held=True)


def micro_batches_of(seed):
    """Give some three hundred finished rides of the city, in whole minutes, from seven cells."""
    first = 1000 * (seed % 10_000)
    events = ride_events(first, first + 700, profile="city", seed=seed, disorder=500).to_pylist()
    starts = {event["ride_id"]: event["event_time"] for event in events if event["is_start"]}
    rows = [
        {
            "ride_id": event["ride_id"],
            "driver_id": event["driver_id"],
            "start_cell": event["ride_id"] % 7,
            "minutes": float((event["event_time"] - starts[event["ride_id"]]).seconds // 60),
            "event_time": event["event_time"].replace(second=0),
        }
        for event in events
        if not event["is_start"] and event["ride_id"] in starts
    ]
    return [rows[:60], rows[60:61], rows[61:]]


@seeded
def generated(seed):
    """These rides, with a restart after the first micro-batch."""
    return {"durations": micro_batches_of(seed), "restart_after": 1}


def records(result, micro_batch, cell):
    """Give the rides that broke a cell's record in one micro-batch, and their minutes."""
    rows = in_order(result.batches[micro_batch], "minutes")
    return [(row["ride_id"], row["minutes"]) for row in rows if row["start_cell"] == cell]


def test_a_longer_ride_is_a_record(result):
    """A ride that is longer than all before it from its cell must have a row, if only by a
    second."""
    assert (15, 10.5) in records(result, 1, cell=1)
    assert [ride_id for ride_id, _ in records(result, 3, cell=7)] == [71, 72]


def test_a_shorter_ride_is_none(result):
    """A ride that is shorter than the record of its cell must have no row."""
    assert not {25, 42} & set(result.column("ride_id"))


def test_an_equal_ride_is_no_record(result):
    """A ride exactly as long as the record of its cell must have no row: it is not longer."""
    assert not {14, 26, 32} & set(result.column("ride_id"))


def test_a_first_ride_counts_even_of_no_time(result):
    """The first ride from a cell must have a row, even one of 0 minutes."""
    assert records(result, 0, cell=3) == [(31, 0)]


def test_each_cell_has_its_own_record(result):
    """Each cell must have its own record, however long the rides from other cells were."""
    assert records(result, 3, cell=4) == [(41, 3)]
    assert records(result, 4, cell=2) == [(27, 51)]


def test_every_record_of_a_micro_batch_is_given(result):
    """Every ride that breaks the record must have its row, not just the longest of a
    micro-batch."""
    assert records(result, 0, cell=1) == [(12, 5), (13, 8), (11, 10)]


def test_a_micro_batch_is_looked_at_by_time(result):
    """The rides of a micro-batch must be compared in the order of event_time, to the second."""
    assert records(result, 3, cell=5) == [(52, 4), (51, 6)]
    assert records(result, 3, cell=6) == [(62, 6)]


def test_at_the_same_time_the_lower_ride_id_comes_first(result):
    """Of rides at the very same time, the one with the lower ride_id must be compared first."""
    assert records(result, 0, cell=2) == [(21, 20), (22, 30), (23, 50)]


def test_a_later_micro_batch_counts_as_later(result):
    """A ride must be measured against all that came in the micro-batches before, even if its
    event_time is earlier than theirs."""
    assert records(result, 3, cell=1) == [(16, 12)]


def test_records_outlast_their_micro_batch(result):
    """A record must outlast its micro-batch: a shorter ride in a later one must have no row."""
    assert records(result, 4, cell=1) == []


def test_the_state_grows_with_cells_only(result, with_more_rides):
    """The state must grow with the cells, not with the rides: more rides from the same cells must
    leave it as large as it was, what lies in lists, arrays and maps included.
    """
    assert result.state_rows[1] == result.state_rows[0]
    assert with_more_rides.state_held == result.state_held


def records_of(micro_batches):
    """Find the records in plain Python, micro-batch by micro-batch."""
    longest = {}
    for batch in micro_batches:
        for row in in_order(batch, "event_time", "ride_id"):
            if row["minutes"] > longest.get(row["start_cell"], -1):
                longest[row["start_cell"]] = row["minutes"]
                yield {name: row[name] for name in ("start_cell", "ride_id", "minutes")}


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Some 300 rides in three micro-batches, with a restart, must give the records of plain
    Python."""
    assert generated.sorted() == in_order(list(records_of(micro_batches_of(seed))))
