"""The naive generator that the benchmark compares with is a second opinion on the stream."""

import datagen
from bench import naive


def test_the_naive_classic_stream_equals_the_vectorised_one():
    """Written down row by row, the documented recipe gives the same events in the same order."""
    expected = datagen.ride_events(0, 3000, profile="classic").to_pylist()
    assert [tuple(row.values()) for row in expected] == list(naive.classic(3000))
