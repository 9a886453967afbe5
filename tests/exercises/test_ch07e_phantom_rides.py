"""Grades phantom rides: three short rides of a driver in a row, within half an hour."""

from collections import defaultdict
from datetime import timedelta
from itertools import chain
from random import Random

from trainer.rows import DRIVER, TAXI, at, end, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "driver_id bigint, first_ride bigint, second_ride bigint, third_ride bigint, "
    "event_time timestamp"
)
DELAY, MINUTE, HALF_HOUR = minutes(10), minutes(1), minutes(30)


def trip(number, clock, driver, seconds=30):
    """Make both events of a ride, of half a minute unless told."""
    stop = at(clock) + timedelta(seconds=seconds)
    return [ride(number, at=clock, driver=driver), end(number, at=stop, driver=driver)]


def in_taxi(taxi, rows):
    """Put these events into another taxi."""
    return [row | {"taxi_id": TAXI + taxi} for row in rows]


LATE = end(223, at="12:35:30", driver=22)
# Drivers 1 to 15 and 20 to 29 have a case each; driver 99 only makes time pass. The watermark in
# each: none, 12:40, 12:50, 13:00, 13:00; and 13:30 in the drain.
SCRIPT = [
    [
        *[*in_taxi(31, trip(11, "12:00", 1)), *trip(12, "12:05", 1), *trip(13, "12:10", 1)],
        *[*trip(21, "12:00", 2), *trip(22, "12:05", 2, 60), *trip(23, "12:10", 2)],
        *trip(24, "12:15", 2),
        *[*trip(31, "12:00:00.500", 3, 59.999), *trip(32, "12:05", 3), *trip(33, "12:10", 3)],
        *[*trip(41, "12:00", 4), *trip(42, "12:15", 4), *trip(43, "12:29:30", 4)],
        *[*trip(51, "12:00", 5), *trip(52, "12:15", 5), *trip(53, "12:29:30", 5, 30.001)],
        *trip(54, "12:31", 5),
        *[*trip(61, "12:00", 6), *trip(62, "12:05", 6), *trip(63, "12:10", 6, 300)],
        *[*trip(64, "12:16", 6), *trip(65, "12:18", 6), *trip(66, "12:20", 6)],
        *chain(*[trip(71 + n, f"12:{2 * n:02}", 7) for n in range(6)]),
        *chain(*[trip(81 + n, f"12:{2 * n:02}", 8) for n in range(5)]),
        *[*trip(91, "12:00", 9), *trip(92, "12:05", 9), ride(93, at="12:10", driver=9)],
        *trip(94, "12:10:30", 9),
        *[*trip(101, "12:00", 10), *trip(102, "12:05", 10), end(104, at="12:07", driver=10)],
        *trip(103, "12:10", 10),
        *[*trip(111, "12:00", 11), *trip(112, "12:05", 11), ride(113, at="12:10", driver=11)],
        end(114, at="12:10:30", driver=11),
        *[*trip(121, "12:00", 12), *trip(122, "12:05", 12), *in_taxi(12, trip(131, "12:03", 13))],
        *[*trip(143, "12:00", 14), *trip(141, "12:05", 14), *trip(142, "12:10", 14)],
        *[ride(151, at="12:00", driver=15), *trip(152, "12:00:20", 15), *trip(153, "12:02", 15)],
        *trip(154, "12:04", 15),
        *[*trip(201, "12:30", 20), *trip(202, "12:34", 20), *trip(203, "12:39:30", 20)],
        *[*trip(211, "12:30", 21), *trip(212, "12:34", 21), *trip(213, "12:39:30", 21, 30.001)],
        *[*trip(221, "12:30", 22), *trip(222, "12:32", 22), ride(223, at="12:35", driver=22)],
        *[end(231, at="12:20:30", driver=23), *trip(233, "12:28", 23)],
        *[*trip(241, "12:41", 24), *trip(242, "12:42", 24)],
        *[*trip(251, "12:43", 25), *trip(252, "12:45", 25)],
        *[*trip(261, "12:46", 26), *trip(262, "12:48", 26), ride(271, at="12:44", driver=27)],
        *[*trip(281, "12:00", 28), *trip(282, "12:20", 28), *trip(283, "12:32", 28)],
        ride(990, at="12:50", driver=99),
    ],
    [
        *[*trip(232, "12:25", 23), ride(231, at="12:20", driver=23)],
        *[*trip(253, "12:53", 25), *trip(291, "12:57", 29), *trip(292, "12:58", 29)],
        ride(991, at="13:00", driver=99),
    ],
    [LATE, *trip(243, "12:43", 24), *trip(284, "12:45", 28), ride(992, at="13:10", driver=99)],
    [],
    [ride(993, at="13:40", driver=99)],
]
ON_TIME = [row for batch in SCRIPT for row in batch if row is not LATE]

