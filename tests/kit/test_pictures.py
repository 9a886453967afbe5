"""The picture of the city shows what the stream holds, and is the same each time."""

from io import BytesIO

import pytest

import datagen
from datagen import pictures


@pytest.fixture(scope="module")
def week():
    """The START events of a week."""
    return pictures.first_week()


def as_png(figure) -> bytes:
    """The bytes of a picture."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=40)
    return file.getvalue()


def test_the_picture_is_the_same_each_time(week):
    """Drawn twice from the same rides, it has the same bytes."""
    assert as_png(pictures.draw_demand(week)) == as_png(pictures.draw_demand(week))


def test_a_week_holds_seven_whole_days(week):
    """The rides start within seven days, from midnight to midnight in New York."""
    times = week["event_time"].to_pandas()
    local = times - times.min().floor("D") - (times.min() - times.min().floor("D")).floor("h")
    assert local.dt.days.nunique() == 7
    assert local.max().total_seconds() < 7 * 86_400
    events = datagen.ride_events(0, 2 * week.num_rows + 5000).to_pandas()
    starts = events[events.is_start & (events.event_time <= times.max())]
    assert len(starts) == week.num_rows


def test_the_hours_add_up_to_the_week(week):
    """Four weekdays alike, Friday, Saturday and Sunday: together they are all rides."""
    _, when = pictures.draw_demand(week).axes[:2]
    rides = {line.get_label(): sum(line.get_ydata()) for line in when.get_lines()}
    assert 4 * rides.pop("Monday to Thursday") + sum(rides.values()) == week.num_rows


def test_every_ride_in_the_city_is_on_the_map(week):
    """The cells of the map count each ride that starts on the grid, the north on top."""
    where = pictures.draw_demand(week).axes[0]
    shown = where.get_images()[0].get_array()
    lon, lat = week["start_lon"].to_numpy(), week["start_lat"].to_numpy()
    inside = (lat >= 40.5) & (lat <= 41) & (lon >= -74.05) & (lon <= -73.7)
    assert shown.sum() == inside.sum()
    assert shown[:200].sum() == (lat[inside] > 40.75).sum()
