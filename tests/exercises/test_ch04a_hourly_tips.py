"""Grades hourly tips: for each hour the driver with the most tips, once, when it is complete."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import datagen
from trainer.rows import DRIVER, at, fare, minutes
from trainer.runs import scripted, seeded

COLUMNS = "window_end timestamp, driver_id bigint, total_tips double"
HOUR = timedelta(hours=1)

# What each hour is there for; the hours before 12 are complete after the first micro-batch.
ONE_TIP = [fare(1, at="08:40", driver=1, tip=1.5)]
TWO_TIPS = [
    fare(2, at="09:10", driver=2, tip=2.0),
    fare(3, at="09:50", driver=2, tip=3.5) | {"taxi_id": 7},
    fare(21, at="09:30", driver=1, tip=5.25),
]
TWO_DRIVERS = [
    fare(4, at="10:05", driver=1, tip=4.0),
    fare(5, at="10:15", driver=3, tip=6.5, tolls=5.0),
    fare(6, at="10:25", driver=1, tip=4.0),
]
A_TIE = [
    fare(7, at="11:05", driver=5, tip=3.0),
    fare(8, at="11:15", driver=4, tip=1.0),
    fare(9, at="11:25", driver=6, tip=3.0),
    fare(10, at="11:35", driver=4, tip=2.0),
]
NOON = [fare(11, at="12:05", driver=1, tip=5.5), fare(12, at="12:30", driver=2, tip=4.5)]
NEXT_HOUR = [fare(13, at="13:00", driver=3, tip=20.0), fare(14, at="13:09:58", driver=3, tip=1.0)]
OUT_OF_ORDER = [fare(15, at="12:59:59", driver=2, tip=2.0)]
ENDS_NOON = [fare(16, at="13:10", driver=4, tip=0.5)]
TWICE = 2 * [fare(17, at="13:20", driver=5, tip=11.0)]
ENDS_ALL = [fare(18, at="15:15", driver=1, tip=1.0)]
TOO_LATE = [fare(19, at="12:30", driver=9, tip=50.0)]
LAST = [fare(20, at="15:20", driver=1, tip=1.0)]

SCRIPT = [
    TWO_DRIVERS + ONE_TIP + A_TIE + TWO_TIPS + NOON,
    NEXT_HOUR,
    [],
    OUT_OF_ORDER + ENDS_NOON,
    TWICE + ENDS_ALL,
    TOO_LATE + LAST,
]
ON_TIME = [row for batch in SCRIPT for row in batch if row not in TOO_LATE]


# One script with everything in it: each test looks at its own hours.
result = scripted(fares=SCRIPT)
backwards = scripted(fares=[ON_TIME[::-1]])
restarted = scripted(fares=[ONE_TIP + NOON, OUT_OF_ORDER + ENDS_NOON], restart_after=1)
# The sixth hour ends at 18:00, so a fare of 18:10 completes it: number 1110, 20 s a fare.
AS_IN_FLINK = datagen.fares(0, 1110, profile="classic").to_pylist()
as_in_flink = scripted(fares=[AS_IN_FLINK[:600], AS_IN_FLINK[600:]])


def fares_of(seed: int) -> list[dict]:
    """Generate six hundred fares, shuffled, some of them twice."""
    first = 1000 * (seed % 10_000)
    flaws = {"seed": seed, "disorder": 500, "duplicates": 0.1}
    return datagen.fares(first, first + 600, profile="classic", **flaws).to_pylist()


@seeded
def generated(seed):
    """Three micro-batches of generated fares."""
    fares = fares_of(seed)
    return {"fares": [fares[:200], fares[200:350], fares[350:]]}


def best(ends: str, driver: int, total_tips: float) -> dict:
    """Make a row of output; drivers are numbered from 1."""
    return {"window_end": at(ends), "driver_id": DRIVER + driver, "total_tips": total_tips}


def of(result, ends: str) -> list[dict]:
    """Give the rows of one hour."""
    return [row for row in result.rows if row["window_end"] == at(ends)]


def test_one_driver_with_one_tip(result):
    """Where one driver alone was tipped, that driver must have the hour, and `window_end` must be
    the end of it."""
    assert of(result, "09:00") == [best("09:00", 1, 1.5)]


def test_the_tips_of_a_driver_are_summed(result):
    """The tips that a driver got in one hour must be added up, in whichever taxi."""
    assert of(result, "10:00") == [best("10:00", 2, 5.5)]


def test_the_driver_with_the_largest_sum_wins(result):
    """The driver with the largest sum must win, and the total must be the sum of that driver
    alone."""
    assert of(result, "11:00") == [best("11:00", 1, 8.0)]
    assert of(result, "10:00") == [best("10:00", 2, 5.5)]


def test_of_equal_drivers_the_smaller_id_wins(result):
    """Of drivers with equal sums, the one with the smaller `driver_id` must win."""
    assert of(result, "12:00") == [best("12:00", 4, 3.0)]


def test_a_tip_that_arrives_out_of_order_counts(result):
    """A tip that arrives less than ten minutes out of order must count for its hour."""
    assert of(result, "13:00") == [best("13:00", 2, 6.5)]


def test_a_tip_on_the_full_hour_belongs_to_the_next(result):
    """A tip on the full hour must count for the hour that begins, not for the one that ends."""
    assert not any(row["driver_id"] == DRIVER + 3 for row in of(result, "13:00"))


def test_a_fare_that_comes_twice_counts_twice(result):
    """Every fare must count, even one that comes twice."""
    assert of(result, "14:00") == [best("14:00", 5, 22.0)]


def test_each_hour_comes_once_when_it_is_complete(result):
    """Each hour must come once: in the first micro-batch whose watermark is at or past its end."""
    ends = [sorted(row["window_end"] for row in batch) for batch in result.batches]
    at_nine_to_noon = [at(hour) for hour in ("09:00", "10:00", "11:00", "12:00")]
    assert ends[:6] == [[], at_nine_to_noon, [], [], [at("13:00")], [at("14:00")]]
    assert not any(ends[6:])


def test_an_hour_without_a_fare_gives_nothing(result):
    """An hour without a fare must have no row."""
    assert not of(result, "15:00")


def test_state_shrinks_when_hours_are_complete(result):
    """Once an hour is complete, nothing of it must be kept: only the open hour may be left."""
    assert max(result.state_rows) > 2
    assert result.state_rows[-1] <= 2


def test_the_split_into_micro_batches_does_not_matter(backwards, result):
    """The same fares in one micro-batch, backwards, must give the same hours."""
    assert backwards.sorted("window_end") == result.sorted("window_end")


def test_a_restart_does_not_matter(restarted):
    """Stopped in the middle of an hour and started again, the query must give the same hours."""
    assert restarted.sorted("window_end") == [best("09:00", 1, 1.5), best("13:00", 2, 6.5)]


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Six hundred generated fares, shuffled and some twice, must give what plain Python gives."""
    assert generated.sorted("window_end") == _by_plain_python(fares_of(seed))


