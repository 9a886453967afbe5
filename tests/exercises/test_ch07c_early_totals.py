"""Grades early totals: an hour's tips early, on time, and again with every late fare."""

from collections import defaultdict
from itertools import chain, pairwise
from random import Random

from datagen import fares as generated_fares
from trainer.rows import DRIVER, at, fare, in_order, minutes
from trainer.runs import scripted, seeded

COLUMNS = "window_end timestamp, driver_id bigint, total_tips double, told string, version bigint"
DELAY, HOUR, QUARTER, LATENESS = minutes(1), minutes(60), minutes(15), minutes(30)

# What comes when the watermark has reached the end of its hour.
LATE_AT_THE_END = [
    fare(106, at="12:58", tip=32.0),
    fare(107, at="12:57", tip=64.0, taxi=8),
    fare(108, at="12:56", tip=None),
    fare(601, at="12:58:30", driver=6, tip=1.0),
    fare(1301, at="12:55", driver=13, tip=None),
    fare(1402, at="12:58", driver=14, tip=2.0),
    fare(1401, at="12:58", driver=14, tip=1.0),
]
LATER = fare(109, at="12:50", tip=128.0)
FOR_NOBODY = [
    fare(110, at="12:51", tip=256.0),
    fare(801, at="12:50", driver=8, tip=1.0),
    fare(1002, at="13:50", driver=10, tip=1.0),
]
# Driver 9 only makes time pass. Drivers change their taxis: 1 has two of them, and 2 and 5 share
# one. The watermark of each micro-batch stands beside it.
SCRIPT = [
    # none yet
    [
        fare(101, at="12:05", tip=1.0),
        fare(102, at="12:10", tip=2.0, taxi=8),
        fare(201, at="12:10", driver=2, tip=None),
        fare(401, at="12:12", driver=4, tip=2.0),
        fare(501, at="12:11", driver=5, taxi=2, tip=0.5),
        fare(1501, at="12:20", driver=15, tip=1.0),
        fare(900, at="12:16", driver=9),
    ],
    # 12:15
    [
        fare(103, at="12:15:30", tip=4.0),
        fare(301, at="12:14", driver=3, tip=3.0),
        fare(901, at="12:45:59.999", driver=9),
    ],
    # 12:44:59.999
    [
        fare(104, at="12:44", tip=8.0),
        fare(402, at="12:20", driver=4, tip=None),
        fare(1101, at="12:44:30", driver=11, tip=5.0),
        fare(902, at="13:00:59.999", driver=9),
    ],
    # 12:59:59.999
    [
        fare(105, at="12:59:30", tip=16.0),
        fare(111, at="13:00", tip=0.5),
        fare(1201, at="12:58", driver=12, tip=6.0),
        fare(903, at="13:01", driver=9),
    ],
    # 13:00
    [*LATE_AT_THE_END, fare(904, at="13:30:59.999", driver=9)],
    # 13:29:59.999
    [LATER, fare(905, at="13:31", driver=9)],
    # 13:30
    [
        *FOR_NOBODY[:2],
        fare(701, at="14:05", driver=7, tip=7.0),
        fare(1001, at="13:40", driver=10, tip=1.0),
        # His other hour is forgotten just now.
        fare(1502, at="13:35", driver=15, tip=2.0),
        fare(906, at="14:51", driver=9),
    ],
    # 14:50
    [FOR_NOBODY[2], fare(907, at="20:00", driver=9)],
    # the query drains: 19:59
]
TOO_LATE = [*LATE_AT_THE_END, LATER, *FOR_NOBODY]

# One script with everything in it: each test looks at its own drivers.
result = scripted(fares=SCRIPT, state_held=True)
# What is never late, in one micro-batch, backwards.
backwards = scripted(
    fares=[[row for batch in SCRIPT for row in batch if row not in TOO_LATE][::-1]]
)


def generate(seed):
    """Make five hundred fares of five drivers, some of them late, in five micro-batches."""
    first, random = 1000 * (seed % 10_000), Random(seed)
    options = {"profile": "classic", "disorder": 50.0, "late": 0.2, "late_by": 3600, "seed": seed}
    rows = generated_fares(first, first + 500, **options).to_pylist()
    for row in rows:
        row["driver_id"] = DRIVER + random.randrange(5)
        row["tip"] = random.choice([row["tip"], row["tip"], None])
    cuts = [0, 60, 150, 270, 380, 500]
    return [rows[start:stop] for start, stop in pairwise(cuts)]


@seeded
def generated(seed):
    """These fares, with a restart on the way."""
    return {"fares": generate(seed), "restart_after": 3}


