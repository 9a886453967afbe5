"""Grades hourly tips by hand: the sum of each driver's tips, once for each complete hour."""

from collections import defaultdict
from datetime import timedelta
from itertools import chain

from datagen import fares as generated_fares
from trainer.rows import DRIVER, at, fare, in_order, minutes
from trainer.runs import scripted, seeded

COLUMNS = "window_end timestamp, driver_id bigint, total_tips double"
HOUR, DELAY = timedelta(hours=1), minutes(10)
LATE = fare(20, at="12:59", tip=64.0)

# The watermark in each: none, 12:50, 12:59:59.999, 13:00, 13:00:01; and 18:20 in the drain. Drivers
# change their taxis: 1 has two of them, and 2 and 3 share one.
SCRIPT = [
    [
        fare(1, at="12:05", tip=1.5),
        fare(2, at="12:30", tip=None, driver=2),
        fare(3, at="12:40", tip=0.5, driver=3, taxi=2),
        fare(4, at="12:41", tip=None, driver=3, taxi=2),
        fare(5, at="12:59:59", tip=2.0, taxi=8),
        fare(6, at="13:00", tip=4.0),
    ],
    [
        fare(7, at="13:02", tip=8.0),
        fare(8, at="12:58", tip=16.0),
        fare(11, at="13:09:59.999", tip=128.0),
    ],
    [fare(9, at="13:10", tip=1.0, driver=4)],
    [fare(10, at="13:09", tip=32.0), fare(12, at="13:10:01", tip=256.0, taxi=8)],
    [LATE, fare(21, at="18:30", driver=9)],
]

# One script with two hours, several drivers, and a fare that is late.
result = scripted(fares=SCRIPT, state_held=True)
at_once = scripted(fares=[[row for batch in SCRIPT for row in batch if row is not LATE]])


def generate(seed):
    """Make four hundred fares, out of order, in three micro-batches."""
    first = 1000 * (seed % 10_000)
    options = {"profile": "classic", "disorder": 590.0, "seed": seed}
    rows = generated_fares(first, first + 400, **options).to_pylist()
    return [rows[:150], rows[150:300], rows[300:]]


@seeded
def generated(seed):
    """These fares, with a restart on the way."""
    return {"fares": generate(seed), "restart_after": 2}


def total(result, hour_end, driver):
    """List the totals reported for a driver and an hour: one, if all is well."""
    return [
        row["total_tips"]
        for row in result.rows
        if (row["window_end"], row["driver_id"]) == (at(hour_end), DRIVER + driver)
    ]


def test_one_driver_one_tip(result):
    """A driver with one tip in an hour must have that tip as the total."""
    assert total(result, "14:00", 4) == [1.0]


def test_tips_are_added_up_by_hour(result):
    """A driver's tips must be added up hour by hour, and each hour reported once."""
    assert total(result, "13:00", 1) == [19.5]
    assert total(result, "14:00", 1) == [428.0]


def test_drivers_are_kept_apart(result):
    """Each driver must have a total of their own, and none for an hour without a fare."""
    found = {(row["window_end"], row["driver_id"] - DRIVER) for row in result.rows}
    one, two = at("13:00"), at("14:00")
    assert found == {(one, 1), (one, 2), (one, 3), (two, 1), (two, 4)}


def test_a_fare_at_a_full_hour_belongs_to_the_next(result):
    """A fare at 13:00:00 must count for the hour that ends at 14:00, not for the one before."""
    assert total(result, "13:00", 1) == [19.5]


def test_a_fare_out_of_order_counts_for_its_own_hour(result):
    """A fare of 12:58 that comes after one of 13:02 must count for the hour until 13:00."""
    assert total(result, "13:00", 1) == [19.5]


def test_a_null_tip_adds_nothing(result):
    """A null tip must add nothing, and a driver who has no other must get 0.0."""
    assert total(result, "13:00", 3) == [0.5]
    assert total(result, "13:00", 2) == [0.0]


def test_an_hour_comes_out_when_the_watermark_reaches_its_end(result):
    """An hour must come out in the first micro-batch whose watermark is at or past its end."""
    assert result.watermarks[3] == at("13:00")
    assert [len(batch) for batch in result.batches] == [0, 0, 0, 3, 0, 2]


def test_the_next_hour_stays_open_when_one_is_complete(result):
    """What came for the hour until 14:00 must still be there after 13:00 was reported."""
    assert total(result, "14:00", 1) == [428.0]


def test_a_late_fare_changes_nothing(result):
    """A fare that comes after its hour was reported must give no second row for it."""
    assert total(result, "13:00", 1) == [19.5]


def test_state_holds_open_hours_only(result):
    """State must hold the open hours, and nothing of those that were reported."""
    # First four are open, then two, and in the end one, with its timer.
    assert result.state_rows[0] <= 4
    assert result.state_rows[3] <= 2
    assert result.state_held.elements <= 1
    assert result.state_held.timers <= 1


def test_the_totals_are_the_same_however_fares_are_split(at_once, result):
    """All fares in one micro-batch must give the same totals."""
    assert at_once.sorted() == result.sorted()


def test_generated_fares_agree_with_plain_python(generated, seed):
    """Four hundred generated fares must give the totals of a loop in plain Python."""
    assert generated.sorted() == in_order([*chain(*by_hand(generate(seed)))])


def test_each_total_comes_in_its_own_micro_batch_after_a_restart_too(generated, seed):
    """Each hour must come as early as it can, even if the query was stopped and started again."""
    came = [in_order(batch) for batch in generated.batches]
    assert came == [in_order(batch) for batch in by_hand(generate(seed))]


def by_hand(batches):
    """Say what comes out of each micro-batch, the one of the drain included."""
    totals = defaultdict(float)
    for row in chain(*batches):
        hour = row["start_time"].replace(minute=0, second=0, microsecond=0)
        totals[hour + HOUR, row["driver_id"]] += row["tip"]
    newest = [max(row["start_time"] for row in batch) for batch in batches]
    marks = [None] + [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    out = [[] for _ in marks]
    for (hour_end, driver), tips in totals.items():
        n = next((n for n, mark in enumerate(marks) if mark and mark >= hour_end), None)
        if n is not None:
            out[n].append({"window_end": hour_end, "driver_id": driver, "total_tips": tips})
    return out