def test_the_results_that_flink_publishes_come_out(as_in_flink):
    """On the stream of Flink's training, the six published results must come out, and nothing
    else."""
    assert [
        (round(row["window_end"].timestamp() * 1000), row["driver_id"], row["total_tips"])
        for row in as_in_flink.sorted("window_end")
    ] == [
        (1577883600000, 2013000089, 76),
        (1577887200000, 2013000197, 71),
        (1577890800000, 2013000118, 83),
        (1577894400000, 2013000119, 81),
        (1577898000000, 2013000195, 73),
        (1577901600000, 2013000072, 123),
    ]


def _by_plain_python(fares: list[dict]) -> list[dict]:
    sums = Counter()
    for row in fares:
        sums[_full_hour(row["start_time"]) + HOUR, row["driver_id"]] += row["tip"]
    over = max(row["start_time"] for row in fares) - minutes(10)
    winners = {}
    for (ends, driver), tips in sorted(sums.items()):
        if ends <= over and tips > winners.get(ends, (None, -1))[1]:
            winners[ends] = (driver, tips)
    return [
        {"window_end": ends, "driver_id": driver, "total_tips": tips}
        for ends, (driver, tips) in sorted(winners.items())
    ]


def _full_hour(time: datetime) -> datetime:
    seconds = time.timestamp()
    return datetime.fromtimestamp(seconds - seconds % 3600, UTC)
