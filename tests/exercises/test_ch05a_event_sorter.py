"""Grades the event sorter: all ride events in one order, each when the watermark reaches it."""

from datetime import timedelta

from datagen import ride_events
from trainer.rows import NOWHERE, end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)
# Within a micro-batch, the column that its rows are in order of.
ORDERED_BY = "event_time"
DELAY = timedelta(seconds=60)
LATE = {7, 8, 15}
# The watermark of each micro-batch stands beside it.
SCRIPT = [
    # none yet
    [ride(1, at="12:00:40"), ride(2, at="12:00:10", driver=2), end(3, at="12:00:30", driver=3)],
    # 11:59:40
    [ride(4, at="12:01:30"), ride(5, at="12:00:50", driver=4), end(6, at="12:01:00", driver=5)],
    # 12:00:30
    [],
    # 12:00:30
    [
        ride(7, at="12:00:30"),
        ride(8, at="12:00:20"),
        ride(9, at="12:00:35", driver=6, starts_at=NOWHERE, passengers=None),
        ride(10, at="12:03:00"),
    ],
    # 12:02:00
    [
        ride(11, at="12:01:10"),
        ride(12, at="12:02:00", driver=7),
        ride(13, at="12:02:00"),
        ride(16, at="12:02:01"),
        ride(10, at="12:03:00"),
    ],
    # 12:02:00
    [ride(14, at="12:30:00"), ride(15, at="12:01:59")],
    # the query drains: 12:29:00
]

# One script with everything in it.
result = scripted(rides=SCRIPT, state_held=True)
# The same events, without the late ones, in one micro-batch.
at_once = scripted(rides=[[row for batch in SCRIPT for row in batch if row["ride_id"] not in LATE]])


def script_of(seed):
    """Three hundred events of the city, some out of order and some late, in four micro-batches."""
    city = {"seed": seed, "disorder": 50, "late": 0.2, "late_by": 600}
    events = ride_events(0, 300, **city).to_pylist()
    cut = 5 + seed % 50
    return [events[:cut], events[cut:140], [], events[140:]]


@seeded
def generated(seed):
    """These events, stopped after the second micro-batch and started again."""
    return {"rides": script_of(seed), "restart_after": 2}


def released(result):
    """Give the numbers of the rides released in each micro-batch that released any."""
    numbers = [sorted(row["ride_id"] for row in batch) for batch in result.batches]
    return {number: batch for number, batch in enumerate(numbers) if batch}


def sorter(script):
    """Give, in plain Python, what is released in each micro-batch, the drain's one included."""
    before = watermark = newest = None
    waiting = []
    for batch in [*script, []]:
        waiting += [row for row in batch if before is None or row["event_time"] > before]
        due = [row for row in waiting if watermark and row["event_time"] <= watermark]
        waiting = [row for row in waiting if row not in due]
        yield in_order(due, "event_time", "ride_id", "is_start")
        newest = max([row["event_time"] for row in batch] + [newest] * (newest is not None))
        before, watermark = watermark, newest - DELAY


def test_events_come_out_in_the_order_of_event_time(result):
    """Events must come out in the order of event time: one order, over all rides."""
    times = result.column("event_time")
    assert times == sorted(times)


def test_an_event_comes_out_when_the_watermark_has_reached_it(result):
    """An event must come out in the first micro-batch whose watermark is at or past its time."""
    came = {ride_id: n for n, batch in released(result).items() for ride_id in batch}
    expected = {1: 4, 2: 2, 4: 4, 5: 4, 6: 4, 10: 6, 14: None, 16: 6}
    assert {n: came.get(n) for n in expected} == expected


def test_an_event_at_the_watermark_comes_out(result):
    """An event must come out as soon as the watermark is at its time: it needn't be past it."""
    assert 3 in released(result).get(2, []) and 12 in released(result).get(4, [])


def test_events_come_out_in_a_micro_batch_without_events(result):
    """What the watermark reaches must come out, even in a micro-batch that brings no events."""
    assert released(result).get(2) == [2, 3]


def test_a_late_event_is_dropped(result):
    """An event at or before the watermark of the micro-batch before its own must not come out."""
    assert not LATE & set(result.column("ride_id"))


def test_an_event_behind_its_own_watermark_alone_is_kept(result):
    """An event behind only the watermark of its own micro-batch must come out at once."""
    assert 11 in released(result).get(4, [])


def test_events_of_equal_time_all_come_out(result):
    """Events of equal time must all come out, and one that comes twice must come out twice."""
    numbers = result.column("ride_id")
    assert [numbers.count(n) for n in (10, 12, 13)] == [2, 1, 1]


def test_events_come_out_as_they_came(result):
    """An event must come out as it came: all its columns, nulls too."""
    sent = [row for batch in SCRIPT for row in batch if row["ride_id"] in (2, 3, 9)]
    came = [row for row in result.rows if row["ride_id"] in (2, 3, 9)]
    assert in_order(came, "ride_id") == sent


def test_nothing_stays_in_state_for_what_was_released(result):
    """State must hold the events that still wait, and none that came out."""
    # In the end one event waits.
    assert result.state_held.elements <= 3
    assert result.state_held.timers <= 3


def test_nothing_is_lost_by_a_stop_and_a_restart(generated, seed):
    """Events that were waiting when the query stopped must come out after its restart."""
    script = script_of(seed)
    waited = [row for batch in list(sorter(script))[2:] for row in batch if row in script[0]]
    assert waited and all(row in generated.rows for row in waited)


def test_the_order_is_the_same_however_events_are_split(result, at_once):
    """In one micro-batch or in six, the same events must come out in the same order."""
    by_time = [in_order(some.rows, "event_time", "ride_id") for some in (result, at_once)]
    assert by_time[0] == by_time[1]
    assert at_once.column("event_time") == result.column("event_time")


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Three hundred generated events must come out as from a sorter in plain Python."""
    came = [in_order(batch, "event_time", "ride_id", "is_start") for batch in generated.batches]
    expected = [batch for batch in sorter(script_of(seed)) if batch]
    assert [batch for batch in came if batch] == expected
    assert generated.column("event_time") == sorted(generated.column("event_time"))