def told(result, driver, hour_end="13:00"):
    """List what was told of a driver and an hour: in which micro-batch, what, how, as which."""
    return [
        (n, row["total_tips"], row["told"], row["version"])
        for n, batch in enumerate(result.batches)
        for row in in_order(batch, "version")
        if (row["window_end"], row["driver_id"]) == (at(hour_end), DRIVER + driver)
    ]


def as_told(result, kind):
    """List the totals that were told early, on time or late."""
    names = ("window_end", "driver_id", "total_tips")
    rows = [row for row in result.rows if row["told"] == kind]
    return in_order([{name: row[name] for name in names} for row in rows])


def test_a_total_is_told_early_and_on_time(result):
    """A total must be told early at a quarter, and on time at the end of the hour."""
    assert told(result, 5) == [(1, 0.5, "early", 1), (4, 0.5, "on time", 2)]


def test_an_early_total_comes_when_the_watermark_reaches_a_quarter(result):
    """An early total must come in the first micro-batch whose watermark is at or past a quarter:
    at 12:15 itself, and not a millisecond before 12:45."""
    early = [each for each in told(result, 1) if each[2] == "early"]
    assert [n for n, *_ in early] == [1, 2, 3]
    assert told(result, 11)[:1] == [(3, 5.0, "early", 1)]


def test_an_early_total_has_the_fares_of_its_micro_batch_in_it(result):
    """An early total must have all fares in it that have come, those of its own micro-batch too."""
    early = [total for _, total, kind, _ in told(result, 1) if kind == "early"]
    assert early == [7.0, 15.0, 31.0]


def test_an_unchanged_total_is_not_told_early_again(result):
    """At a quarter a total must not be told again if it is what was told last."""
    assert told(result, 4) == [(1, 2.0, "early", 1), (4, 2.0, "on time", 2)]


def test_several_quarters_at_once_tell_once(result):
    """If the watermark passes several quarters in one step, the total must be told once."""
    assert told(result, 7, "15:00") == [(7, 7.0, "early", 1), (8, 7.0, "on time", 2)]


def test_nothing_is_told_early_when_the_hour_is_over(result):
    """If the watermark passes the end of the hour as well, nothing must be told early."""
    assert told(result, 10, "14:00") == [(7, 1.0, "on time", 1)]


def test_a_quarter_that_is_past_is_not_told(result):
    """A quarter that the watermark has reached when an hour's first fare comes must not be told."""
    assert told(result, 15, "14:00") == [(7, 2.0, "on time", 1)]
    assert told(result, 3) == [(2, 3.0, "early", 1), (4, 3.0, "on time", 2)]
    assert told(result, 12) == [(4, 6.0, "on time", 1)]


def test_an_hour_is_on_time_when_the_watermark_reaches_its_end(result):
    """An hour must be told on time in the first micro-batch whose watermark is at or past its end,
    once, with all fares in it that came before."""
    on_time = [each for each in told(result, 1) if each[2] == "on time"]
    assert on_time == [(4, 31.0, "on time", 4)]


def test_a_late_fare_is_told_at_once(result):
    """A fare that comes when its hour is over must be told in its micro-batch, as late, with the
    total of all fares of that hour."""
    assert told(result, 1)[-1] == (5, 255.0, "late", 7)


def test_a_fare_is_late_in_the_micro_batch_that_closes_its_hour(result):
    """A fare that comes in the micro-batch that tells its hour on time must not be in that total:
    it is late, and told behind it."""
    assert [each for each in told(result, 1) if each[0] == 4] == [
        (4, 31.0, "on time", 4),
        (4, 95.0, "late", 5),
        (4, 127.0, "late", 6),
    ]


def test_late_fares_are_told_one_by_one(result):
    """Each late fare must have a row of its own, in the order of `start_time` and then of
    `ride_id`."""
    assert [total for _, total, kind, _ in told(result, 1) if kind == "late"] == [95, 127, 255]
    assert told(result, 14) == [(4, 1.0, "late", 1), (4, 3.0, "late", 2)]


def test_a_late_fare_that_changes_nothing_is_not_told(result):
    """A late fare with a null tip must not be told, if the hour was told before."""
    assert [total for n, total, kind, _ in told(result, 1) if (n, kind) == (4, "late")] == [95, 127]


def test_an_hour_whose_first_fare_is_late_is_told_late(result):
    """If the first fare of a driver's hour is late, the hour must be told as late, and never on
    time."""
    assert told(result, 6) == [(4, 1.0, "late", 1)]
    assert told(result, 13) == [(4, 0.0, "late", 1)]


def test_a_fare_counts_up_to_thirty_minutes_after_its_hour(result):
    """A fare must count as long as the watermark is before its hour's end plus thirty minutes,
    however old the fare itself is."""
    assert (5, 255.0, "late", 7) in told(result, 1)


