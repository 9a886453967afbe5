"""Grades the leak: the rows of the given query, with a state that ends in both places."""

from itertools import chain
from random import Random

from trainer.rows import at, end, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, minutes double"

# The watermark in each: none yet, 12:20, 12:20, 12:20, 15:52, 16:09:59, 16:09:59, 22:50; 23:20 in
# the drain.
RIDES = [
    [
        ride(1, at="12:00", driver=3),
        end(1, at="12:20", driver=3),
        ride(2, at="12:01", driver=2),
        end(3, at="12:15", driver=3),
        ride(4, at="12:10", passengers=0),
        ride(5, at="12:10"),
        ride(5, at="12:10"),
        ride(6, at="12:25", driver=2),
        end(6, at="12:30", driver=2),
        ride(9, at="12:10"),
        ride(15, at="12:22"),
        end(15, at="12:22"),
        ride(13, at="12:10", driver=3),
    ],
    [
        end(2, at="12:26", driver=2),
        ride(3, at="12:05:30", driver=3),
        end(4, at="12:20", passengers=0),
        end(5, at="12:25"),
        ride(7, at="12:29"),
    ],
    [end(5, at="12:25"), *[ride(6, at="12:25", driver=2), end(6, at="12:30", driver=2)]],
    [end(9, at="12:20"), ride(10, at="15:59"), ride(8, at="16:02"), ride(11, at="15:45")],
    [ride(10, at="15:59"), end(10, at="16:03"), ride(12, at="16:19:59")],
    [end(11, at="15:50"), ride(12, at="16:19:59")],
    [end(13, at="16:10", driver=3), ride(14, at="23:00")],
    [end(14, at="23:30"), end(14, at="23:30")],
]

result = scripted(rides=RIDES)


def one_kind_after_the_other(*kinds):
    """Give the events of each kind, with a ride that brings the watermark to four hours after the
    last of them; then nothing, so that all can be forgotten but that ride."""
    for place, events in enumerate(kinds):
        further = {"event_time": minutes(300 * place), "ride_id": 100 * place}
        moved = [e | {name: e[name] + more for name, more in further.items()} for e in events]
        yield from ([*moved, ride(1000 + place, at=at("16:30") + further["event_time"])], [])


STARTS = [ride(n, at="12:00") for n in range(1, 21)]
ENDS = [end(n, at="12:20") for n in range(1, 21)]
EMPTY = [event | {"passenger_count": 0} for event in STARTS + ENDS]
# Four kinds of rides, one after the other: state grows with the one that isn't forgotten.
kinds = scripted(
    rides=list(one_kind_after_the_other(EMPTY, [*STARTS, *ENDS], STARTS, ENDS)),
    state_held=True,
)
# What the newest ride may take, in the processor and before it, and as timers.
FEW, TIMERS = 5, 2


@seeded
def generated(seed):
    """Generated rides with repeats and lost events, and a restart on the way."""
    return {"rides": generate(seed), "restart_after": 2, "state_held": True}


@seeded
def at_once(seed):
    """The same events in one micro-batch."""
    return {"rides": [[*chain(*generate(seed))]]}


def took(result, number):
    """Tell what came out of a ride: the micro-batches, counted from one, and the minutes."""
    batches = enumerate(result.batches, 1)
    return [(n, row["minutes"]) for n, rows in batches for row in rows if row["ride_id"] == number]


def test_a_ride_gives_its_minutes(result):
    """A ride of which both events are there must give one row, with its minutes."""
    assert took(result, 1) == [(1, 20.0)]


def test_a_ride_comes_out_with_its_second_event(result):
    """A ride must come out in the micro-batch in which its second event comes."""
    assert took(result, 2) == [(2, 25.0)]
    assert took(result, 10) == [(5, 4.0)]


def test_an_end_may_come_before_its_start(result):
    """An END that comes before its START must be kept until the START is there."""
    assert took(result, 3) == [(2, 9.5)]


