"""Grades the upgrade: hours that version one began, told by version two."""

from itertools import chain

from datagen import fares as generated_fares
from trainer.rows import DRIVER, at, fare, in_order, minutes
from trainer.runs import scripted, seeded

COLUMNS = (
    "window_end timestamp, driver_id bigint, fares bigint, total double, tips double, "
    "best_ride bigint"
)
HOUR, DELAY = minutes(60), minutes(10)
# What may be kept of one hour: a value for each column, and one or two to work with.
MOST = 6
# How version one's checkpoint came to be.
BEGUN = {"upgraded_from": "ch08b_upgrade", "state_encoding": "avro"}

# The watermark in each: none, 12:00, 12:10, 12:21, 12:59:59.999, 13:00, 13:00, and 15:20 in the
# drain. Version one counts what is in the first two. Drivers change their taxis.
SCRIPT = [
    [
        fare(1, at="12:05", total=10.0, tip=1.0),
        fare(2, at="12:10", total=32.0, tip=2.0),
        fare(3, at="12:08", total=8.0, driver=2, taxi=3),
    ],
    [
        fare(4, at="12:20", total=40.0, tip=0.5, taxi=8),
        fare(5, at="12:12", total=16.0, tip=None, driver=3, taxi=2),
    ],
    [
        fare(6, at="12:25", total=64.0, tip=4.0),
        fare(7, at="12:24", total=32.0, tip=1.0, driver=4, taxi=1),
        fare(8, at="12:31", total=4.0, tip=None, driver=3, taxi=2),
        fare(9, at="12:26", total=0.0, tip=None, driver=5),
        fare(23, at="12:27", total=5.0, tip=8.0, driver=6, taxi=4),
    ],
    [
        fare(11, at="12:40", total=48.0, tip=0.25, driver=4, taxi=1),
        fare(12, at="12:59:59.999", total=1.0, tip=32.0),
        fare(13, at="13:00", total=2.0, tip=16.0),
        fare(10, at="12:50", total=48.0, tip=None, driver=4),
        fare(14, at="13:09:59.999", total=6.0, tip=64.0, driver=2),
    ],
    [fare(15, at="13:10", total=7.0, tip=2.0, driver=4)],
    [
        fare(16, at="13:04", total=9.0, tip=0.25),
        fare(17, at="13:02", total=9.0, tip=0.5, taxi=8),
    ],
    [fare(18, at="15:30", driver=9)],
]
FIRST, REST = SCRIPT[:2], SCRIPT[2:]

result = scripted(fares=SCRIPT, upgraded_after=2, state_held=True, **BEGUN)
later = scripted(fares=SCRIPT, upgraded_after=5, **BEGUN)
restarted = scripted(fares=SCRIPT, upgraded_after=2, restart_after=4, **BEGUN)
anew = scripted(fares=SCRIPT)
# Up to the watermark, so that nothing comes too late when all of it comes together.
together = scripted(fares=[*FIRST, [*chain(*REST[:-1])], REST[-1]], upgraded_after=2, **BEGUN)
# Hours that stay open: one that version one began, one of equal fares, one in which each is larger.
MANY = range(1, 25)
EQUAL = [fare(100 + n, at="12:05", driver=2) for n in MANY]
LARGER = [fare(200 + n, at="12:05", driver=3, total=float(n), tip=n / 2) for n in MANY]
open_hours = scripted(
    fares=[
        [fare(n, at="12:05") for n in MANY],
        [*(fare(50 + n, at="12:05") for n in MANY), *EQUAL, *LARGER],
    ],
    upgraded_after=1,
    state_held=True,
    **BEGUN,
)


def generate(seed):
    """Make three hundred fares, out of order, in four micro-batches."""
    first = 1000 * (seed % 10_000)
    options = {"profile": "classic", "disorder": 590.0, "seed": seed}
    rows = generated_fares(first, first + 300, **options).to_pylist()
    return [rows[:75], rows[75:150], rows[150:225], rows[225:]]


