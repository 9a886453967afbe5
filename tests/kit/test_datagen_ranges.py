"""Any range of any stream has the same rows, however it is asked for."""

import subprocess
import sys
import tracemalloc

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datagen

MAKERS = {
    "rides": (datagen.ride_events, datagen.iter_ride_events, datagen.count_ride_events),
    "fares": (datagen.fares, datagen.iter_fares, datagen.count_fares),
    "lines": (datagen.ride_lines, datagen.iter_ride_lines, datagen.count_ride_events),
}
knobs = st.fixed_dictionaries(
    {
        "profile": st.sampled_from(["city", "classic"]),
        "seed": st.integers(-1, 2),
        "truth": st.booleans(),
        "disorder": st.sampled_from([0, 0.5, 599.5, 3600]),
        "late": st.sampled_from([0, 0.01, 1]),
        "late_by": st.sampled_from([3601, 20_000]),
        "duplicates": st.sampled_from([0, 0.001, 0.1, 0.5]),
        "missing_ends": st.sampled_from([0, 0.003, 0.5]),
        "missing_fares": st.sampled_from([0, 0.02, 0.5]),
        "malformed": st.sampled_from([0, 0.1]),
        "hot_key": st.sampled_from([0, 0.3, 1]),
    }
)
positions = st.one_of(st.integers(0, 10_000), st.integers(0, 10**9))
streams = st.sampled_from(list(MAKERS))
few = settings(max_examples=40, deadline=None, derandomize=True)


@few
@given(streams, knobs, positions, st.lists(st.integers(0, 1500), min_size=1, max_size=4))
def test_pieces_of_a_range_are_the_range(stream, options, start, sizes):
    """Cut anywhere and made piece by piece, a range has the same rows in the same order."""
    make, *_ = MAKERS[stream]
    pieces, at = [], start
    for size in sizes:
        pieces.append(make(at, at + size, **options))
        at += size
    assert pa.concat_tables(pieces).equals(make(start, at, **options))


@few
@given(streams, knobs, positions, st.integers(1, 2000), st.integers(100, 3000))
def test_batches_of_a_range_are_the_range(stream, options, start, size, batch_rows):
    """Batches of any size have the rows of the table, and no batch is larger than asked for."""
    make, batches, _ = MAKERS[stream]
    made = list(batches(start, start + size, batch_rows=batch_rows, **options))
    assert max(batch.num_rows for batch in made) <= batch_rows
    assert pa.Table.from_batches(made).equals(make(start, start + size, **options))


@few
@given(streams, knobs, st.integers(0, 1500))
def test_a_stream_of_so_many_rides_has_the_length_it_says(stream, options, rides):
    """A bounded stream holds as many rows as `count_…` says, and none after its end."""
    make, _, count = MAKERS[stream]
    length = count(rides, **options)
    assert make(0, 10**7, rides=rides, **options).num_rows == length
    assert make(length, length + 10, rides=rides, **options).num_rows == 0


@few
@given(streams, knobs, st.integers(1, 1500))
def test_a_bounded_stream_is_the_endless_one_without_the_later_rides(stream, options, rides):
    """The first N rides stand in the bounded stream as in the endless one, others left out."""
    if stream == "lines":
        stream = "rides"
    make, *_ = MAKERS[stream]
    bounded = make(0, 10**7, rides=rides, **options)
    ids = make(0, 4 * rides + 200_000, **options)
    assert ids.filter(pa.compute.less_equal(ids["ride_id"], rides)).equals(bounded)


@pytest.mark.parametrize("profile", ["city", "classic"])
def test_a_long_range_is_made_in_little_memory(profile):
    """Two million events in batches take no more memory than a few batches."""
    tracemalloc.start()
    for _ in datagen.iter_ride_events(0, 2_000_000, profile=profile):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150_000_000


@pytest.mark.parametrize("profile", ["city", "classic"])
def test_columns_and_types_are_those_of_the_schema(profile):
    """Every profile has the columns of the schema, also for an empty range."""
    for stop in (0, 10):
        assert datagen.ride_events(0, stop, profile=profile).schema == datagen.RIDE_SCHEMA
        assert datagen.fares(0, stop, profile=profile).schema == datagen.FARE_SCHEMA
        assert datagen.ride_lines(0, stop, profile=profile).schema == datagen.LINE_SCHEMA


@pytest.mark.parametrize("make", [datagen.ride_events, datagen.fares, datagen.ride_lines])
def test_seeds_make_different_cities(make):
    """Another seed is another city."""
    assert not make(0, 100, seed=1).equals(make(0, 100, seed=2))


@pytest.mark.parametrize("make", ["ride_events", "fares"])
def test_making_rows_does_not_load_pandas(make):
    """A Python worker of Spark makes its first rows without waiting for pandas to load."""
    script = f"import sys, datagen; datagen.{make}(0, 10); sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
