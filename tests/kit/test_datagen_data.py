"""The files in data/ are what the generator makes."""

import runpy
from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import datagen
from datagen.city_places import places

DATA = Path(__file__).parents[2] / "data"
MADE = runpy.run_path(str(DATA / "make.py"))["samples"]()


@pytest.mark.parametrize("name", MADE)
def test_a_file_holds_what_the_script_makes(name):
    """Every file that `data/make.py` writes still has the same rows."""
    path = DATA / name
    found = pyarrow.csv.read_csv(path) if path.suffix == ".csv" else pq.read_table(path)
    assert found.cast(MADE[name].schema).equals(MADE[name])


def test_every_file_is_accounted_for():
    """The folder holds the places, what the script makes, the script and its README only."""
    found = {path.name for path in DATA.iterdir() if path.is_file()}
    assert found == {*MADE, "places.csv", "make.py", "README.md"}


def test_the_folder_is_small():
    """All files together take less than two megabytes."""
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 2_000_000


def test_places_are_where_the_file_says():
    """More than 40 places lie in the city's box and some outside it, as their flag says."""
    inside = [p for p in places() if -74.05 <= p.lon <= -73.7 and 40.5 <= p.lat <= 41.0]
    assert inside == [p for p in places() if p.in_city]
    assert 40 <= len(inside) < len(places())
    assert len({p.place for p in places()}) == len(places())


def test_the_zone_of_a_place_is_that_place():
    """Every place's own cell carries its name; a cell in the sea has no zone."""
    zones = MADE["zones.csv"].to_pandas().set_index("cell").place.to_dict()
    inside = [p for p in places() if p.in_city]
    cells = [int((p.lon + 74.05) / 0.0014) + 250 * int((41 - p.lat) / 0.00125) for p in inside]
    assert [zones[cell] for cell in cells] == [p.place for p in inside]
    assert 0 not in zones


def test_most_rides_start_in_a_zone():
    """Of the rides that start in the city, nearly all start in a cell that has a zone."""
    starts = datagen.ride_events(0, 20_000).to_pandas().query("is_start")
    column = np.floor((starts.start_lon.astype(float) + 74.05) / 0.0014)
    row = np.floor((41 - starts.start_lat.astype(float)) / 0.00125)
    inside = column.between(0, 249) & row.between(0, 399)
    has_zone = (column + 250 * row)[inside].isin(MADE["zones.csv"]["cell"].to_numpy())
    assert 0.95 < inside.mean() < 0.995
    assert has_zone.mean() > 0.99