# One script with everything in it: each test looks at its own drivers.
result = scripted(rides=SCRIPT, state_held=True)
backwards = scripted(rides=[ON_TIME[::-1]])


def generate(seed):
    """Make two hundred rides of five drivers, most of them short, some without START or END."""
    random, events = Random(seed), []
    for driver in range(1, 6):
        clock = at("08:00")
        for number in range(40):
            stop = clock + timedelta(seconds=random.choice([20, 35, 40, 50, 59, 60, 61, 400]))
            who = {"driver": driver}
            both = [
                ride(100 * driver + number, at=clock, **who),
                end(100 * driver + number, at=stop, **who),
            ]
            lost = random.choices([None, 0, 1], [18, 1, 1])[0]
            events += in_taxi(random.randrange(5), [both[n] for n in (0, 1) if n != lost])
            clock = stop + timedelta(seconds=random.randrange(1, random.choice([60, 900])))
    events.sort(key=lambda event: event["event_time"] + timedelta(seconds=random.randrange(600)))
    last = ride(999, at="23:00", driver=9)
    return [events[:120], events[120:240], [*events[240:], last]]


@seeded
def generated(seed):
    """These rides, with a restart on the way."""
    return {"rides": generate(seed), "restart_after": 2}


def of(result, driver):
    """List the rides of each alert about a driver."""
    names = ("first_ride", "second_ride", "third_ride")
    rows = [row for row in result.rows if row["driver_id"] == DRIVER + driver]
    return sorted(tuple(row[name] for name in names) for row in rows)


def test_three_short_rides_are_an_alert(result):
    """Three short rides of a driver in a row must be an alert, even if they change their taxi."""
    assert of(result, 1) == [(11, 12, 13)]


def test_an_alert_has_the_time_of_the_third_end(result):
    """`event_time` must be the END of the third ride."""
    times = {row["driver_id"] - DRIVER: row["event_time"] for row in result.rows}
    assert (times[1], times[4]) == (at("12:10:30"), at("12:30"))


def test_a_minute_is_not_short(result):
    """A ride of exactly a minute must not count as short; one of a millisecond less must."""
    assert of(result, 2) == []
    assert of(result, 3) == [(31, 32, 33)]


def test_half_an_hour_is_not_too_long(result):
    """From the START of the first to the END of the third it may be exactly half an hour."""
    assert of(result, 4) == [(41, 42, 43)]


def test_more_than_half_an_hour_is_too_long(result):
    """A millisecond more than half an hour must be no alert; the second and the third may be the
    beginning of another."""
    assert of(result, 5) == [(52, 53, 54)]
    assert of(result, 28) == [(282, 283, 284)]


def test_a_longer_ride_in_between_is_no_row(result):
    """With a longer ride between them, short rides must not count together; behind it a new row
    must begin."""
    assert of(result, 6) == [(64, 65, 66)]


def test_no_ride_is_in_two_alerts(result):
    """Six short rides must be two alerts, and five must be one: no ride may be in two of them."""
    assert of(result, 7) == [(71, 72, 73), (74, 75, 76)]
    assert of(result, 8) == [(81, 82, 83)]


