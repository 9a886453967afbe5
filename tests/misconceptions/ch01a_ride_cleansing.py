"""What learners get wrong when they cleanse the ride stream."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import is_in_nyc
from datagen.grid import EAST, NORTH, SOUTH, WEST
from trainer.misconceptions import caught_by


@caught_by("test_a_ride_that_ends_outside_the_city_is_dropped")
def looks_at_the_start_only(rides: DataFrame) -> DataFrame:
    """You kept rides that *start* in the city. A ride also has an end, which must lie there too."""
    return rides.filter(is_in_nyc("start_lon", "start_lat"))


@caught_by("test_a_ride_that_starts_outside_the_city_is_dropped")
def looks_at_the_end_only(rides: DataFrame) -> DataFrame:
    """You kept rides that *end* in the city. A ride also has a start, which must lie there too."""
    return rides.filter(is_in_nyc("end_lon", "end_lat"))


@caught_by(
    "test_a_ride_that_ends_outside_the_city_is_dropped",
    "test_a_ride_that_starts_outside_the_city_is_dropped",
)
def one_end_is_enough(rides: DataFrame) -> DataFrame:
    """You kept rides with *one* end in the city. Both ends must lie there: join them by `&`."""
    return rides.filter(is_in_nyc("start_lon", "start_lat") | is_in_nyc("end_lon", "end_lat"))


@caught_by("test_a_ride_in_the_city_is_kept")
def keeps_what_should_go(rides: DataFrame) -> DataFrame:
    """You kept the rides *outside* the city. A filter's condition says what stays."""
    return rides.filter(~(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat")))


@caught_by("test_both_events_of_a_ride_are_kept")
def keeps_starts_only(rides: DataFrame) -> DataFrame:
    """You dropped the END events. A ride has two events, and each says where it starts and ends."""
    return rides.filter(
        F.col("is_start") & is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat")
    )


@caught_by("test_an_unknown_place_is_not_in_the_city")
def drops_what_is_known_to_be_outside(rides: DataFrame) -> DataFrame:
    """You kept rides with an unknown place. A null is not known to be outside, but neither is it
    known to be inside."""
    starts_here, ends_here = is_in_nyc("start_lon", "start_lat"), is_in_nyc("end_lon", "end_lat")
    return rides.filter(F.coalesce(starts_here, F.lit(True)) & F.coalesce(ends_here, F.lit(True)))


@caught_by("test_the_border_is_inside")
def leaves_the_border_out(rides: DataFrame) -> DataFrame:
    """You dropped rides on the city's border. It is inside: `>=` and `<=`, not `>` and `<`."""

    def inside(lon: str, lat: str) -> F.Column:
        lon, lat = F.col(lon), F.col(lat)
        return (lon > WEST) & (lon < EAST) & (lat > SOUTH) & (lat < NORTH)

    return rides.filter(inside("start_lon", "start_lat") & inside("end_lon", "end_lat"))


@caught_by("test_an_event_that_comes_twice_is_kept_twice")
def drops_repeats_as_well(rides: DataFrame) -> DataFrame:
    """You dropped events that came twice. Nobody asked for that, and to recognise them Spark has to
    keep state for ever.
    """
    rides = rides.filter(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat"))
    return rides.dropDuplicates(["ride_id", "is_start"])