def test_a_fare_that_comes_later_is_for_nobody(result):
    """A fare that comes when the watermark is at or past its hour's end plus thirty minutes must
    change nothing, even if its hour is told on time in that micro-batch."""
    assert [each for each in told(result, 1) if each[0] > 5] == []
    assert told(result, 8) == []
    assert told(result, 10, "14:00") == [(7, 1.0, "on time", 1)]


def test_versions_count_up(result):
    """`version` must count the rows of a driver and an hour, however told: 1, 2, 3, …."""
    assert [version for *_, version in told(result, 1)] == [1, 2, 3, 4, 5, 6, 7]


def test_a_null_tip_adds_nothing(result):
    """A null tip must add nothing: a driver who has no other must be told 0.0."""
    assert told(result, 2) == [(1, 0.0, "early", 1), (4, 0.0, "on time", 2)]


def test_a_fare_at_a_full_hour_belongs_to_the_next(result):
    """A fare at 13:00:00 must count for the hour that ends at 14:00, and not for the one before."""
    assert told(result, 1, "14:00") == [(5, 0.5, "early", 1), (7, 0.5, "on time", 2)]


def test_drivers_are_kept_apart(result):
    """Each driver must have totals of their own, and none for an hour without a fare."""
    hours = {(row["driver_id"] - DRIVER, row["window_end"]) for row in result.rows}
    one = {(driver, at("13:00")) for driver in (1, 2, 3, 4, 5, 6, 9, 11, 12, 13, 14, 15)}
    two = {(driver, at("14:00")) for driver in (1, 9, 10, 15)}
    assert hours == one | two | {(7, at("15:00")), (9, at("15:00"))}


def test_state_ends(result):
    """Once the watermark is at or past an hour's end plus thirty minutes, nothing of that hour must
    be kept."""
    # In the end driver 9 has an hour that is open.
    assert result.state_held.elements <= 1


def test_no_timer_is_left(result):
    """Once the watermark is at or past an hour's end plus thirty minutes, no timer of that hour
    must be left."""
    assert result.state_held.timers <= 5


def test_what_is_told_on_time_is_the_same_however_fares_are_split(backwards, result):
    """If no fare is late, the totals that are told on time must be the same in one micro-batch."""
    assert as_told(backwards, "on time") == as_told(result, "on time")
    assert as_told(backwards, "late") == []


def test_generated_fares_agree_with_plain_python(generated, seed):
    """Hundreds of generated fares must be told as by a loop in plain Python."""
    assert generated.sorted() == in_order([*chain(*by_hand(generate(seed)))])


def test_each_row_comes_in_its_own_micro_batch_after_a_restart_too(generated, seed):
    """Each total must come when it should, even if the query was stopped and started again."""
    came = [in_order(batch) for batch in generated.batches]
    assert came == [in_order(batch) for batch in by_hand(generate(seed))]


def by_hand(batches):
    """Say what comes out of each micro-batch, the one of the drain included."""
    newest = [max(row["start_time"] for row in batch) for batch in batches]
    marks = [at("00:00") - 10 * 365 * 24 * HOUR]
    marks += [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    hours = defaultdict(lambda: [[] for _ in marks])
    for n, batch in enumerate(batches):
        for row in in_order(batch, "start_time", "ride_id"):
            start = row["start_time"].replace(minute=0, second=0, microsecond=0)
            hours[row["driver_id"], start + HOUR][n].append(row["tip"] or 0.0)
    out = [[] for _ in marks]
    for (driver, end), tips in hours.items():
        rows = {"window_end": end, "driver_id": driver}
        for version, (n, total, kind) in enumerate(story(end, tips, marks), 1):
            out[n].append(rows | {"total_tips": total, "told": kind, "version": version})
    return out


def story(end, tips, marks):
    """Tell of one hour, micro-batch by micro-batch: (micro-batch, total, how it is told)."""
    total, last, quarter, is_open = 0.0, None, None, True
    for n, (new, mark) in enumerate(zip(tips, marks, strict=True)):
        if is_open and mark >= end and any(tips[:n]):
            yield n, (last := total), "on time"
        is_open = is_open and mark < end
        if mark >= end + LATENESS:
            return
        for tip in new:
            total += tip
            if not is_open and total != last:
                yield n, (last := total), "late"
        if is_open and quarter and mark >= quarter and total != last:
            yield n, (last := total), "early"
        if is_open and any(tips[: n + 1]):
            past = max(mark, end - HOUR) - (end - HOUR)
            quarter = end - HOUR + (past // QUARTER + 1) * QUARTER
