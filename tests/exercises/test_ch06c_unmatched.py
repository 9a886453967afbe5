"""Grades unmatched: rides without a fare, and fares without a ride, within an hour."""

from datetime import timedelta
from itertools import chain
from random import Random

from trainer.rows import at, end, fare, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, missing string"
HOUR = timedelta(hours=1)

# The watermark in each: three times none, since there are no fares, 12:55:01, 13:15, 19:50, 19:50;
# and 22:50 in the drain.
RIDES = [
    [
        ride(1, at="12:00"),
        ride(2, at="12:05"),
        ride(12, at="13:02:01"),
        ride(3, at="12:10"),
        ride(11, at="12:12"),
        ride(4, at="12:14"),
        ride(13, at="12:14:55"),
        ride(14, at="12:15:05"),
        end(9, at="12:15"),
        end(10, at="12:16"),
    ],
    [ride(5, at="15:00"), ride(6, at="15:05")],
    [],
    [],
    [ride(20, at="20:00"), ride(21, at="19:55"), ride(17, at="18:55")],
    [ride(8, at="19:59")],
    [ride(22, at="23:00")],
]
FARES = [
    [],
    [],
    [
        fare(3, at="11:10"),
        fare(11, at="12:12"),
        fare(10, at="12:50"),
        fare(12, at="12:02"),
        fare(15, at="12:14:55"),
        fare(16, at="12:15:05"),
        fare(1, at="13:00"),
        fare(2, at="13:05:01"),
    ],
    [fare(7, at="13:25")],
    [fare(8, at="19:58"), fare(20, at="20:00"), fare(21, at="20:10")],
    [fare(4, at="12:14")],
    [fare(22, at="23:00")],
]

# One script with every kind of pair in it; the fares come three hours after the rides.
result = scripted(rides=RIDES, fares=FARES, state_held=True)
at_once = scripted(rides=[[*chain(*RIDES)]], fares=[[*chain(*FARES[:5], *FARES[6:])]])
# Two pairs whose rows come in two micro-batches, and no watermark that would set a timer off.
by_and_by = scripted(
    rides=[[ride(1, at="12:00")], [ride(2, at="12:10")]],
    fares=[[fare(2, at="12:20")], [fare(1, at="12:05")]],
    state_held=True,
)


@seeded
def generated(seed):
    """Generated streams, with a restart on the way."""
    rides, fares = generate(seed)
    return {"rides": rides, "fares": fares, "restart_after": 3}


def reports(result, number):
    """Tell what is reported missing for a ride, and in which micro-batches."""
    return [
        (n, row["missing"])
        for n, batch in enumerate(result.batches)
        for row in batch
        if row["ride_id"] == number
    ]


def test_partners_give_nothing(result):
    """Partners must not be reported: neither the ride nor the fare."""
    assert reports(result, 11) == reports(result, 20) == []


def test_a_fare_may_come_before_its_ride(result):
    """A fare that arrives before its ride must count as its partner all the same."""
    assert reports(result, 8) == []


def test_exactly_one_hour_apart_are_partners(result):
    """A fare exactly one hour before or after its ride must count as its partner."""
    assert reports(result, 1) == reports(result, 3) == []


def test_a_ride_without_a_fare_is_reported(result):
    """A ride whose fare never comes must be reported once: its `fare` is missing."""
    assert [missing for _, missing in reports(result, 5)] == ["fare"]
    assert [missing for _, missing in reports(result, 6)] == ["fare"]


def test_a_fare_without_a_ride_is_reported(result):
    """A fare whose ride never comes must be reported once: its `ride` is missing."""
    assert [missing for _, missing in reports(result, 7)] == ["ride"]


def test_more_than_an_hour_apart_both_are_reported(result):
    """A ride and a fare an hour and a second apart must both be reported, whichever is earlier."""
    for number in (2, 12):
        assert sorted(missing for _, missing in reports(result, number)) == ["fare", "ride"]


def test_an_end_event_is_no_ride(result):
    """An END must not be reported, and must not count as a fare's partner."""
    assert reports(result, 9) == []
    assert [missing for _, missing in reports(result, 10)] == ["ride"]