def test_a_start_without_an_end_is_a_longer_ride(result):
    """A START whose END never comes must count as a longer ride, even if the next START comes
    within the minute."""
    assert of(result, 9) == of(result, 11) == []
    assert of(result, 15) == [(152, 153, 154)]


def test_an_end_belongs_to_its_own_start(result):
    """An END of another ride must not be taken for the END of the one that is under way."""
    assert of(result, 11) == []


def test_an_end_without_a_start_is_nothing(result):
    """An END whose START never comes must neither count nor break a row."""
    assert of(result, 10) == [(101, 102, 103)]


def test_drivers_are_kept_apart(result):
    """Rides of two drivers must not count together, even in the same taxi."""
    assert of(result, 12) == of(result, 13) == []


def test_the_rides_are_in_the_order_of_time(result):
    """The three must be in the order of time, whatever their ids."""
    assert of(result, 14) == [(143, 141, 142)]


def test_arrival_does_not_matter(result):
    """Rides must be taken in the order of event time, even if a ride, or the START of one, comes
    micro-batches after a later one."""
    assert of(result, 23) == [(231, 232, 233)]
    assert of(result, 24) == [(241, 242, 243)]


def test_an_alert_comes_when_the_watermark_reaches_its_end(result):
    """An alert must come in the first micro-batch whose watermark is at or past the third END."""
    drivers = [sorted(row["driver_id"] - DRIVER for row in batch) for batch in result.batches]
    assert drivers[1] == [1, 3, 4, 5, 6, 7, 7, 8, 10, 14, 15, 20, 23]
    assert [drivers[0], *drivers[2:]] == [[], [21, 24, 28], [25], [], []]


def test_a_late_event_changes_nothing(result):
    """An END at or before the watermark of the micro-batch before its own must be as if it had
    never come."""
    assert of(result, 22) == []


def test_state_ends(result):
    """Once the watermark is half an hour past a driver's last event, nothing of them must be kept:
    no event, no ride under way, no short ride."""
    # In the end the last START of driver 99 waits.
    assert result.state_held.elements <= 3


def test_no_timer_is_left(result):
    """Once the watermark is half an hour past a driver's last event, no timer must be left."""
    assert result.state_held.timers <= 6


def test_the_alerts_are_the_same_however_events_are_split(backwards, result):
    """All events in one micro-batch, backwards, must give the same alerts."""
    assert backwards.sorted() == result.sorted()


def test_generated_rides_agree_with_plain_python(generated, seed):
    """Two hundred generated rides must give the alerts of a loop in plain Python."""
    expected = in_order([*chain(*by_hand(generate(seed)))])
    assert generated.sorted() == expected
    assert expected


def test_each_alert_comes_in_its_own_micro_batch_after_a_restart_too(generated, seed):
    """Each alert must come as early as it can, even if the query was stopped and started again."""
    came = [in_order(batch) for batch in generated.batches]
    assert came == [in_order(batch) for batch in by_hand(generate(seed))]


def by_hand(batches):
    """Say what comes out of each micro-batch, the one of the drain included."""
    newest = [max(event["event_time"] for event in batch) for batch in batches]
    marks = [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    starts = {row["ride_id"]: row for row in chain(*batches) if row["is_start"]}
    stops = {row["ride_id"]: row["event_time"] for row in chain(*batches) if not row["is_start"]}
    out, rows = [[] for _ in [None, *marks]], defaultdict(list)
    for start in in_order(starts.values(), "event_time"):
        row, stop = rows[start["driver_id"]], stops.get(start["ride_id"])
        if stop is None or stop - start["event_time"] >= MINUTE:
            row.clear()
            continue
        row.append(start)
        if len(row) >= 3 and stop - row[-3]["event_time"] <= HALF_HOUR:
            ids = [each["ride_id"] for each in row[-3:]]
            names = ("first_ride", "second_ride", "third_ride")
            alert = {"driver_id": start["driver_id"], **dict(zip(names, ids, strict=True))}
            n = next((n for n, mark in enumerate(marks, 1) if mark >= stop), None)
            if n is not None:
                out[n].append(alert | {"event_time": stop})
            row.clear()
    return out
