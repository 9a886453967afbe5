"""Grades quarter hours: STARTs and ENDs, counted in tumbling windows of a quarter."""

from collections import Counter
from datetime import datetime, timedelta

from datagen import ride_events
from trainer.rows import at, end, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = "window_end timestamp, starts bigint, ends bigint"

TOO_LATE = ride(9, at="12:03")
SCRIPT = [
    [
        ride(1, at="12:02"),
        ride(2, at="12:14:59"),
        end(1, at="12:10"),
        ride(3, at="12:15"),
        end(2, at="12:20"),
    ],
    [end(8, at="12:05"), ride(4, at="12:25")],
    [end(3, at="12:39:59")],
    [end(4, at="12:40")],
    [TOO_LATE, ride(5, at="13:05"), ride(5, at="13:05")],
    [ride(6, at="13:26")],
]
ON_TIME = [row for batch in SCRIPT for row in batch if row != TOO_LATE]

# One script with everything in it: each test looks at its own quarter.
result = scripted(rides=SCRIPT)
backwards = scripted(rides=[ON_TIME[::-1]])
restarted = scripted(rides=[SCRIPT[0], [*SCRIPT[1], ride(7, at="12:41")]], restart_after=1)


def events_of(seed: int) -> list[dict]:
    """Generate a busy stretch of the city, out of order, some events twice."""
    first = 1000 * (seed % 10_000)
    flaws = {"seed": seed, "disorder": 400, "duplicates": 0.1}
    return ride_events(first, first + 700, profile="classic", **flaws).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated events."""
    events = events_of(seed)
    return {"rides": [events[:350], events[350:]]}


def counts(result, window_end: str) -> list[tuple[int, int]]:
    """Give the counts of the quarter that ends then: (starts, ends)."""
    rows = [row for row in result.rows if row["window_end"] == at(window_end)]
    return [(row["starts"], row["ends"]) for row in rows]


def test_a_row_tells_the_end_of_its_quarter(result):
    """`window_end` must be the end of a quarter in which events lie."""
    ends = {"12:15", "12:30", "12:45", "13:15", "13:30"}
    assert {row["window_end"] for row in result.rows} <= {at(end) for end in ends}


def test_starts_and_ends_are_counted_apart(result):
    """STARTs and ENDs of a quarter must be counted apart, in one row."""
    assert counts(result, "12:15") == [(2, 2)]


def test_a_quarter_includes_its_start_and_excludes_its_end(result):
    """An event at 12:15:00 must count for the quarter that begins then, one at 12:14:59 for the one
    before."""
    assert counts(result, "12:15") == [(2, 2)]
    assert counts(result, "12:30") == [(2, 1)]


def test_a_quarter_may_have_ends_only(result):
    """A quarter in which rides end and none starts must have a row, with 0 starts."""
    assert counts(result, "12:45") == [(0, 2)]


def test_an_event_that_comes_twice_counts_twice(result):
    """An event that comes twice must count twice."""
    assert counts(result, "13:15") == [(2, 0)]


def test_a_quarter_without_events_gives_no_row(result):
    """A quarter in which nothing happens must have no row."""
    assert counts(result, "13:00") == []


def test_each_quarter_comes_once_when_it_is_complete(result):
    """Each quarter must come in the first micro-batch whose watermark is at or past its end; what
    comes later than that must change nothing."""
    ends = [[row["window_end"] for row in batch] for batch in result.batches]
    first, second, third, last = ([at(end)] for end in ("12:15", "12:30", "12:45", "13:15"))
    assert ends[:7] == [[], [], first, [], second, third, last]


def test_state_shrinks_when_quarters_are_complete(result):
    """Once a quarter is complete, nothing of it may be kept: only the open one is left."""
    assert max(result.state_rows) > 1
    assert result.state_rows[-1] == 1


def test_the_split_into_micro_batches_does_not_matter(backwards, result):
    """The same events in one micro-batch, backwards, must give the same counts."""
    assert backwards.sorted("window_end") == result.sorted("window_end")


def test_a_restart_does_not_matter(restarted):
    """Stopped in the middle of a quarter and started again, the query must go on counting."""
    assert counts(restarted, "12:15") == [(2, 2)]
    assert counts(restarted, "12:30") == [(2, 1)]


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Hundreds of generated events, out of order, must give the counts that plain Python gives."""
    expected = _by_plain_python(events_of(seed))
    assert generated.sorted("window_end") == expected
    assert expected


def _by_plain_python(events: list[dict]) -> list[dict]:
    found = Counter((_window_end(e["event_time"]), e["is_start"]) for e in events)
    over = max(event["event_time"] for event in events) - minutes(10)
    return [
        {
            "window_end": window_end,
            "starts": found[window_end, True],
            "ends": found[window_end, False],
        }
        for window_end in sorted({window_end for window_end, _ in found})
        if window_end <= over
    ]


def _window_end(time: datetime) -> datetime:
    return time - timedelta(seconds=time.timestamp() % 900) + minutes(15)
