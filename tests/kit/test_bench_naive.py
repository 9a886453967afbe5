"""The naive generators that the benchmark compares with are a second opinion on the streams."""

from itertools import islice

import numpy as np
import pytest

import datagen
from bench import naive

EVENTS = 4000


@pytest.mark.parametrize("profile", ["classic", "city"])
def test_the_naive_stream_equals_the_vectorised_one(profile):
    """Written down row by row, a profile has the same events in the same order."""
    found = [as_floats(row) for row in islice(naive.EVENTS[profile](), EVENTS)]
    expected = datagen.ride_events(0, EVENTS, profile=profile).to_pylist()
    assert found == [tuple(row.values()) for row in expected]


def as_floats(row: tuple) -> tuple:
    """The row with its coordinates as the floats that a stream holds."""
    return (*row[:5], *(float(np.float32(degrees)) for degrees in row[5:9]), row[9])