def test_a_ride_may_end_as_it_starts(result):
    """A START and an END of the same instant are two events: their ride must give 0 minutes."""
    assert took(result, 15) == [(1, 0.0)]


def test_a_ride_without_passengers_gives_nothing(result):
    """A ride without passengers must give no row."""
    assert took(result, 4) == []


def test_an_event_that_comes_twice_changes_nothing(result):
    """A repeat must change nothing, whether its ride is under way or has come out already."""
    assert took(result, 5) == [(2, 15.0)]
    assert took(result, 6) == [(1, 5.0)]
    assert took(result, 14) == [(8, 30.0)]


def test_a_late_event_gives_nothing(result):
    """An event that the given query drops as late must give nothing here either."""
    assert took(result, 11) == took(result, 9) == []


def test_a_ride_may_take_four_hours(result):
    """A ride of exactly four hours must come out, and so must any shorter one."""
    assert took(result, 13) == [(7, 240.0)]


def left(result, number):
    """Count the rows of state that a kind of rides has left, the first or one of the others."""
    before = result.state_rows[2 * number - 3] if number > 1 else 0
    return result.state_rows[2 * number - 1] - before


def test_an_empty_ride_leaves_nothing(kinds):
    """Four hours on, nothing must be left in the state of the events of rides without
    passengers."""
    assert left(kinds, 1) <= FEW


def test_a_ride_that_is_through_leaves_nothing(kinds):
    """Four hours on, nothing must be left in the state of rides that have come out."""
    assert left(kinds, 2) <= FEW


def test_a_ride_without_its_end_leaves_nothing(kinds):
    """Four hours on, nothing must be left in the state of rides whose END never came."""
    assert left(kinds, 3) <= FEW


def test_a_ride_without_its_start_leaves_nothing(kinds):
    """Four hours on, nothing must be left in the state of ENDs whose START never came."""
    assert left(kinds, 4) <= FEW


def test_no_timer_and_no_element_is_left(kinds):
    """Four hours on, no timer of any ride must be left, nor anything in a list or map."""
    assert kinds.state_held.timers <= TIMERS and kinds.state_held.elements <= FEW


def test_generated_rides_agree_with_plain_python(generated, seed):
    """Generated rides must give what a loop in plain Python gives, after a restart, too."""
    assert generated.sorted("ride_id") == durations(generate(seed))


def test_generated_rides_leave_nothing(generated):
    """A day after generated rides, with lost events and repeats, the state must be empty but for
    the newest event."""
    assert generated.state_held.elements <= FEW and generated.state_held.timers <= TIMERS


def test_the_rows_are_the_same_however_events_are_split(at_once, seed):
    """All events in one micro-batch must give the same rows as in four."""
    assert at_once.sorted("ride_id") == durations(generate(seed))


def generate(seed):
    """Make rides of up to four hours, some empty, some events lost or twice, out of order."""
    random, events = Random(seed), []
    for number in range(80):
        start = at("02:00") + minutes(4 * number)
        who = {"driver": random.randrange(1, 9), "passengers": random.choice([0, 1, 2, 4])}
        length = random.choice([0.5, 17, 95, 240])
        pair = [ride(number, at=start, **who), end(number, at=start + minutes(length), **who)]
        events += [each for each in pair if random.random() > 0.15]
    events += random.sample(events, 20)
    events.sort(key=lambda row: row["event_time"] + minutes(9.9 * random.random()))
    newest = ride(999, at=max(row["event_time"] for row in events) + minutes(1440))
    return [events[:50], events[50:90], events[90:], [newest]]


def durations(batches):
    """Find the rides with passengers of which both events are there, and how long they took."""
    events = [event for event in chain(*batches) if event["passenger_count"] > 0]
    starts = {event["ride_id"]: event["event_time"] for event in events if event["is_start"]}
    ends = {event["ride_id"]: event["event_time"] for event in events if not event["is_start"]}
    return in_order(
        [
            {"ride_id": number, "minutes": (ends[number] - starts[number]) / minutes(1)}
            for number in starts.keys() & ends.keys()
        ],
        "ride_id",
    )
