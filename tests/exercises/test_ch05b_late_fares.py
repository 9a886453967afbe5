"""Grades the late fares: the totals of each hour, and what came too late for them."""

from collections import Counter
from datetime import timedelta

from datagen import fares
from trainer.rows import at, fare, in_order
from trainer.runs import scripted, seeded

COLUMNS = {
    "totals": "window_end timestamp, total_tips double",
    "late": "ride_id bigint, taxi_id bigint, driver_id bigint, start_time timestamp, "
    "payment_type string, tip float, tolls float, total_fare float",
}
HOUR, DELAY = timedelta(hours=1), timedelta(minutes=10)
# Each tip is another power of two, so that a total tells which fares are in it. The watermark of
# each micro-batch stands beside it.
SCRIPT = [
    # none yet
    [
        fare(1, at="12:05", tip=1),
        fare(2, at="12:20", tip=2, driver=2),
        fare(10, at="13:09:59", tip=512, driver=2),
    ],
    # 12:59:59
    [fare(3, at="13:10", tip=4, driver=3)],
    # 13:00
    [fare(4, at="12:50", tip=8, driver=4)],
    # 13:00
    [
        fare(5, at="12:59", tip=16, driver=5, payment=None, tolls=None, total=None),
        fare(11, at="12:59:59", tip=1024, driver=5),
        fare(6, at="15:05", tip=32, driver=6),
    ],
    # 14:55
    [],
    # 14:55
    [
        fare(7, at="13:30", tip=64, driver=7),
        fare(7, at="13:30", tip=64, driver=7),
        fare(8, at="14:02", tip=128, driver=8),
        fare(12, at="14:00", tip=2048, driver=8),
        fare(13, at="11:30", tip=4096, driver=8),
        fare(9, at="17:09:59.999", tip=256, driver=9),
    ],
    # 16:59:59.999
    [fare(14, at="17:10", tip=8192, driver=9)],
    # 17:00, the end of an hour of which no fare has come
    [],
    # 17:00
    [fare(15, at="16:30", tip=16384, driver=4)],
]

# One script with everything in it.
result = scripted(fares=SCRIPT, state_held=True)


def script_of(seed):
    """Fares of seven hours, some of them hours late, and one that completes the last hour."""
    late = {"profile": "classic", "seed": seed, "disorder": 500, "late": 0.2, "late_by": 9000}
    first = 300 * (seed % 1000)
    rows = fares(first, first + 1200, **late).to_pylist()
    cut = 250 + seed % 50
    last = max(row["start_time"] for row in rows) + timedelta(hours=2)
    return [rows[:cut], rows[cut:600], [], [*rows[600:], fare(1, at=last, tip=0)]]


@seeded
def generated(seed):
    """These fares, stopped after the second micro-batch and started again."""
    return {"fares": script_of(seed), "restart_after": 2}


def hour_end(row):
    """Give the end of the full hour in which a fare's ride started."""
    return row["start_time"].replace(minute=0, second=0, microsecond=0) + HOUR


def split(script):
    """Give, in plain Python, the fares that are counted and those that are late."""
    counted, late, before, watermark, newest = [], [], None, None, None
    for batch in script:
        for row in batch:
            is_late = before is not None and hour_end(row) <= before
            (late if is_late else counted).append(row)
        newest = max([row["start_time"] for row in batch] + [newest] * (newest is not None))
        before, watermark = watermark, newest - DELAY
    return counted, late


def ids(result):
    """Give the numbers of the late fares, in order."""
    return sorted(result["late"].column("ride_id"))


def totals(result):
    """Give the totals as (hour of the day at the window's end, sum)."""
    rows = result["totals"].sorted("window_end")
    return [(row["window_end"].hour, row["total_tips"]) for row in rows]


def test_the_tips_of_each_hour_are_added_up(result):
    """Each hour must come once: its end, and the sum of its tips."""
    assert [hour for hour, _ in totals(result)] == [13, 14, 15, 16]
    assert totals(result)[1] == (14, 516.0)


def test_an_hour_comes_out_when_it_is_complete(result):
    """An hour must come out in the first micro-batch whose watermark is at or past its end."""
    ends = [sorted(row["window_end"] for row in batch) for batch in result["totals"].batches]
    one, two, three, four = map(at, ("13:00", "14:00", "15:00", "16:00"))
    assert ends == [[], [], [one], [], [two], [], [three, four], [], []]


def test_a_late_fare_is_handed_out(result):
    """A fare whose hour is out must be among the late ones, and not in a total."""
    assert 5 in ids(result)
    assert totals(result)[0][1] < 16


def test_a_late_fare_comes_with_all_its_columns(result):
    """A late fare must come out as it came: all its columns, nulls and time too."""
    assert [row for row in result["late"].rows if row["ride_id"] == 5] == SCRIPT[3][:1]


def test_a_fare_that_still_counts_is_not_late(result):
    """A fare behind only the watermark of its own micro-batch must be counted: it is not late."""
    assert totals(result)[0] == (13, 11.0)
    assert 4 not in ids(result)


def test_a_fare_of_an_open_hour_is_not_late(result):
    """A fare behind the watermark must be counted while its hour is open: it is not late."""
    assert totals(result)[2] == (15, 2176.0)
    assert 8 not in ids(result)


def test_a_fare_is_late_after_a_micro_batch_without_fares(result):
    """A fare must be late if its hour ended by a watermark of a micro-batch without fares."""
    assert 7 in ids(result)


def test_a_fare_is_late_also_if_its_hour_had_no_other(result):
    """A fare must be late once its hour is over, even if no other fare of that hour ever came."""
    assert 15 in ids(result)


def test_a_late_fare_that_comes_twice_is_handed_out_twice(result):
    """A late fare that came twice must be among the late ones twice."""
    assert ids(result).count(7) == 2


def test_no_fare_is_lost_and_none_is_in_both(result):
    """Each fare must be in the total of its hour or among the late ones, and never in both."""
    assert ids(result) == [5, 7, 7, 11, 13, 15]
    assert totals(result) == [(13, 11.0), (14, 516.0), (15, 2176.0), (16, 32.0)]


def test_nothing_is_lost_by_a_stop_and_a_restart(generated, seed):
    """After a stop and a restart, too, every fare must be in a total or among the late ones."""
    tips = sum(row["tip"] for batch in script_of(seed) for row in batch)
    counted = sum(generated["totals"].column("total_tips"))
    assert counted + sum(generated["late"].column("tip")) == tips


def test_state_stays_small(result):
    """In the end state must hold no more than one open hour, and a watermark."""
    held = [each.state_held for each in result.values()]
    assert all(each.elements <= 3 and each.timers <= 3 for each in held)


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Seven hours of generated fares must be split and added up as in plain Python."""
    counted, late = split(script_of(seed))
    sums = Counter()
    for row in counted[:-1]:
        sums[hour_end(row)] += row["tip"]
    assert {row["window_end"]: row["total_tips"] for row in generated["totals"].rows} == sums
    assert generated["late"].sorted("ride_id") == in_order(late, "ride_id")
