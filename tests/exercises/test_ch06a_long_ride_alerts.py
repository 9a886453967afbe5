"""Grades long ride alerts: rides of more than two hours, by their END or by a timer."""

from datetime import timedelta
from itertools import chain
from random import Random

from trainer.rows import at, end, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, start_time timestamp"
DELAY, LONG = timedelta(seconds=60), timedelta(hours=2)

# The watermark in each: none, 11:59:30, 13:59:59, 14:00:00, 14:00:05; and 20:09:00 in the drain.
SCRIPT = [
    [
        *[ride(number, at="12:00") for number in (1, 2, 3, 4, 5, 10, 12, 14, 15, 16)],
        end(6, at="12:00:30"),
        *[end(number, at="12:00:20") for number in (7, 17, 27)],
    ],
    [
        ride(6, at="12:00"),
        ride(8, at="12:00:40"),
        end(1, at="12:20"),
        end(8, at="12:40"),
        end(3, at="14:00"),
        end(4, at="14:00:01"),
        *[end(number, at="13:59:55") for number in range(30, 36)],
        end(2, at="14:00:59"),
    ],
    [ride(11, at="14:01"), end(13, at="14:00:09")],
    [end(12, at="14:01:05")],
    [
        ride(13, at="14:00:07"),
        end(10, at="17:00"),
        end(9, at="17:00:10"),
        ride(9, at="14:30"),
        ride(20, at="20:00"),
        end(20, at="20:10"),
    ],
]

# One script with every kind of ride in it.
result = scripted(rides=SCRIPT, state_held=True)
at_once = scripted(rides=[[event for batch in SCRIPT for event in batch]])
# Two rides whose events come in two micro-batches, and no watermark that would set a timer off.
by_and_by = scripted(
    rides=[[ride(1, at="12:00"), end(2, at="12:30")], [end(1, at="12:20"), ride(2, at="12:10")]],
    state_held=True,
)


@seeded
def generated(seed):
    """A generated stream, with a restart on the way."""
    return {"rides": generate(seed), "restart_after": 2}


def reports(result, number):
    """Tell in which micro-batches a ride is reported."""
    return [
        n for n, batch in enumerate(result.batches) for row in batch if row["ride_id"] == number
    ]


def test_a_short_ride_gives_nothing(result):
    """A ride of twenty minutes must not be reported."""
    assert reports(result, 1) == reports(result, 8) == []


def test_a_long_ride_is_reported_with_its_start(result):
    """A ride of two and a half hours must be reported, with the time of its START."""
    assert {"ride_id": 9, "start_time": at("14:30")} in result.rows


def test_the_end_of_a_long_ride_reports_it(result):
    """If the END of a long ride comes before its timer, the alert must come with the END."""
    assert reports(result, 2) == reports(result, 4) == [1]


def test_exactly_two_hours_is_not_long(result):
    """A ride of exactly two hours must not be reported; one of a second more must be."""
    assert reports(result, 3) == []
    assert reports(result, 4) != []


def test_without_an_end_the_watermark_reports_it(result):
    """With no END, the alert must come as soon as the watermark is at START plus two hours."""
    assert result.watermarks[3] == at("14:00")
    assert reports(result, 5) == [3]
    assert reports(result, 11) == [5]


def test_an_alert_is_given_once(result):
    """A ride must be reported once, even if its END comes with its timer, or hours after it."""
    assert reports(result, 12) == [3]
    assert reports(result, 10) == [3]


def test_a_short_ride_whose_end_comes_first_gives_nothing(result):
    """A short ride must not be reported, even if its END comes before its START."""
    assert reports(result, 6) == reports(result, 13) == []


def test_a_long_ride_whose_end_comes_first_is_reported(result):
    """A long ride must be reported, even if its END comes before its START."""
    assert reports(result, 9) == [4]


def test_a_ride_without_a_start_gives_nothing(result):
    """An END whose START never comes must not be reported."""
    assert reports(result, 7) == []


def test_nothing_is_kept_once_the_watermark_is_past(result):
    """Once the watermark is past them, a START and a lone END must be forgotten."""
    # What waits are the START of ride 11 and the END of ride 13.
    assert result.state_rows[3] <= 4


def test_no_state_is_left_behind(result):
    """In the end nothing must be in state of any ride, nor of an END that came after the alert."""
    assert result.state_held.elements == 0


def test_no_timer_is_left_behind(result, by_and_by):
    """When both events of a ride have come, its timers must be deleted, too."""
    assert result.state_held.timers == by_and_by.state_held.timers == 0


def test_the_alerts_are_the_same_however_events_are_split(at_once, result):
    """All events in one micro-batch must give the same alerts."""
    assert at_once.sorted("ride_id") == result.sorted("ride_id")


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """A hundred and twenty generated rides must give the alerts of a loop in plain Python."""
    assert generated.sorted("ride_id") == in_order([*chain(*by_hand(generate(seed)))], "ride_id")


def test_each_alert_comes_in_its_own_micro_batch_after_a_restart_too(generated, seed):
    """Each alert must come as early as it can, even if the query was stopped and started again."""
    came = [in_order(batch, "ride_id") for batch in generated.batches]
    assert came == [in_order(batch, "ride_id") for batch in by_hand(generate(seed))]


def generate(seed):
    """Make rides of up to four hours, some without START or END, in three micro-batches."""
    random, events = Random(seed), []
    for number in range(120):
        start = at("00:00") + minutes(2 * number)
        stop = start + minutes(random.choice([120, random.randrange(240), random.randrange(1, 60)]))
        events += [ride(number, at=start)] * (random.random() > 0.1)
        events += [end(number, at=stop)] * (random.random() > 0.2)
    events.sort(key=lambda event: event["event_time"] + timedelta(seconds=random.randrange(60)))
    # A last ride, over at once, moves the watermark past all others' time.
    last = [ride(999, at="23:00"), end(999, at="23:00")]
    return [events[:80], events[80:150], events[150:], last]


def by_hand(batches):
    """Say what comes out of each micro-batch, the one of the drain included."""
    newest = [max(event["event_time"] for event in batch) for batch in batches]
    # A micro-batch's watermark follows from the newest event of all the ones before.
    marks = [None] + [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    starts, ends, alerts = {}, {}, [[] for _ in marks]
    for n, batch in enumerate(batches):
        for event in batch:
            seen = starts if event["is_start"] else ends
            seen[event["ride_id"]] = (n, event["event_time"])
    for number, (n, start) in starts.items():
        timer = next((m for m, mark in enumerate(marks) if mark and mark >= start + LONG), None)
        known, stop = ends.get(number, (len(marks), None))
        if stop is None or stop - start > LONG:
            alerts[min(max(n, known), max(n, timer))].append(
                {"ride_id": number, "start_time": start}
            )
    return alerts
