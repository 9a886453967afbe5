"""Each flaw does what its knob says, and the truth tells of it."""

import pandas as pd
import pytest

import datagen

RIDES = 20_000
PROFILES = pytest.mark.parametrize("profile", ["city", "classic"])


def events(**options) -> pd.DataFrame:
    """Give all events of the first rides, with the truth."""
    return datagen.ride_events(0, 4 * RIDES, rides=RIDES, truth=True, **options).to_pandas()


def fares(**options) -> pd.DataFrame:
    """Give all fares of the first rides, with the truth."""
    return datagen.fares(0, 2 * RIDES, rides=RIDES, truth=True, **options).to_pandas()


def lag(times: pd.Series) -> pd.Series:
    """How many seconds each row is behind the newest before it."""
    return (times.cummax() - times).dt.total_seconds()


@PROFILES
def test_without_knobs_nothing_is_flawed(profile):
    """Without knobs every ride has a START and an END, once, in time."""
    rides = events(profile=profile)
    assert rides.groupby("ride_id").is_start.agg(["sum", "size"]).eq([1, 2]).all().all()
    assert (
        rides[["is_late", "is_duplicate", "end_missing", "fare_missing", "is_hot"]].sum() == 0
    ).all()
    assert (rides.arrival_delay_s == 0).all()


def test_disorder_is_bounded():
    """With a disorder of a minute events come out of order, but always by less than a minute."""
    for times in (events(disorder=60).event_time, fares(disorder=60).start_time):
        assert 50 < lag(times).max() < 60
        assert (lag(times) > 0).mean() > 0.5


@PROFILES
def test_disorder_moves_rows_and_changes_none(profile):
    """Out of order the stream has the same rows."""
    keys = ["ride_id", "is_start"]
    plain, mixed = (events(profile=profile, disorder=d).sort_values(keys) for d in (0, 300))
    plain, mixed = (rides[list(datagen.RIDE_SCHEMA.names)] for rides in (plain, mixed))
    assert mixed.reset_index(drop=True).equals(plain.reset_index(drop=True))


def test_late_events_are_later_than_disorder_allows():
    """The late ones, and only they, lag more than the disorder, and never more than `late_by`."""
    rides = events(disorder=60, late=0.05, late_by=600)
    behind = lag(rides.event_time)
    assert 0.04 < rides.is_late.mean() < 0.06
    assert (behind[~rides.is_late] < 60).all()
    assert behind[rides.is_late].between(60, 600).mean() > 0.99
    assert rides.arrival_delay_s[rides.is_late].between(330, 600).all()


def test_rows_arrive_in_the_order_that_the_truth_tells():
    """Event time and delay add up to an arrival that never goes back."""
    rides = events(disorder=60, late=0.1, duplicates=0.2, missing_ends=0.1)
    arrival = rides.event_time + pd.to_timedelta(rides.arrival_delay_s, unit="s")
    assert arrival.is_monotonic_increasing


@PROFILES
def test_duplicates_come_twice(profile):
    """One in ten events comes a second time, later, and equal to the first."""
    rides = events(profile=profile, duplicates=0.1, disorder=300, missing_ends=0.05)
    own = list(datagen.RIDE_SCHEMA.names)
    assert rides[~rides.is_duplicate].duplicated(own).sum() == 0
    assert (rides.duplicated(own) == rides.is_duplicate).all()
    assert rides.is_duplicate.sum() / (~rides.is_duplicate).sum() == pytest.approx(0.1, abs=1e-3)


def test_duplicate_fares_come_twice():
    """One in ten fares comes a second time."""
    found = fares(duplicates=0.1)
    assert (found.duplicated(list(datagen.FARE_SCHEMA.names)) == found.is_duplicate).all()
    assert found.is_duplicate.sum() == pytest.approx(0.1 * RIDES, abs=20)


@PROFILES
def test_missing_ends_never_come(profile):
    """A ride whose END is missing has a START that says so, and no END."""
    rides = events(profile=profile, missing_ends=0.02)
    assert rides[rides.end_missing].is_start.all()
    ended = rides[~rides.is_start].ride_id
    starts = rides[rides.is_start]
    assert (starts.ride_id.isin(ended) == ~starts.end_missing).all()
    assert starts.end_missing.mean() == pytest.approx(0.02, abs=1e-3)


@PROFILES
def test_missing_fares_never_come(profile):
    """The fares left out are those that the ride stream says are missing."""
    options = {"profile": profile, "missing_fares": 0.03, "seed": 4}
    starts = events(**options).query("is_start")
    assert (starts.ride_id.isin(fares(**options).ride_id) == ~starts.fare_missing).all()
    assert starts.fare_missing.mean() == pytest.approx(0.03, abs=1e-3)


@PROFILES
def test_a_hot_key_takes_its_share(profile):
    """One driver has a third of the rides, in both streams the same."""
    options = {"profile": profile, "hot_key": 0.33}
    starts, paid = events(**options).query("is_start"), fares(**options)
    hot = starts.driver_id.mode()[0]
    assert (starts.driver_id == hot).mean() == pytest.approx(0.33, abs=0.02)
    assert (starts[starts.is_hot].driver_id == hot).all()
    assert set(starts[starts.is_hot].ride_id) == set(paid[paid.is_hot].ride_id)


@PROFILES
def test_flaws_depend_on_the_seed(profile):
    """Another seed chooses other rides, in the fixed data of classic too."""
    one, two = (events(profile=profile, missing_ends=0.02, seed=seed) for seed in (1, 2))
    assert set(one[one.end_missing].ride_id) != set(two[two.end_missing].ride_id)
