"""The ride stream as lines of JSON."""

import json

import numpy as np
import pytest

import datagen
from datagen.lines import FLAWS

TIME = "%Y-%m-%dT%H:%M:%SZ"


def fits(line: str) -> bool:
    """Say whether a line is an event: every field there, of its type and in its range."""
    try:
        event = json.loads(line)
    except json.JSONDecodeError:
        return False
    return list(event) == datagen.RIDE_SCHEMA.names and all(
        [
            all(type(event[name]) is int for name in ("ride_id", "taxi_id", "driver_id")),
            type(event["is_start"]) is bool,
            all(type(event[name]) is float for name in event if name.endswith(("_lon", "_lat"))),
            type(event["passenger_count"]) is int and abs(event["passenger_count"]) < 2**15,
            type(event["event_time"]) is str and event["event_time"] < "2024-13",
        ]
    )


@pytest.mark.parametrize("profile", ["city", "classic"])
def test_lines_are_the_events(profile):
    """Each line holds the values of the event at its position, floats to their last digit."""
    options = {"profile": profile, "disorder": 60, "duplicates": 0.1}
    events = datagen.ride_events(700, 1700, **options).to_pylist()
    lines = datagen.ride_lines(700, 1700, **options)["value"].to_pylist()
    for event, line in zip(events, lines, strict=True):
        found = {name: _as_sent(value) for name, value in json.loads(line).items()}
        event["event_time"] = event["event_time"].strftime(TIME)
        assert found == event and list(found) == list(event)


def _as_sent(value: object) -> object:
    """Give a float as the 32-bit float it was."""
    return float(np.float32(value)) if isinstance(value, float) else value


def test_the_share_of_malformed_lines_is_broken():
    """A tenth of the lines are broken; the truth names how, and every way occurs."""
    lines = datagen.ride_lines(0, 20_000, malformed=0.1, truth=True).to_pandas()
    assert lines.flaw.notna().mean() == pytest.approx(0.1, abs=0.01)
    assert set(lines.flaw.dropna()) == set(FLAWS)


def test_the_truth_tells_which_lines_are_broken():
    """A line fits the schema exactly when the truth names no flaw."""
    lines = datagen.ride_lines(0, 5_000, malformed=0.3, truth=True).to_pandas()
    assert (lines.value.map(fits) == lines.flaw.isna()).all()


def test_breaking_some_lines_leaves_the_others_alone():
    """The lines that are not broken are the lines of the whole stream."""
    whole = datagen.ride_lines(0, 5_000)["value"].to_pandas()
    lines = datagen.ride_lines(0, 5_000, malformed=0.3, truth=True).to_pandas()
    assert lines.value[lines.flaw.isna()].equals(whole[lines.flaw.isna()])


def test_every_line_can_be_broken():
    """With a share of 1 no line fits."""
    lines = datagen.ride_lines(0, 1_000, malformed=1)["value"].to_pylist()
    assert not any(map(fits, lines))
