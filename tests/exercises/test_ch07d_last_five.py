"""Grades the last five: a driver's last five tips on average, with every fare, in event order."""

from collections import Counter, defaultdict
from itertools import chain
from random import Random

from datagen import fares as generated_fares
from trainer.rows import DRIVER, fare, in_order, minutes
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, driver_id bigint, start_time timestamp, average_tip double"
DELAY = minutes(10)
LATE = [fare(109, at="12:10", tip=512.0), fare(110, at="12:03", tip=512.0)]
# So many that nobody could keep them all unseen.
MANY = [fare(700 + n, at=f"12:00:{n:02}", driver=7, tip=float(n), taxi=7) for n in range(16)]

# The watermark in each: none, 12:10:00.001, 12:15, 12:30, 12:30; and 14:50 in the drain. Drivers
# change their taxis: 1 has two of them, and 3 and 4 share one.
SCRIPT = [
    [
        fare(105, at="12:08", tip=16.0),
        fare(101, at="12:00", tip=1.0),
        fare(102, at="12:02", tip=2.0, taxi=8),
        fare(104, at="12:06", tip=8.0),
        fare(106, at="12:12", tip=32.0, taxi=8),
        fare(1002, at="12:05", driver=2, tip=1.0),
        fare(301, at="12:01", driver=3, tip=None, taxi=4),
        fare(302, at="12:02", driver=3, tip=3.0, taxi=4),
        fare(401, at="12:01:30", driver=4, tip=100.5),
        fare(501, at="12:10:00.001", driver=5, tip=5.0),
        fare(502, at="12:10:00.002", driver=5, tip=7.0),
        *MANY,
        fare(901, at="12:20:00.001", driver=9),
    ],
    [
        fare(103, at="12:04", tip=4.0),
        fare(107, at="12:14", tip=64.0),
        fare(201, at="12:05", driver=2, tip=3.0),
        fare(304, at="12:05", driver=3, tip=None, taxi=4),
        fare(303, at="12:04", driver=3, tip=None, taxi=4),
        fare(305, at="12:06", driver=3, tip=5.0, taxi=4),
        fare(902, at="12:25", driver=9),
    ],
    [
        *LATE,
        fare(108, at="12:11", tip=128.0),
        fare(306, at="12:25", driver=3, tip=None, taxi=4),
        fare(307, at="12:29", driver=3, tip=None, taxi=4),
        fare(600, at="12:30", driver=6, tip=2.0),
        fare(601, at="12:30:00.001", driver=6, tip=4.0),
        fare(903, at="12:40", driver=9),
    ],
    [],
    [fare(308, at="12:39", driver=3, tip=1.0, taxi=4), fare(904, at="15:00", driver=9)],
]
ON_TIME = [row for batch in SCRIPT for row in batch if row not in LATE]

# One script with everything in it.
result = scripted(fares=SCRIPT, state_held=True)
backwards = scripted(fares=[ON_TIME[::-1]])


def generate(seed):
    """Make 240 fares of six drivers, out of order, some at the same time or without a
    tip, in three micro-batches."""
    first = 1000 * (seed % 10_000)
    options = {"profile": "classic", "disorder": 500.0, "seed": seed}
    rows, random = generated_fares(first, first + 240, **options).to_pylist(), Random(seed)
    for row in rows:
        row["driver_id"] = DRIVER + random.randrange(6)
        row["start_time"] = row["start_time"].replace(second=0)
        row["tip"] = random.choice([row["tip"], row["tip"] + 0.25, None])
    return [rows[:90], rows[90:170], rows[170:]]


@seeded
def generated(seed):
    """These fares, with a restart on the way."""
    return {"fares": generate(seed), "restart_after": 2}


def averages(result, *numbers):
    """Give the averages that came with these fares, each a list: of one, if all is well."""
    return [
        [_rounded(row)["average_tip"] for row in result.rows if row["ride_id"] == number]
        for number in numbers
    ]


def came_in(result, number):
    """Tell in which micro-batches a fare's row came."""
    return [
        n for n, batch in enumerate(result.batches) for row in batch if row["ride_id"] == number
    ]


def _rounded(row):
    # However they are added up, to this many digits they are the same.
    average = row["average_tip"]
    return row | {"average_tip": None if average is None else round(average, 9)}


def test_the_first_fares_have_the_average_of_those_there_are(result):
    """As long as a driver has fewer than five fares, the average must be of those there are."""
    assert averages(result, 401, 101, 102) == [[100.5], [1.0], [1.5]]


def test_the_average_is_of_the_last_five(result):
    """The average must be of a fare and the four before it, with every fare, in every taxi."""
    assert averages(result, 105, 108, 106) == [[6.2], [31.6], [37.6]]
    assert averages(result, 715) == [[13.0]]