@seeded
def generated(seed):
    """These fares, with the upgrade in the middle of an hour or not, as it comes."""
    return {"fares": generate(seed), "upgraded_after": 2, **BEGUN}


def told(result, window_end, driver):
    """List what was told of a driver's hour: one row, if all is well."""
    return [
        (row["fares"], row["total"], row["tips"], row["best_ride"])
        for row in result.rows
        if (row["window_end"], row["driver_id"]) == (at(window_end), DRIVER + driver)
    ]


def sums(result, window_end, driver):
    """List what version one would have told of a driver's hour."""
    return [row[:2] for row in told(result, window_end, driver)]


def news(result, window_end, driver):
    """List what only version two tells of a driver's hour."""
    return [row[2:] for row in told(result, window_end, driver)]


def test_what_version_one_counted_counts(result):
    """An hour that version one began must be told with its fares and with those that came after."""
    assert sums(result, "13:00", 1) == [(5, 147.0)]
    assert sums(result, "13:00", 3) == [(2, 20.0)]


def test_an_hour_without_a_fare_after_the_upgrade_is_told(result):
    """An hour whose fares version one has all counted must be told, as version one left it."""
    assert sums(result, "13:00", 2) == [(1, 8.0)]


def test_an_hour_that_began_after_the_upgrade_is_whole(result):
    """An hour whose first fare came after the upgrade must have its tips and its best ride."""
    assert told(result, "13:00", 6) == [(1, 5.0, 8.0, 23)]
    assert sums(result, "13:00", 4) == [(3, 128.0)]


def test_tips_are_added_up(result):
    """The tips of an hour must be added up; a null tip adds nothing."""
    assert [tips for tips, _ in news(result, "13:00", 4)] == [1.25]


def test_only_null_tips_are_nothing(result):
    """A driver whose only tips in an hour are null must have tips of 0.0, not null."""
    assert [tips for tips, _ in news(result, "13:00", 5)] == [0.0]


def test_half_a_sum_is_not_told(result):
    """The tips of an hour that version one began must be null: it hasn't noted those it saw."""
    assert [tips for tips, _ in news(result, "13:00", 1)] == [None]
    assert [tips for tips, _ in news(result, "13:00", 3)] == [None]


def test_the_best_of_the_rest_is_not_told(result):
    """The best ride of an hour that version one began must be null: a better one may be before."""
    assert [best for _, best in news(result, "13:00", 1)] == [None]
    assert [best for _, best in news(result, "13:00", 3)] == [None]


def test_an_hour_that_version_one_counted_alone_has_no_news(result):
    """An hour without a fare after the upgrade must have null for tips and best ride."""
    assert news(result, "13:00", 2) == [(None, None)]


def test_the_best_ride_is_that_of_the_largest_fare(result):
    """The best ride must be that of the largest fare; of equal ones the smallest number."""
    assert [best for _, best in news(result, "13:00", 4)] == [10]
    assert [best for _, best in news(result, "14:00", 1)] == [16]


def test_a_fare_of_nothing_may_be_the_largest(result):
    """An hour that brought nothing but fares of 0.0 must have a best ride as well."""
    assert [best for _, best in news(result, "13:00", 5)] == [9]


def test_a_driver_whom_version_one_knew_has_news_in_the_next_hour(result):
    """The next hour of a driver whom version one knew must have its tips and its best ride."""
    assert told(result, "14:00", 1) == [(3, 20.0, 16.75, 16)]
    assert told(result, "14:00", 2) == [(1, 6.0, 64.0, 14)]


def test_a_fare_at_a_full_hour_belongs_to_the_next(result):
    """A fare at 13:00:00 must count for the hour until 14:00, one just before for that before."""
    assert sums(result, "13:00", 1) == [(5, 147.0)]
    assert sums(result, "14:00", 1) == [(3, 20.0)]


