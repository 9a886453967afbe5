"""The profile city is realistic where a lesson looks."""

import numpy as np
import pandas as pd
import pytest

import datagen
from datagen.city_places import places
from datagen.city_week import week

NEW_YORK = "Etc/GMT+5"


def city_rides(rides: int, seed: int = 0) -> pd.DataFrame:
    """Give one row a ride, its END's time as `end`."""
    events = datagen.ride_events(0, 2 * rides, seed=seed, rides=rides).to_pandas()
    ends = events[~events.is_start].set_index("ride_id").event_time.rename("end")
    rides = events[events.is_start].join(ends, on="ride_id")
    return rides.assign(minutes=(rides.end - rides.event_time).dt.total_seconds() / 60)


@pytest.fixture(scope="module")
def eight_days():
    """Nearly eight days of rides, so that the week's turn is among them."""
    return city_rides(340_000)


def most_overlap(rides: pd.DataFrame, key: str) -> pd.Timedelta:
    """How far any ride of one driver or car reaches into the next."""
    rides = rides.sort_values([key, "event_time"])
    return (rides.groupby(key).end.shift() - rides.event_time).max()


@pytest.mark.parametrize("seed", [0, 1, -5])
@pytest.mark.parametrize("key", ["driver_id", "taxi_id"])
def test_nobody_has_two_rides_at_once(key, seed, eight_days):
    """In a week and more no driver and no car starts a ride before the one before has ended."""
    rides = eight_days if seed == 0 else city_rides(340_000, seed)
    assert most_overlap(rides, key) < pd.Timedelta(0)


def test_the_stream_comes_in_order_of_event_time():
    """Without flaws events arrive by event time, and equal times by ride."""
    events = datagen.ride_events(600_000, 640_000).to_pandas()
    assert events.equals(
        events.sort_values(["event_time", "ride_id", "is_start"], ascending=[True, True, False])
    )


def test_the_first_ride_starts_on_monday_at_midnight():
    """Ride 1 starts within a minute of Monday, 2024-03-04, 00:00 in New York."""
    first = datagen.fares(0, 1)["start_time"][0].as_py()
    assert 0 <= (first - pd.Timestamp("2024-03-04 05:00", tz="UTC")).total_seconds() < 60


def test_every_week_starts_with_the_same_number_of_rides_behind_it():
    """The ride that opens the second week starts in its first minute."""
    rides = week(0).opens.size
    start = datagen.fares(rides, rides + 1)["start_time"][0].as_py()
    assert 0 <= (start - pd.Timestamp("2024-03-11 05:00", tz="UTC")).total_seconds() < 60


def test_demand_shows_the_rush_hours_and_the_night(eight_days):
    """On a Tuesday eight in the morning and six in the evening peak, and four at night is quiet."""
    start = eight_days.event_time.dt.tz_convert(NEW_YORK)
    by_hour = start[start.dt.dayofweek == 1].dt.hour.value_counts().sort_index()
    assert by_hour.idxmax() == 18
    assert by_hour[8] > 1.15 * by_hour[10]
    assert by_hour[4] < by_hour[18] / 6


def test_the_weekend_has_other_hours(eight_days):
    """At one at night a Saturday has twice the rides of a Tuesday, at eight far fewer."""
    start = eight_days.event_time.dt.tz_convert(NEW_YORK)
    days = start.dt.dayofweek
    tuesday, saturday = (start[days == day].dt.hour.value_counts() for day in (1, 5))
    assert saturday[1] > 2 * tuesday[1]
    assert saturday[8] < 0.6 * tuesday[8]


def test_duration_follows_distance_and_the_hour(eight_days):
    """Far rides take longer, and the same distance takes longer in the rush hour than at night."""
    km = np.hypot(
        (eight_days.end_lon - eight_days.start_lon) * 84.3,
        (eight_days.end_lat - eight_days.start_lat) * 111.2,
    )
    assert np.corrcoef(km, eight_days.minutes)[0, 1] > 0.8
    hour = eight_days.event_time.dt.tz_convert(NEW_YORK).dt.hour
    near = eight_days[km.between(2, 3)].minutes.groupby(hour).mean()
    assert near[17] > 1.5 * near[3]
    assert eight_days.minutes.between(1, 75).all()


