"""The profile classic is the stream of Flink's own training."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pytest

import datagen

FLINK = Path(__file__).parent / "data" / "flink-classic"
HOUR_MS = 3_600_000


def flink(name: str) -> pd.DataFrame:
    """Read a sample of Flink's stream, its times as epoch milliseconds."""
    floats = ("start_lon", "start_lat", "end_lon", "end_lat", "tip", "tolls", "total_fare")
    return pd.read_csv(FLINK / name, dtype=dict.fromkeys(floats, np.float32))


def ours(table) -> pd.DataFrame:
    """Give a table of the generator the columns of Flink's files."""
    frame = table.to_pandas()
    for time in ("event_time", "start_time"):
        if time in frame:
            millis = frame[time].astype("int64") // 1000
            frame.insert(frame.columns.get_loc(time), f"{time}_ms", millis)
            frame = frame.drop(columns=time)
    return frame


def ends_by_id(events: pd.DataFrame) -> pd.DataFrame:
    """Order by id the ENDs that stand together and share a time; Flink leaves them in any order."""
    run = (events[["is_start", "event_time_ms"]].diff() != 0).any(axis=1).cumsum()
    tie = events.ride_id.where(~events.is_start, 0)
    return events.assign(run=run, tie=tie).sort_values(["run", "tie"], kind="stable")


def test_fares_are_those_of_flink_row_for_row():
    """The first 2,000 fares equal Flink's in every column."""
    assert ours(datagen.fares(0, 2000, profile="classic")).equals(
        flink("fares.csv").astype({"tip": "float32"})
    )


def test_ride_events_are_those_of_flink_row_for_row():
    """The first 5,000 ride events equal Flink's in every column and stand in the same order."""
    expected = ends_by_id(flink("ride_events.csv")).astype({"passenger_count": "int16"})
    found = ends_by_id(ours(datagen.ride_events(0, 5000, profile="classic")))
    assert found.reset_index(drop=True).equals(expected.reset_index(drop=True))


@pytest.mark.parametrize(
    ("hour_end", "driver", "tips"),
    [
        (1577883600000, 2013000089, 76),
        (1577887200000, 2013000197, 71),
        (1577890800000, 2013000118, 83),
        (1577894400000, 2013000119, 81),
        (1577898000000, 2013000195, 73),
        (1577901600000, 2013000072, 123),
    ],
)
def test_the_hourly_tips_are_those_that_flink_publishes(hour_end, driver, tips):
    """The driver with the most tips of each hour, and how much, as Flink's lab prints them."""
    fares = ours(datagen.fares(0, 1300, profile="classic"))
    end = (fares.start_time_ms // HOUR_MS + 1) * HOUR_MS
    hour = fares[end == hour_end].groupby("driver_id").tip.sum()
    assert (hour.idxmax(), hour.max()) == (driver, tips)


def test_the_seed_does_not_change_the_data():
    """The classic stream is fixed: every seed gives the same rows."""
    first = datagen.ride_events(0, 1000, profile="classic", seed=1)
    assert first.equals(datagen.ride_events(0, 1000, profile="classic", seed=2))


def test_a_far_range_holds_whole_rides():
    """Ten million events in, an END still belongs to a START of 0 to 600 minutes before."""
    events = datagen.ride_events(10_000_000, 10_010_000, profile="classic").to_pandas()
    both = events[events.is_start].merge(events[~events.is_start], on="ride_id")
    minutes = (both.event_time_y - both.event_time_x).dt.total_seconds() / 60
    assert len(both) > 4000
    assert minutes.between(0, 600).all()


def test_starts_come_five_at_a_time_and_every_ride_once():
    """The STARTs of the stream are all rides, in groups of five consecutive ids."""
    events = datagen.ride_events(0, 20_000, profile="classic")
    starts = events.filter(events["is_start"])["ride_id"].to_numpy()
    groups = starts[: starts.size // 5 * 5].reshape(-1, 5)
    assert (np.sort(groups).ravel() == np.arange(1, groups.size + 1)).all()
    assert pc.count_distinct(events["driver_id"]).as_py() == 200
