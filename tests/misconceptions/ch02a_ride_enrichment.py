"""What learners get wrong when they name the places of the ride stream."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from datagen.geo import COLUMNS, NORTH, WEST, grid_cell
from trainer.misconceptions import caught_by

WIDTH, HEIGHT = 0.0014, 0.00125


@caught_by(
    "test_a_ride_from_a_cell_without_a_name_is_kept",
    "test_a_ride_from_off_the_grid_is_kept",
    "test_a_ride_with_an_unknown_place_is_kept",
)
def loses_what_has_no_name(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You lost the rides whose cell has no name. An inner join drops them, a left one doesn't."""
    return _named(_located(rides), zones, how="inner")


@caught_by("test_a_ride_from_off_the_grid_is_kept", "test_a_place_beyond_the_border_has_no_cell")
def drops_what_is_off_the_grid(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You dropped rides without a start_cell. Enrichment adds columns; it never drops a row."""
    return _named(_located(rides).filter("start_cell IS NOT NULL"), zones)


@caught_by("test_a_ride_from_midtown_is_named", "test_the_end_of_a_ride_names_where_it_started")
def names_where_it_ends(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You looked up the end_cell. The pickup is where the ride *starts*."""
    return _named(_located(rides), zones, by=F.col("end_cell"))


@caught_by("test_the_end_of_a_ride_names_where_it_started")
def takes_the_place_of_the_event(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """On END events you named the place where the ride ends. The pickup of an END, too, is where
    its ride started.
    """
    here = F.when(F.col("is_start"), F.col("start_cell")).otherwise(F.col("end_cell"))
    return _named(_located(rides), zones, by=here)


@caught_by("test_the_end_of_a_ride_names_where_it_started")
def names_starts_only(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You named the pickup on START events only. An END carries its ride's start, too."""
    here = F.when(F.col("is_start"), F.col("start_cell"))
    return _named(_located(rides), zones, by=here)


@caught_by("test_a_ride_from_midtown_is_named", "test_a_ride_within_one_place_comes_out_once")
def joins_on_either_cell(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You joined on either of the two cells, so a ride between two named cells came out twice."""
    located = _located(rides)
    pickup = _pickup(zones)
    either = (pickup["cell"] == located["start_cell"]) | (pickup["cell"] == located["end_cell"])
    return located.join(pickup, either, "left").drop("cell")


@caught_by("test_a_place_anywhere_in_a_cell_is_in_that_cell")
def rounds_to_the_nearest_cell(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You rounded. A cell reaches from one grid line to the next: use `floor`, or `grid_cell`."""

    def nearest(lon: str, lat: str) -> Column:
        across = F.round((F.col(lon).cast("double") - WEST) / WIDTH)
        down = F.round((NORTH - F.col(lat).cast("double")) / HEIGHT)
        return across + COLUMNS * down

    return _named(_located(rides, nearest), zones)


@caught_by("test_a_ride_from_midtown_is_named")
def counts_rows_from_the_south(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You counted the grid's rows from the south. Cell 0 lies in the north-west; `grid_cell` counts
    for you.
    """

    def from_the_south(lon: str, lat: str) -> Column:
        across = F.floor((F.col(lon).cast("double") - WEST) / WIDTH)
        return across + COLUMNS * F.floor((F.col(lat).cast("double") - 40.5) / HEIGHT)

    return _named(_located(rides, from_the_south), zones)


@caught_by("test_a_place_beyond_the_border_has_no_cell", "test_a_ride_from_off_the_grid_is_kept")
def numbers_places_off_the_grid(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You gave places off the grid a cell number, which belongs to a cell somewhere else. They have
    no cell: null.
    """

    def unbounded(lon: str, lat: str) -> Column:
        across = F.floor((F.col(lon).cast("double") - WEST) / WIDTH)
        return across + COLUMNS * F.floor((NORTH - F.col(lat).cast("double")) / HEIGHT)

    return _named(_located(rides, unbounded), zones)


@caught_by("test_a_ride_from_midtown_is_named")
def swaps_longitude_and_latitude(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You gave the latitude before the longitude, and so no place was on the grid: it is
    `grid_cell(lon, lat)`.
    """
    return _named(_located(rides, lambda lon, lat: grid_cell(lat, lon)), zones)


@caught_by(
    "test_a_ride_from_a_cell_without_a_name_is_kept", "test_a_place_beyond_the_border_has_no_cell"
)
def makes_up_a_name(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You filled in a name where there is none. What isn't known stays null."""
    return _named(_located(rides), zones).fillna("unknown", ["pickup_place", "pickup_borough"])


@caught_by("test_repeats_and_late_events_pass", "test_each_event_comes_out_in_its_own_micro_batch")
def drops_repeats(rides: DataFrame, zones: DataFrame) -> DataFrame:
    """You dropped events that came twice. Every event that comes in must go out, and nothing has to
    be remembered."""
    return _named(_located(rides.dropDuplicates(["ride_id", "is_start"])), zones)


def _located(rides: DataFrame, cell=grid_cell) -> DataFrame:
    cells = {
        f"{end}_cell": cell(f"{end}_lon", f"{end}_lat").cast("int") for end in ("start", "end")
    }
    return rides.withColumns(cells)


def _pickup(zones: DataFrame) -> DataFrame:
    return zones.toDF("cell", "pickup_place", "pickup_borough")


def _named(located: DataFrame, zones: DataFrame, by: Column | None = None, how: str = "left"):
    by = F.col("start_cell") if by is None else by
    return located.join(_pickup(zones), by == F.col("cell"), how).drop("cell")
