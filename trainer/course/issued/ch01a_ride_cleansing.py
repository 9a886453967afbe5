"""Ride cleansing: keep the rides of New York City.

The taxi company's feed also brings rides from elsewhere: a trip to Hartford, a pick-up at Newark,
a car whose GPS was off. The city's planners want none of them. You stand between the feed and the
planners, and let through only what they asked for.
"""

from pyspark.sql import DataFrame

from datagen.geo import is_in_nyc


def cleanse(rides: DataFrame) -> DataFrame:
    """Keep the ride events whose ride both starts and ends in New York City.

    Input: the columns of the ride stream. `start_lon`, `start_lat`, `end_lon` and `end_lat` say
    where the ride starts and ends; every event, START or END, carries both places.

    Output: the same columns, in the same order, unchanged.

    The rules:
    - Both places must lie in the city. `is_in_nyc(lon, lat)` tells you; the city's border
      counts as inside.
    - A place with an unknown coordinate (null) is not in the city.

    Example: ride 1 goes from Midtown to JFK and is kept; ride 2 goes from Midtown to Hartford and
    is dropped, its START and its END alike.
    """
    # TODO: keep the events whose two places `is_in_nyc`.
    raise NotImplementedError
