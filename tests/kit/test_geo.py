"""The city's box and grid, against the formula written down again in plain NumPy."""

import numpy as np
import pytest
from pyspark.sql import Row
from pyspark.sql import functions as F

from datagen import geo

f32 = np.float32


def expected_cell(lon: float, lat: float) -> int | None:
    """The published formula: floors of double divisions, from the west and from the north."""
    column = np.floor((74.05 - abs(np.float64(lon))) / 0.0014)
    row = np.floor((41.0 - np.float64(lat)) / 0.00125)
    return int(column + 250 * row) if 0 <= column < 250 and 0 <= row < 400 else None


@pytest.fixture(scope="module")
def places() -> list[tuple[float, float]]:
    """Places on, just inside and just outside every border and corner, and many anywhere."""
    lons = [-74.05, -73.7, -74.04, -73.71, -73.875]
    lats = [40.5, 41.0, 40.75]
    lats += [np.nextafter(f32(lat), f32(to)) for lat in (40.5, 41.0) for to in (0, 90)]
    lons += [-74.06, -73.69]
    edges = [(lon, lat) for lon in map(f32, lons) for lat in map(f32, lats)]
    random = np.random.default_rng(7)
    anywhere = zip(
        random.uniform(-74.1, -73.65, 2000).astype(f32),
        random.uniform(40.45, 41.05, 2000).astype(f32),
        strict=True,
    )
    # Places on the very lines between cells, where the floor is decided by the last bit.
    lines = [(f32(-74.05 + 0.0014 * k), f32(41 - 0.00125 * k)) for k in range(1, 250)]
    return [(float(lon), float(lat)) for lon, lat in [*edges, *anywhere, *lines]]


@pytest.fixture(scope="module")
def mapped(spark, places) -> list[Row]:
    """What Spark makes of the places, given as float columns."""
    frame = spark.createDataFrame(places, "lon float, lat float")
    cell = geo.grid_cell("lon", "lat")
    return frame.select(
        geo.is_in_nyc(F.col("lon"), F.col("lat")).alias("inside"),
        cell.alias("cell"),
        geo.grid_cell(
            geo.cell_center(cell).getField("lon"), geo.cell_center(cell).getField("lat")
        ).alias("again"),
    ).collect()


def test_a_place_is_in_the_city_when_it_lies_in_the_box(mapped, places):
    """Both coordinates lie between the borders, compared as doubles."""
    expected = [-74.05 <= lon <= -73.7 and 40.5 <= lat <= 41 for lon, lat in places]
    assert [row.inside for row in mapped] == expected
    assert True in expected and False in expected


def test_a_cell_equals_the_formula_in_double_arithmetic(mapped, places):
    """Spark's cell equals the formula's at borders, corners, cell lines and anywhere."""
    expected = [expected_cell(lon, lat) for lon, lat in places]
    assert [row.cell for row in mapped] == expected
    assert None in expected


def test_the_center_of_a_cell_lies_in_that_cell(mapped):
    """Going from a cell to its center and back gives the same cell, or none for none."""
    assert [row.again for row in mapped] == [row.cell for row in mapped]


def one(spark, column):
    """The single value of a column expression."""
    return spark.range(1).select(column).first()[0]


@pytest.mark.parametrize("lon", [-74.05, -73.7])
@pytest.mark.parametrize("lat", [40.5, 41.0])
def test_a_corner_of_the_box_is_in_the_city(spark, lon, lat):
    """The border itself belongs to the city, its corners too, where the doubles are exact."""
    assert one(spark, geo.is_in_nyc(F.lit(lon), F.lit(lat))) is True


def test_the_corner_cells_have_the_numbers_of_the_corners(spark):
    """Cells count from 0 in the north-west, by row, to 99,999 in the south-east."""
    corners = [(-74.0499, 40.9999), (-73.7001, 40.9999), (-74.0499, 40.5001), (-73.7001, 40.5001)]
    found = [one(spark, geo.grid_cell(F.lit(lon), F.lit(lat))) for lon, lat in corners]
    assert found == [0, 249, 399 * 250, 99_999]


@pytest.mark.parametrize("lon, lat", [(None, 40.7), (-73.9, None), (None, 0.0), (None, None)])
def test_an_unknown_coordinate_gives_null(spark, lon, lat):
    """Null in, null out: for the box and for the grid."""
    place = F.lit(lon).cast("float"), F.lit(lat).cast("float")
    assert one(spark, geo.is_in_nyc(*place)) is None
    assert one(spark, geo.grid_cell(*place)) is None


def test_a_place_that_is_not_a_number_is_nowhere(spark):
    """A NaN is outside the box and has no cell, and does not end the query."""
    nan = F.lit(float("nan"))
    assert one(spark, geo.is_in_nyc(nan, F.lit(40.7))) is False
    assert one(spark, geo.grid_cell(nan, F.lit(40.7))) is None


@pytest.mark.parametrize("cell", [-1, 100_000, None])
def test_there_is_no_center_of_a_cell_off_the_grid(spark, cell):
    """A number that no cell has, or none at all, gives null."""
    assert one(spark, geo.cell_center(F.lit(cell).cast("int"))) is None


def test_the_types_are_those_of_the_course(spark):
    """Inside is boolean, a cell an int, a center two doubles."""
    frame = spark.range(1).select(
        geo.is_in_nyc(F.lit(-73.9), F.lit(40.7)).alias("inside"),
        geo.grid_cell(F.lit(-73.9), F.lit(40.7)).alias("cell"),
        geo.cell_center(F.lit(1)).alias("center"),
    )
    types = [field.dataType.simpleString() for field in frame.schema]
    assert types == ["boolean", "int", "struct<lon:double,lat:double>"]