def test_the_last_five_are_the_last_in_event_time(result):
    """The fares must be taken in the order of `start_time`, in whichever micro-batch they came."""
    assert averages(result, 103, 104, 105) == [[round(7 / 3, 9)], [3.75], [6.2]]


def test_a_fare_behind_its_own_watermark_alone_takes_its_place(result):
    """A fare behind only the watermark of its own micro-batch must still come in its place, before
    the later ones."""
    assert averages(result, 108, 106, 107) == [[31.6], [37.6], [49.6]]


def test_of_equal_times_the_smaller_ride_comes_first(result):
    """Of two fares of the same time, the one with the smaller `ride_id` must come first."""
    assert averages(result, 201, 1002) == [[3.0], [2.0]]


def test_drivers_are_kept_apart(result):
    """Each driver must have averages of their own, even of those who share a taxi."""
    assert averages(result, 401, 302) == [[100.5], [3.0]]


def test_a_null_tip_alone_gives_null(result):
    """If none of the five tips is known, `average_tip` must be null."""
    assert averages(result, 301) == [[None]]


def test_a_null_tip_is_one_of_the_five(result):
    """A fare with a null tip must be one of the five, and the average of the others must be given:
    a null is no zero, and it keeps its place."""
    assert averages(result, 303, 305) == [[3.0], [4.0]]
    # 302 is the sixth from here.
    assert averages(result, 307) == [[5.0]]


def test_a_fare_comes_out_when_the_watermark_has_reached_it(result):
    """Each fare must give one row, in the first micro-batch whose watermark is at or past its
    time: one at the watermark comes, one a millisecond later waits."""
    expected = {101: [1], 103: [1], 501: [1], 502: [2], 106: [2], 600: [3], 601: [5], 904: []}
    assert {number: came_in(result, number) for number in expected} == expected


def test_every_fare_comes_out_once(result):
    """Every fare that isn't late must give one row, with its driver and its time."""
    names = ("ride_id", "driver_id", "start_time")
    came = [{name: row[name] for name in names} for row in result.sorted("ride_id")]
    due = [row for row in in_order(ON_TIME, "ride_id") if row["ride_id"] != 904]
    assert came == [{name: row[name] for name in names} for row in due]


def test_a_late_fare_changes_nothing(result):
    """A fare at or before the watermark of the micro-batch before its own must change nothing."""
    assert averages(result, 109, 110) == [[], []]
    assert averages(result, 108) == [[31.6]]


def test_state_holds_no_more_than_five_fares_of_a_driver(result):
    """State must hold, of each driver, the fares that wait and no more than five others."""
    others = Counter(row["driver_id"] for row in ON_TIME if row["ride_id"] != 904)
    # In the end the fare of 15:00 waits.
    assert result.state_held.elements <= 1 + sum(min(5, number) for number in others.values())


def test_timers_are_left_for_waiting_fares_only(result):
    """A timer must be set only for a fare that still waits."""
    assert result.state_held.timers <= 1


def test_the_averages_are_the_same_however_fares_are_split(backwards, result):
    """All fares in one micro-batch, backwards, must give the same averages."""
    by_ride = [list(map(_rounded, some.sorted("ride_id"))) for some in (backwards, result)]
    assert by_ride[0] == by_ride[1]


def test_generated_fares_agree_with_plain_python(generated, seed):
    """Hundreds of generated fares must give the averages of a loop in plain Python."""
    expected = in_order([*chain(*by_hand(generate(seed)))], "ride_id")
    assert list(map(_rounded, generated.sorted("ride_id"))) == expected


def test_each_row_comes_in_its_own_micro_batch_after_a_restart_too(generated, seed):
    """Each fare must come as early as it can, even if the query was stopped and started again."""
    came = [sorted(row["ride_id"] for row in batch) for batch in generated.batches]
    assert came == [sorted(row["ride_id"] for row in batch) for batch in by_hand(generate(seed))]


def by_hand(batches):
    """Say what comes out of each micro-batch, the one of the drain included."""
    newest = [max(row["start_time"] for row in batch) for batch in batches]
    marks = [None] + [max(newest[:n]) - DELAY for n in range(1, len(batches) + 1)]
    out, of_driver = [[] for _ in marks], defaultdict(list)
    for row in sorted(chain(*batches), key=lambda row: (row["start_time"], row["ride_id"])):
        tips = of_driver[row["driver_id"]]
        tips.append(row["tip"])
        known = [tip for tip in tips[-5:] if tip is not None]
        arrived = next(n for n, batch in enumerate(batches) if row in batch)
        due = [n for n, mark in enumerate(marks) if mark and mark >= row["start_time"]]
        if due:
            average = sum(known) / len(known) if known else None
            given = {name: row[name] for name in ("ride_id", "driver_id", "start_time")}
            out[max(arrived, due[0])].append(_rounded(given | {"average_tip": average}))
    return out
