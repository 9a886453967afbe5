"""Grades exactly once: a sink that is killed at every point, and started again."""

from collections import defaultdict
from itertools import chain
from random import Random

from trainer.rows import fare, in_order
from trainer.runs import scripted, seeded

COLUMNS = {
    "fares": "ride_id bigint, driver_id bigint, total double",
    "totals": "driver_id bigint, fares bigint, total double",
}

# Ride 3 is paid in two parts that are the same; ride 4 in parts, in two micro-batches.
FARES = [
    [fare(1, total=20.0), fare(2, total=12.5, driver=2)],
    [
        fare(3, total=7.5, driver=2),
        fare(3, total=7.5, driver=2),
        fare(4, total=30.0),
        fare(5, total=12.5, driver=3),
    ],
    [fare(4, total=5.0), fare(6, total=20.0, driver=3)],
]

once = scripted(role="sink", fares=FARES[:1])
unharmed = scripted(role="sink", fares=FARES)
before = scripted(role="sink", killed_after=2, killed_at="before", fares=FARES)
within = scripted(role="sink", killed_after=2, killed_at="within", fares=FARES)
after = scripted(role="sink", killed_after=2, killed_at="after", fares=FARES)
first_within = scripted(role="sink", killed_after=1, killed_at="within", fares=FARES[:2])
first_after = scripted(role="sink", killed_after=1, killed_at="after", fares=FARES[:2])
# Nothing is started again after this one: what lies there is what a reader finds.
cut_off = scripted(role="sink", killed_after=2, killed_at="within", fares=FARES[:2])
alike = scripted(role="sink", fares=[FARES[0], FARES[0]])
quiet = scripted(role="sink", killed_after=2, killed_at="after", fares=[*FARES[:2], []])


@seeded
def generated_within(seed):
    """Three hundred generated fares; the query is killed within the third of six micro-batches."""
    return {"role": "sink", "killed_after": 3, "killed_at": "within", "fares": fares_of(seed)}


@seeded
def generated_after(seed):
    """The same fares; the query is killed after the fourth."""
    return {"role": "sink", "killed_after": 4, "killed_at": "after", "fares": fares_of(seed)}


def fares_of(seed):
    """Make fares of some drivers, of which many are the same in all columns."""
    random = Random(seed)
    fares = [
        fare(n // 3, driver=1 + n // 3 % 7, total=random.choice([5.0, 12.5])) for n in range(300)
    ]
    random.shuffle(fares)
    return [fares[n : n + 50] for n in range(0, 300, 50)]


def rows_of(batches):
    """Give the rows that must be in the table of fares."""
    return in_order(
        [
            {"ride_id": row["ride_id"], "driver_id": row["driver_id"], "total": row["total_fare"]}
            for row in chain(*batches)
        ]
    )


def totals_of(batches):
    """Give the rows that must be in the table of totals."""
    paid = defaultdict(list)
    for row in chain(*batches):
        paid[row["driver_id"]].append(row["total_fare"])
    return [
        {"driver_id": driver, "fares": len(fares), "total": sum(fares)}
        for driver, fares in sorted(paid.items())
    ]


def of_ride(result, number):
    """Give the totals of the fares of one ride."""
    return [row["total"] for row in result["fares"].sorted() if row["ride_id"] == number]


def test_a_micro_batch_is_written(once):
    """The fares of a micro-batch must be in `fares`, with the totals of its drivers in `totals`."""
    assert once["fares"].sorted() == rows_of(FARES[:1])
    assert once["totals"].sorted() == totals_of(FARES[:1])


def test_micro_batches_add_up(unharmed):
    """Each micro-batch must add its fares to those that are there."""
    assert unharmed["fares"].sorted() == rows_of(FARES)


def test_totals_add_up(unharmed):
    """A driver's row in `totals` must count the fares of all micro-batches so far."""
    assert unharmed["totals"].sorted() == totals_of(FARES)


def test_two_equal_fares_both_count(unharmed):
    """Two fares that are the same in all columns must both be in `fares`."""
    assert of_ride(unharmed, 3) == [7.5, 7.5]


def test_a_ride_may_be_paid_in_two_micro_batches(unharmed):
    """A second fare of a ride, in a later micro-batch, must not take the first one's place."""
    assert of_ride(unharmed, 4) == [5.0, 30.0]


def test_a_micro_batch_like_an_earlier_one_is_written_too(alike):
    """A micro-batch must be written, though an earlier one has brought fares that are the same."""
    assert alike["fares"].sorted() == rows_of([FARES[0], FARES[0]])
    assert alike["totals"].sorted() == totals_of([FARES[0], FARES[0]])


def test_killed_before_the_sink_nothing_is_missing(before):
    """Where the query was killed before your function was called, its fares must be there after
    the restart."""
    assert before["fares"].sorted() == rows_of(FARES)
    assert before["totals"].sorted() == totals_of(FARES)


def test_killed_within_the_sink_no_fare_is_missing(within, first_within):
    """Where the query was killed within your function, no fare must be missing after the
    restart."""
    assert not lacking(within["fares"], rows_of(FARES))
    assert not lacking(first_within["fares"], rows_of(FARES[:2]))


def test_killed_within_the_sink_no_fare_is_there_twice(within, first_within):
    """Where the query was killed within your function, no fare must be there twice after the
    restart."""
    assert len(within["fares"].rows) <= len(rows_of(FARES))
    assert len(first_within["fares"].rows) <= len(rows_of(FARES[:2]))


def test_killed_within_the_sink_totals_are_right(within, first_within):
    """Where the query was killed within your function, each fare must count once in `totals`."""
    assert within["totals"].sorted() == totals_of(FARES)
    assert first_within["totals"].sorted() == totals_of(FARES[:2])


def test_fares_and_totals_always_fit(cut_off):
    """At whatever point the query is killed, `totals` must be the totals of what is in `fares`."""
    there = [row | {"total_fare": row["total"]} for row in cut_off["fares"].rows]
    assert cut_off["totals"].sorted() == totals_of([there])


def test_killed_after_the_sink_no_fare_is_there_twice(after, first_after):
    """Where the query was killed after your function, before Spark noted that, each fare must be
    there once."""
    assert after["fares"].sorted() == rows_of(FARES)
    assert first_after["fares"].sorted() == rows_of(FARES[:2])


def test_killed_after_the_sink_totals_are_right(after, first_after):
    """Where the query was killed after your function, each fare must count once in `totals`."""
    assert after["totals"].sorted() == totals_of(FARES)
    assert first_after["totals"].sorted() == totals_of(FARES[:2])


def test_a_restart_without_news_changes_nothing(quiet):
    """A micro-batch that is only done again, with no other after it, must change nothing."""
    assert quiet["fares"].sorted() == rows_of(FARES[:2])
    assert quiet["totals"].sorted() == totals_of(FARES[:2])


def test_generated_fares_survive_a_kill_within(generated_within, seed):
    """Three hundred generated fares must be there once each, though the query was killed within
    your function."""
    assert generated_within["fares"].sorted() == rows_of(fares_of(seed))
    assert generated_within["totals"].sorted() == totals_of(fares_of(seed))


def test_generated_fares_survive_a_kill_after(generated_after, seed):
    """Three hundred generated fares must be there once each, though the query was killed after
    your function."""
    assert generated_after["fares"].sorted() == rows_of(fares_of(seed))
    assert generated_after["totals"].sorted() == totals_of(fares_of(seed))


def lacking(result, expected):
    """Give the rows that are missing."""
    there = list(result.rows)
    return [row for row in expected if row not in there or there.remove(row)]
