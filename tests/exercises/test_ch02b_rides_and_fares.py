"""Grades rides and fares: each START with its fare, and no state for ever."""

from datagen import fares, ride_events
from trainer.rows import HARTFORD, end, fare, in_order, minutes, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint, "
    "payment_type string, tip float, tolls float, total_fare float"
)
OF_THE_FARE = "payment_type", "tip", "tolls", "total_fare"

# Ten rides whose fare never comes, ten fares whose ride never comes, and ten pairs.
CROWD = {
    "rides": [ride(number, driver=number) for number in [*range(100, 110), *range(300, 310)]],
    "fares": [fare(number, driver=number) for number in [*range(200, 210), *range(300, 310)]],
}
RIDES = [
    [
        ride(1, at="12:01"),
        ride(2, at="12:00", passengers=None),
        ride(11, at="12:00"),
        ride(13, at="12:30"),
        ride(14, at="12:00"),
        ride(16, at="12:28"),
        ride(21, at="12:00"),
        ride(31, at="12:00", driver=4),
        ride(32, at="12:10", driver=4, ends_at=HARTFORD),
        ride(None, at="12:00"),
        *CROWD["rides"],
    ],
    [end(1, at="12:20"), end(6, at="12:10"), ride(3, at="12:07"), ride(12, at="12:30")],
    [ride(41, at="12:39:59")],
    [],
    [ride(22, at="12:30"), ride(23, at="12:32"), end(2, at="12:35")],
    [ride(99, at="16:00")],
]
FARES = [
    [
        fare(1, at="12:01", tip=3.0, payment="CASH", tolls=5.5, total=31.25),
        fare(3, at="12:03", tip=4.0),
        fare(6, at="12:00"),
        fare(12, at="12:00"),
        fare(13, at="12:00"),
        fare(14, at="12:30"),
        fare(22, at="12:00"),
        fare(32, at="12:10", driver=4, tip=7.0),
        fare(31, at="12:00", driver=4, tip=1.0),
        fare(None, at="12:00"),
        *CROWD["fares"],
    ],
    [fare(2, at="12:04", tip=None), fare(11, at="12:30"), fare(16, at="12:33")],
    [fare(41, at="12:39:59")],
    [],
    [fare(21, at="12:30"), fare(23, at="12:31")],
    [fare(99, at="16:00")],
]
# One stream is far ahead, so the other one says how far time has got: to 12:29:59. By then nothing
# of 11:59:50 can find its other half; what is of 12:30:00 still can.
OLD = "11:59:50"
OLD_STARTS = [ride(number, at=OLD) for number in range(100, 110)]
OLD_FARES = [fare(number, at=OLD) for number in range(200, 210)]
BEHIND, AHEAD = "12:39:59", "13:30"
PAIRED = [1, 2, 3, 11, 12, 13, 14, 16, 21, 22, 23, 31, 32, 41, 99, *range(300, 310)]


def flat(batches):
    """Give the rows of all micro-batches as one list."""
    return [row for batch in batches for row in batch]


# One script with everything in it: each test looks at its own rides.
result = scripted(rides=RIDES, fares=FARES)
at_once = scripted(rides=[flat(RIDES)], fares=[flat(FARES)])
restarted = scripted(
    rides=[RIDES[0], flat(RIDES[1:])], fares=[FARES[0], flat(FARES[1:])], restart_after=1
)

fares_behind = scripted(
    rides=[[ride(1, at="12:30"), ride(2, at=AHEAD), *OLD_STARTS], [], []],
    fares=[[fare(3, at=BEHIND), *OLD_FARES], [], [fare(1, at="12:30")]],
)
rides_behind = scripted(
    rides=[[ride(3, at=BEHIND), *OLD_STARTS], [], [ride(1, at="12:30")]],
    fares=[[fare(1, at="12:30"), fare(2, at=AHEAD), *OLD_FARES], [], []],
)


def streams_of(seed):
    """Generate rides and fares, out of order and with fares missing."""
    first = 400 * (seed % 10_000)
    flaws = {"profile": "classic", "seed": seed, "disorder": 400}
    rides = ride_events(2 * first, 2 * first + 600, **flaws).to_pylist()
    paid = fares(first, first + 360, **flaws).to_pylist()
    # The meters' clocks are wrong, all of them by the same number of minutes, 25 at most.
    wrong = minutes(seed % 51 - 25)
    paid = [row | {"start_time": row["start_time"] + wrong} for row in paid if row["ride_id"] % 10]
    return rides, paid


@seeded
def generated(seed):
    """Three micro-batches of each of the generated streams."""
    rides, paid = streams_of(seed)
    return {
        "rides": [rides[:200], rides[200:400], rides[400:]],
        "fares": [paid[:120], paid[120:240], paid[240:]],
    }


def joined(start, its_fare):
    """Give the row that a START and its fare make."""
    return start | {name: its_fare[name] for name in OF_THE_FARE}


def join_in_plain_python(rides, fares):
    """Give the rows that these events make: the oracle, which knows them all beforehand."""
    paid = {row["ride_id"]: row for row in fares if row["ride_id"] is not None}
    starts = [row for row in rides if row["is_start"] and row["ride_id"] in paid]
    return in_order([joined(row, paid[row["ride_id"]]) for row in starts], "ride_id")


