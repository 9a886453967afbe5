"""A live stream keeps its pace, and a pause makes no burst: with a clock that the tests set."""

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

import datagen
from datagen import source_options
from datagen.options import OptionError
from datagen.reading import Reading
from datagen.stream import FareStream, RideStream
from datagen.stream_reader import TaxiStreamReader

MANY = ReadMaxRows(1_000_000)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        """Start at a time like any other."""
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    """A clock for one test."""
    return Clock()


def reader(clock: Clock, kind: type = RideStream, **options: object) -> TaxiStreamReader:
    """A reader, as Spark makes one at each start of a query."""
    texts = {"profile": "classic"} | {name: str(value) for name, value in options.items()}
    return TaxiStreamReader(Reading(kind, *source_options.parse(texts)), clock, clock.wait)


def test_rows_come_at_the_pace_that_was_asked_for(clock):
    """At 10 rows a second, 2.5 seconds bring 25 rows, and no row comes twice."""
    live = reader(clock, rows_per_second=10)
    begin = live.latestOffset({"position": 0}, MANY)
    clock.wait(2.5)
    then = live.latestOffset(begin, MANY)
    assert begin == {"position": 0}
    assert then == {"position": 25}
    assert live.latestOffset(then, MANY) == then


def test_a_slow_pace_loses_no_fraction_of_a_row(clock):
    """At 0.3 rows a second the third row is out after eleven seconds, however often one asks."""
    live, offset = reader(clock, rows_per_second=0.3), {"position": 0}
    for _ in range(89):
        offset = live.latestOffset(offset, MANY)
        clock.wait(0.125)
    assert offset == {"position": 3}


def test_a_live_micro_batch_is_no_larger_than_rows_per_batch(clock):
    """What a slow query left behind comes in micro-batches of the usual size."""
    live = reader(clock, rows_per_second=100, rows_per_batch=30)
    offset = live.latestOffset({"position": 0}, live.getDefaultReadLimit())
    clock.wait(1)
    assert live.latestOffset(offset, live.getDefaultReadLimit()) == {"position": 30}


def test_a_stopped_query_goes_on_without_a_burst(clock):
    """An hour between two runs brings no rows: the next one comes a moment after the start."""
    first = reader(clock, rows_per_second=10)
    first.latestOffset(first.initialOffset(), MANY)
    clock.wait(10)
    stopped = first.latestOffset({"position": 0}, MANY)
    clock.wait(3600)
    second = reader(clock, rows_per_second=10)
    assert second.latestOffset(stopped, MANY) == {"position": 100}
    clock.wait(1)
    assert second.latestOffset(stopped, MANY) == {"position": 110}


def test_a_query_that_catches_up_gets_what_it_missed(clock):
    """With catch_up an hour's rows are due after a pause of an hour."""
    first = reader(clock, rows_per_second=10, catch_up=True)
    offset = first.latestOffset(first.initialOffset(), MANY)
    clock.wait(10)
    stopped = first.latestOffset(offset, MANY)
    clock.wait(3600)
    second = reader(clock, rows_per_second=10, catch_up=True)
    assert stopped["position"] == 100
    assert second.latestOffset(stopped, MANY)["position"] == 36_100


@pytest.mark.parametrize("kind, times", [(RideStream, "event_time"), (FareStream, "start_time")])
@pytest.mark.parametrize("flaws", [{}, {"late": 0.1, "duplicates": 0.1}])
def test_event_time_runs_so_many_times_as_fast_as_the_clock(clock, kind, times, flaws):
    """At a speedup of 60 a minute of the clock brings an hour of the city, to the minute."""
    live = reader(clock, kind, speedup=60, **flaws)
    offset = live.latestOffset({"position": 5000}, MANY)
    clock.wait(60)
    end = live.latestOffset(offset, MANY)["position"]
    pure = datagen.ride_events if kind is RideStream else datagen.fares
    rows = pure(offset["position"], end, profile="classic", **flaws)[times].to_pandas()
    assert abs((rows.max() - rows[0]).total_seconds() - 3600) < 120


def test_a_speedup_brings_the_first_rows_at_once_and_the_rest_in_time(clock):
    """Asking often or seldom gives the same position in the end."""
    often, seldom = reader(clock, speedup=600), reader(clock, speedup=600)
    start = {"position": 0}
    steps = [often.latestOffset(start, MANY)]
    seldom.latestOffset(start, MANY)
    for _ in range(20):
        clock.wait(0.5)
        steps.append(often.latestOffset(steps[-1], MANY))
    assert steps[-1] == seldom.latestOffset(start, MANY)
    assert [step["position"] for step in steps] == sorted(step["position"] for step in steps)


def test_available_now_keeps_the_pace_and_ends(clock):
    """A draining query waits for the next row rather than stop before the stream's end."""
    live = reader(clock, rides=10, rows_per_second=5)
    live.prepareForTriggerAvailableNow()
    began, offset = clock.now, {"position": 0}
    while (following := live.latestOffset(offset, MANY)) != offset:
        offset = following
    assert offset == {"position": 20}
    assert clock.now - began == pytest.approx(4, abs=0.1)


def test_a_run_ends_after_batches_per_run_even_when_all_is_asked_for(clock):
    """Asked for everything, the source gives everything of this run, and then no more."""
    live = reader(clock, rows_per_batch=100, batches_per_run=3)
    end = live.latestOffset({"position": 50}, ReadAllAvailable())
    assert end == {"position": 350}
    assert live.latestOffset(end, MANY) == end


def test_available_now_refuses_a_stream_without_an_end(clock):
    """What never ends can't be drained, and the error names the options that end it."""
    with pytest.raises(OptionError, match="rides, stop or batches_per_run"):
        reader(clock).prepareForTriggerAvailableNow()


@pytest.mark.parametrize("size", [1, 2, 7, 100])
@pytest.mark.parametrize("partitions", [1, 2, 3, 8])
def test_partitions_share_a_micro_batch_without_gap_or_overlap(clock, size, partitions):
    """The pieces follow each other, none is empty, and their sizes differ by one at most."""
    live = reader(clock, partitions=partitions)
    pieces = live.partitions({"position": 10}, {"position": 10 + size})
    assert [piece.start for piece in pieces] == [10] + [piece.stop for piece in pieces[:-1]]
    assert pieces[-1].stop == 10 + size
    sizes = [piece.stop - piece.start for piece in pieces]
    assert len(sizes) == min(size, partitions)
    assert max(sizes) - min(sizes) <= 1


def test_an_empty_micro_batch_has_no_partitions(clock):
    """Nothing to read is nothing to do."""
    assert reader(clock).partitions({"position": 7}, {"position": 7}) == []