def test_streams_may_be_hours_apart(result):
    """While the fares are three hours behind the rides, no ride must be reported for that."""
    assert not any(result.batches[:4])
    assert reports(result, 1) == []


def test_each_is_reported_in_its_own_time(result):
    """A ride or fare must be reported when the watermark is an hour on from its own time."""
    assert result.watermarks[4:6] == [at("13:15"), at("19:50")]
    assert reports(result, 2) == [(4, "fare"), (5, "ride")]
    assert reports(result, 4)[:1] == [(4, "fare")]
    # An hour later than these it is 13:15, but for five seconds.
    assert [reports(result, number) for number in (13, 15)] == [[(4, "fare")], [(4, "ride")]]
    assert [reports(result, number) for number in (14, 16)] == [[(5, "fare")], [(5, "ride")]]


def test_the_stream_that_is_behind_holds_the_watermark(result):
    """While one stream is behind the other, the one that is behind must hold the watermark."""
    assert result.watermarks[5:] == [at("19:50"), at("19:50"), at("22:50")]
    assert reports(result, 17) == [(7, "fare")]


def test_a_late_fare_is_not_reported(result):
    """A fare that comes after its ride was reported must give no second row."""
    assert reports(result, 4) == [(4, "fare")]


def test_nothing_is_left_in_state(result):
    """Of a ride or fare nothing must be in state when its hour is over."""
    # All but the last pair's are over by then.
    assert result.state_held.elements <= 2


def test_no_timer_is_left_for_partners(result, by_and_by):
    """When partners have met, their timers must be deleted."""
    assert result.state_held.timers == by_and_by.state_held.timers == 0


def test_the_rows_are_the_same_however_streams_are_split(at_once, result):
    """All rows in one micro-batch, but for the late fare, must give the same rows."""
    assert at_once.sorted() == result.sorted()


def test_generated_streams_agree_with_plain_python(generated, seed):
    """Generated streams must give what a loop in plain Python gives, after a restart, too."""
    unmatched = alone(*generate(seed))
    expected = [{"ride_id": number, "missing": missing} for number, missing in unmatched]
    assert generated.sorted() == in_order(expected)


def test_generated_rows_come_when_the_watermark_is_past(generated, seed):
    """Each row must come as soon as the watermark is an hour on from its time."""
    due = {who: time + HOUR for who, time in alone(*generate(seed)).items()}
    marks = dict(enumerate(generated.watermarks))
    for n, batch in enumerate(generated.batches):
        for row in batch:
            time = due[row["ride_id"], row["missing"]]
            assert marks[n] and marks[n] >= time
            # At that very instant it may come, or with the next micro-batch.
            assert marks.get(n - 1) is None or marks[n - 1] <= time


def generate(seed):
    """Make rides and fares up to ninety minutes apart, some alone; the fares are hours behind."""
    random, rides, fares = Random(seed), [], []
    for number in range(120):
        start = at("02:00") + minutes(2 * number)
        apart = random.choice([-60, 0, 60, random.randrange(-90, 91)])
        rides += [ride(number, at=start)] * (random.random() > 0.15)
        fares += [fare(number, at=start + minutes(apart))] * (random.random() > 0.15)
        rides += [end(number, at=start + minutes(20))]
    for rows, time in ((rides, "event_time"), (fares, "start_time")):
        rows.sort(key=lambda row, time=time: row[time] + minutes(random.randrange(10)))
    # A last pair in each stream moves the watermark past all others' time.
    rides = [rides[:120], rides[120:], [], [ride(999, at="23:00")]]
    fares = [[], fares[:50], fares[50:], [fare(999, at="23:00")]]
    return rides, fares


def alone(rides, fares):
    """Find who has no partner: what is missing for which ride, and the time of who is there."""
    starts = {e["ride_id"]: e["event_time"] for e in chain(*rides) if e["is_start"]}
    paid = {row["ride_id"]: row["start_time"] for row in chain(*fares)}
    partners = {n for n in starts.keys() & paid.keys() if abs(starts[n] - paid[n]) <= HOUR}
    without_fare = {(n, "fare"): time for n, time in starts.items() if n not in partners}
    without_ride = {(n, "ride"): time for n, time in paid.items() if n not in partners}
    return without_fare | without_ride