def test_pickups_do_not_lie_on_a_line(eight_days):
    """Longitude and latitude of pickups hardly go together, and within a place not at all."""
    lon, lat = eight_days.start_lon, eight_days.start_lat
    assert abs(np.corrcoef(lon, lat)[0, 1]) < 0.4
    uptown = next(p for p in places() if p.place == "Upper East Side South")
    here = (abs(lon - uptown.lon) < 0.002) & (abs(lat - uptown.lat) < 0.002)
    assert here.sum() > 4000
    assert abs(np.corrcoef(lon[here], lat[here])[0, 1]) < 0.05


def test_tips_and_passengers_are_independent(eight_days):
    """The number of passengers says nothing of the tip, the duration or the place."""
    tips = datagen.fares(0, 340_000)["tip"].to_numpy()
    rides = eight_days.sort_values("ride_id")
    for other in (tips, rides.minutes, rides.start_lon, rides.end_lat):
        assert abs(np.corrcoef(rides.passenger_count, other)[0, 1]) < 0.01


def test_tips_depend_on_how_one_pays():
    """Who pays by card tips about a fifth, most of the time; who pays in cash nearly never."""
    fares = datagen.fares(0, 50_000).to_pandas()
    rate = fares.tip / (fares.total_fare - fares.tip - fares.tolls)
    card = rate[fares.payment_type == "CARD"]
    assert 0.6 < (fares.payment_type == "CARD").mean() < 0.8
    assert 0.17 < card.mean() < 0.21
    assert 0.02 < (card == 0).mean() < 0.1
    assert (rate[fares.payment_type == "CASH"] == 0).mean() > 0.9


def test_fares_belong_to_their_rides():
    """A fare carries the driver, the car and the start time of its ride."""
    keys = ["ride_id", "driver_id", "taxi_id"]
    rides = city_rides(5000).rename(columns={"event_time": "start_time"})[[*keys, "start_time"]]
    fares = datagen.fares(0, 5000).to_pandas()[[*keys, "start_time"]]
    assert fares.equals(rides.reset_index(drop=True))


def test_the_meter_counts_the_minutes():
    """Longer rides cost more."""
    rides = city_rides(5000)
    fares = datagen.fares(0, 5000).to_pandas()
    metered = fares.total_fare - fares.tip - fares.tolls
    assert np.corrcoef(metered, rides.minutes)[0, 1] > 0.85


def test_drivers_work_shifts_and_take_days_off(eight_days):
    """Nobody works by day and by night, nor starts rides over more than twelve hours a shift."""
    local = eight_days.event_time.dt.tz_convert(NEW_YORK) - pd.Timedelta(hours=5)
    by_night = local.dt.hour >= 12
    assert (by_night.groupby(eight_days.driver_id).nunique() == 1).all()
    week_days = local[local.dt.day.between(4, 10)].dt.date.groupby(eight_days.driver_id).nunique()
    assert week_days.max() == 6


def test_some_rides_leave_the_city(eight_days):
    """A few rides in a hundred start or end outside the city's box."""
    outside = pd.Series(False, index=eight_days.index)
    for side in ("start", "end"):
        lon, lat = eight_days[f"{side}_lon"], eight_days[f"{side}_lat"]
        outside |= ~(lon.between(-74.05, -73.7) & lat.between(40.5, 41.0))
    assert 0.01 < outside.mean() < 0.06


def test_some_cells_are_popular(eight_days):
    """On Monday evening a few cells, not one and not a hundred, see 20 starts in 15 minutes."""
    evening = eight_days[eight_days.event_time.between("2024-03-04 23:00Z", "2024-03-05 00:59Z")]
    cell = np.floor((evening.start_lon + 74.05) / 0.0014) + 250 * np.floor(
        (41 - evening.start_lat) / 0.00125
    )
    counts = evening.groupby([evening.event_time.dt.floor("15min"), cell]).size()
    popular = (counts >= 20).groupby(level=0).sum()
    assert popular.between(1, 20).all()