def rows_of(result, ride_id):
    """Give the rows that came out for a ride."""
    return [row for row in result.rows if row["ride_id"] == ride_id]


def test_a_start_gets_its_fare(result):
    """A START and its fare must make one row: the START's columns, then what was paid."""
    paid = fare(1, tip=3.0, payment="CASH", tolls=5.5, total=31.25)
    assert rows_of(result, 1) == [joined(ride(1, at="12:01"), paid)]


def test_a_start_may_come_before_its_fare(result):
    """A START must wait for its fare, and be joined in the micro-batch in which the fare comes."""
    waited = joined(ride(2, at="12:00", passengers=None), fare(2, tip=None))
    assert rows_of(result, 2) == [waited]


def test_a_fare_may_come_before_its_start(result):
    """A fare must wait for its START, and be joined in the micro-batch in which the START comes."""
    assert rows_of(result, 3) == [joined(ride(3, at="12:07"), fare(3, tip=4.0))]


def test_a_fare_may_be_thirty_minutes_later_than_its_start(result):
    """A fare exactly 30 minutes after its START must be joined, whichever of the two arrives
    first."""
    assert [len(rows_of(result, ride_id)) for ride_id in (11, 14)] == [1, 1]


def test_a_fare_may_be_thirty_minutes_earlier_than_its_start(result):
    """A fare exactly 30 minutes before its START must be joined, whichever of the two arrives
    first."""
    assert [len(rows_of(result, ride_id)) for ride_id in (12, 13)] == [1, 1]


def test_a_pair_on_two_sides_of_the_half_hour_is_joined(result):
    """A START and a fare a few minutes apart must be joined, even with a full or a half hour
    between them."""
    assert rows_of(result, 16) == [joined(ride(16, at="12:28"), fare(16))]


def test_end_events_are_not_joined(result):
    """An END must make no row: neither where its START has a fare, nor where it has no START."""
    assert all(result.column("is_start"))
    assert not rows_of(result, 6)


def test_a_ride_without_a_fare_gives_no_row(result):
    """A ride whose fare never comes must give no row, not even one with nulls."""
    assert not [number for number in result.column("ride_id") if number in range(100, 110)]


def test_a_fare_without_a_ride_gives_no_row(result):
    """A fare whose ride never comes must give no row, not even one with nulls."""
    assert not {None, *range(200, 210)} & set(result.column("ride_id"))


def test_what_has_no_ride_id_belongs_to_no_ride(result):
    """A START and a fare must not be joined where both ride_ids are null: nobody knows which ride
    that is."""
    assert not rows_of(result, None)


def test_a_driver_has_many_rides(result):
    """Each ride must get its own fare, even if its driver has another ride a few minutes later."""
    rides = [row for row in result.sorted("ride_id") if row["ride_id"] in (31, 32)]
    assert [(row["ride_id"], row["tip"]) for row in rides] == [(31, 1.0), (32, 7.0)]


def test_events_less_than_ten_minutes_late_are_joined(result):
    """An event that arrives less than ten minutes late must still find its other half."""
    assert [len(rows_of(result, ride_id)) for ride_id in (21, 22, 23)] == [1, 1, 1]


def test_each_ride_gives_one_row(result):
    """Each ride that has a START and a fare must give one row, and nothing else must give any."""
    assert result.sorted("ride_id") == join_in_plain_python(flat(RIDES), flat(FARES))
    assert sorted(result.column("ride_id")) == PAIRED


def test_state_shrinks_once_the_watermark_has_passed(result):
    """State must not grow for ever: hours later, what came at noon must be forgotten, whether it
    found its other half or not."""
    assert result.state_rows[-1] <= 5, f"rows of state, by micro-batch: {result.state_rows}"


def test_the_delay_is_ten_minutes_in_both_streams(fares_behind, rides_behind):
    """The watermark must trail by ten minutes in both streams: whichever of them is behind, what is
    9 minutes and 59 seconds late in it must be joined."""
    assert fares_behind.column("ride_id") == rides_behind.column("ride_id") == [1]


def test_state_is_forgotten_once_it_can_be(fares_behind, rides_behind):
    """State must be kept no longer than needed: the watermark, ten minutes behind the stream that
    is behind, is more than 30 minutes past an event, so its other half can't come any more."""
    assert fares_behind.state_rows[1] <= 8, f"rows of state: {fares_behind.state_rows}"
    assert rides_behind.state_rows[1] <= 8, f"rows of state: {rides_behind.state_rows}"


def test_one_large_micro_batch_gives_the_same(at_once):
    """The same events in a single micro-batch must give the same rows."""
    assert at_once.sorted("ride_id") == join_in_plain_python(flat(RIDES), flat(FARES))


def test_a_restart_gives_the_same(restarted):
    """A query that is stopped and goes on from its checkpoint must still know who waits."""
    assert restarted.sorted("ride_id") == join_in_plain_python(flat(RIDES), flat(FARES))


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Generated streams, out of order and with fares missing, must give what plain Python gives."""
    expected = join_in_plain_python(*streams_of(seed))
    assert len(expected) > 100
    assert generated.sorted("ride_id") == expected