def test_drivers_are_kept_apart(result):
    """Each driver must have rows of their own, whichever taxi they drove, and one for each hour."""
    found = [(row["window_end"], row["driver_id"] - DRIVER) for row in result.rows]
    one, two = at("13:00"), at("14:00")
    noon = [(one, driver) for driver in range(1, 7)]
    assert sorted(found) == [*noon, *((two, driver) for driver in (1, 2, 4))]


def test_an_hour_comes_out_when_the_watermark_reaches_its_end(result):
    """An hour must come out in the first micro-batch whose watermark is at or past its end."""
    assert result.watermarks[4:6] == [at("12:59:59.999"), at("13:00")]
    assert [len(batch) for batch in result.batches] == [0, 0, 0, 0, 0, 6, 0, 3]


def test_an_upgrade_after_all_fares_of_an_hour_keeps_its_sums(later):
    """Hours of which version one has counted every fare must be told by version two as well."""
    assert told(later, "13:00", 1) == [(5, 147.0, None, None)]
    assert told(later, "13:00", 4) == [(3, 128.0, None, None)]


def test_hours_that_are_open_are_those_that_it_began(later):
    """What version one has counted decides, hour by hour: a driver may have hours of both kinds."""
    assert told(later, "14:00", 1) == [(3, 20.0, None, None)]
    assert [len(batch) for batch in later.batches] == [0, 0, 0, 0, 0, 6, 0, 3]


def test_an_hour_that_was_told_is_forgotten(result):
    """An hour that was told must be forgotten: where one is open, of one driver, state must hold
    that one, and one timer."""
    assert result.state_held.elements <= MOST
    assert result.state_held.timers <= 1


def test_what_is_kept_does_not_grow(open_hours):
    """State must not grow with the fares of an hour, nor hold on to ids that version one kept."""
    assert open_hours.state_held.elements <= 3 * MOST
    assert open_hours.state_held.timers <= 3


def test_it_goes_on_from_its_own_checkpoint(restarted, result):
    """Stopped and started again, version two must go on as if nothing had happened."""
    assert restarted.sorted() == result.sorted()


def test_it_begins_anew_where_there_was_no_version_one(anew):
    """Without a checkpoint of version one, every hour must have its tips and its best ride."""
    assert told(anew, "13:00", 1) == [(5, 147.0, 39.5, 6)]
    assert told(anew, "13:00", 2) == [(1, 8.0, 2.0, 3)]
    assert told(anew, "13:00", 3) == [(2, 20.0, 0.0, 5)]


def test_hours_are_the_same_however_fares_are_split(together, result):
    """All that comes after the upgrade in one micro-batch must give the same rows."""
    assert together.sorted() == result.sorted()


def test_generated_fares_agree_with_plain_python(generated, seed):
    """Three hundred generated fares must give what a loop in plain Python gives, in its turn."""
    came = [in_order(batch) for batch in generated.batches]
    # What version one told is its own affair.
    assert came[2:] == [in_order(batch) for batch in by_hand(generate(seed), upgraded=2)[2:]]


def by_hand(batches, upgraded):
    """Say what comes out of each micro-batch, the one of the drain included."""
    hours = {}
    for number, batch in enumerate(batches):
        for row in batch:
            hour = row["start_time"].replace(minute=0, second=0, microsecond=0)
            hours.setdefault((hour + HOUR, row["driver_id"]), []).append((number, row))
    newest = [max(row["start_time"] for row in batch) for batch in batches]
    marks = [None] + [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    out = [[] for _ in marks]
    for (window_end, driver), there in hours.items():
        n = next((n for n, mark in enumerate(marks) if mark and mark >= window_end), None)
        if n is not None:
            known = all(number >= upgraded for number, _ in there)
            rows = [row for _, row in there]
            best = min(rows, key=lambda row: (-row["total_fare"], row["ride_id"]))
            out[n].append(
                {
                    "window_end": window_end,
                    "driver_id": driver,
                    "fares": len(rows),
                    "total": sum(row["total_fare"] for row in rows),
                    "tips": sum(row["tip"] or 0.0 for row in rows) if known else None,
                    "best_ride": best["ride_id"] if known else None,
                }
            )
    return out
