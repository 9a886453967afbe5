"""Grades inspecting: a query's state, asked for micro-batch by micro-batch, stopped and running."""

from datetime import timedelta
from itertools import accumulate, pairwise
from random import Random

from trainer.rows import DAY, DRIVER, at, end, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "driver_id bigint, since timestamp"

NEXT_DAY = at("09:00") + timedelta(days=1)
# The watermark is ten minutes behind the latest event of the micro-batches before.
RIDES = [
    [ride(1, at="12:00:00.250"), ride(2, driver=2, at="12:05")],
    [end(1, at="12:50"), end(2, driver=2, at="12:20")],
    [ride(3, driver=3, at="13:40")],
    # 13:30: driver 2 is off duty.
    [ride(4, driver=3, at="13:45")],
    [],
    [ride(5, driver=2, at="14:10")],
    # 14:00: driver 1 is off duty.
    [end(4, driver=3, at="14:15")],
    [ride(6, driver=4, at=NEXT_DAY)],
    # 08:50: all but driver 4 are off duty, and driver 1, who has been for long, is forgotten.
    [ride(7, driver=4, at=NEXT_DAY + minutes(5))],
    [ride(8, driver=5, at=NEXT_DAY + minutes(10)), ride(9, driver=1, at=NEXT_DAY + minutes(9))],
    [ride(10, driver=6, at=NEXT_DAY + minutes(20))],
]
TWO = {1: at("12:00:00.250"), 2: at("12:05")}
MORNING = {4: NEXT_DAY, 1: NEXT_DAY + minutes(9), 5: NEXT_DAY + minutes(10)}
ON_DUTY = [
    TWO,
    TWO,
    TWO | {3: at("13:40")},
    {1: at("12:00:00.250"), 3: at("13:40")},
    {1: at("12:00:00.250"), 3: at("13:40")},
    {1: at("12:00:00.250"), 3: at("13:40"), 2: at("14:10")},
    {3: at("13:40"), 2: at("14:10")},
    {3: at("13:40"), 2: at("14:10"), 4: NEXT_DAY},
    {4: NEXT_DAY},
    MORNING,
    MORNING | {6: NEXT_DAY + minutes(20)},
]

past = scripted(role="reader", rides=RIDES[:9])
now = scripted(role="reader", running=True, rides=RIDES)
# The second of two hours that are both called one o'clock in New York: its summer time ends.
FALL = DAY + timedelta(days=305, hours=6, minutes=30)
autumn = scripted(role="reader", rides=[[ride(1, at=FALL)]])
nobody = scripted(role="reader", rides=[[], RIDES[0]])


@seeded
def generated(seed):
    """Half a day of generated events, in five micro-batches."""
    return {"role": "reader", "rides": rides_of(seed)}


def rides_of(seed):
    """Make events of six drivers, each a few minutes after the one before, to the millisecond."""
    random = Random(seed)
    times = accumulate(random.randrange(1, 20 * 60_000) for _ in range(60))
    rides = [
        ride(number, driver=random.randint(1, 6), at=DAY + timedelta(milliseconds=time))
        for number, time in enumerate(times)
    ]
    return [rides[n : n + 12] for n in range(0, 60, 12)]


def rows(drivers):
    """Give the rows of drivers by number, each with the time since when."""
    return in_order([{"driver_id": DRIVER + n, "since": since} for n, since in drivers.items()])


def worked_out(batches):
    """Work out, without any state, who is on duty after each micro-batch."""
    events, shown = [], []
    for batch in batches:
        # The watermark moves between micro-batches, so it knows those before this one.
        until = max((row["event_time"] for row in events), default=DAY) - minutes(10)
        events += batch
        times = {}
        for row in events:
            times.setdefault(row["driver_id"] - DRIVER, []).append(row["event_time"])
        there = {driver: since(each, batches, until) for driver, each in times.items()}
        shown.append(rows({driver: time for driver, time in there.items() if time}))
    return shown


def since(times, batches, until):
    """Give when the last duty began of a driver with these events; None if it is over."""
    if times[-1] + minutes(60) <= until:
        return None
    began = times[0]
    for before, after in pairwise(times):
        if before + minutes(60) <= watermark_before(after, batches):
            began = after
    return began


def watermark_before(time, batches):
    """Give the latest watermark that a query has acted on before an event is handled."""
    number = next(n for n, batch in enumerate(batches) if batch[-1]["event_time"] >= time)
    # What comes with a micro-batch is handled before its timers.
    ends = [batch[-1]["event_time"] for batch in batches[: max(number - 1, 0)]]
    return ends[-1] - minutes(10) if ends else DAY


def test_who_has_come_is_on_duty(past):
    """A driver must be there after the micro-batch of his first event, with the time of it."""
    assert past.batches[0] == rows(ON_DUTY[0])


def test_further_events_change_nothing(past):
    """A driver's later events must not change since when he is on duty."""
    assert past.batches[1] == rows(ON_DUTY[1])


def test_who_is_off_duty_is_not_there(past):
    """A driver who is off duty must not be there, though he is still in state."""
    assert past.batches[3] == rows(ON_DUTY[3])


def test_a_micro_batch_without_rows_counts_too(past):
    """After a micro-batch that brought nothing, those must be there who were there before."""
    assert past.batches[4] == rows(ON_DUTY[4])


def test_who_comes_back_is_on_duty_anew(past):
    """A driver who comes back must be there since the first event after his break."""
    assert past.batches[5] == rows(ON_DUTY[5])


def test_each_micro_batch_has_its_own_answer(past):
    """Asked for a micro-batch by its number, you must give who was on duty after that one."""
    assert past.batches == [rows(each) for each in ON_DUTY[:9]]


def test_nobody_on_duty_is_a_table_without_rows(nobody):
    """While nobody is on duty, the table must have no rows."""
    assert nobody.batches == [[], rows(TWO)]


def test_without_a_number_it_is_the_last_committed_one(now):
    """Asked without a number while the query runs, you must give who was on duty after the last
    micro-batch that is committed."""
    assert now.batches[:9] == [rows(each) for each in ON_DUTY[:9]]


def test_micro_batch_ten_comes_after_nine(now):
    """Asked without a number once the query has stopped, you must give who was on duty after its
    last micro-batch, also where there are more than ten."""
    assert now.batches[9:] == [rows(each) for each in ON_DUTY[9:]]


def test_a_moment_is_the_same_in_every_time_zone(autumn):
    """`since` must be the moment itself, whatever the session's time zone is: also in the hour that
    comes twice in a zone, when its summer time ends."""
    assert autumn.batches == [rows({1: FALL})]


def test_generated_drivers(generated, seed):
    """After each of five generated micro-batches the right drivers must be there."""
    assert generated.batches == worked_out(rides_of(seed))
