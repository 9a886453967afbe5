"""Grades ride enrichment: the cells of a ride, and the place and borough it starts in."""

import math

from datagen import ride_events
from datagen.zones import zones as all_zones
from trainer.rows import JFK, MIDTOWN, NEWARK, NOWHERE, WALL_STREET, end, f32, ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint, "
    "start_cell int, end_cell int, pickup_place string, pickup_borough string"
)
WEST, NORTH = -74.05, 41.0
# Five metres, or a little less.
STEP = 0.00005


def cell(lon, lat):
    """Number a cell in plain Python: 250 columns from the west, 400 rows from the north."""
    if lon is None or lat is None:
        return None
    column, row = math.floor((f32(lon) - WEST) / 0.0014), math.floor((NORTH - f32(lat)) / 0.00125)
    return column + 250 * row if 0 <= column < 250 and 0 <= row < 400 else None


def middle(column, row):
    """Give a place well inside a cell: no answer should hang on the last bit of a float."""
    return WEST + (column + 0.25) * 0.0014, NORTH - (row + 0.25) * 0.00125


def far_side(column, row):
    """Give a place near the south-eastern corner of a cell, where rounding would leave it."""
    return WEST + (column + 0.75) * 0.0014, NORTH - (row + 0.75) * 0.00125


def corners(column, row):
    """Give four places in a cell, each a few metres from one of its corners."""
    west, north = WEST + column * 0.0014, NORTH - row * 0.00125
    return [
        (lon, lat)
        for lon in (west + STEP, west + 0.0014 - STEP)
        for lat in (north - STEP, north - 0.00125 + STEP)
    ]


FIRST_CELL, LAST_CELL = corners(0, 0), corners(249, 399)
JUST_OFF = [
    *((WEST - STEP, 40.7), (WEST + 250 * 0.0014 + STEP, 40.7)),
    *((-73.9, NORTH + STEP), (-73.9, NORTH - 400 * 0.00125 - STEP)),
]
WEST_OF_ROW_100, EAST_OF_ROW_100 = middle(-1, 100), middle(250, 100)
NORTH_OF_IT, SOUTH_OF_IT = middle(100, -1), middle(100, 400)
ZONES = [
    {"cell": cell(*MIDTOWN), "place": "Bryant Park", "borough": "Manhattan"},
    {"cell": cell(*JFK), "place": "JFK Airport", "borough": "Queens"},
    {"cell": 250 * 90 + 20, "place": "Riverside", "borough": "Manhattan"},
    {"cell": 0, "place": "The corner", "borough": "Bronx"},
    # Where places off the grid would land if nobody looked whether they are on it.
    {"cell": 250 * 99 + 249, "place": "The east", "borough": "Queens"},
    {"cell": 250 * 101, "place": "The west", "borough": "Bronx"},
]
MOST_ZONES = [zone for zone in all_zones().to_pylist() if zone["borough"] != "Queens"]

# One script with everything in it: each test looks at its own rides.
result = scripted(
    zones=ZONES,
    rides=[
        [ride(1), ride(2, starts_at=WALL_STREET), ride(3, starts_at=NEWARK), end(8)],
        [
            ride(4, starts_at=NOWHERE),
            ride(5, starts_at=(None, MIDTOWN[1])),
            ride(6, ends_at=(JFK[0], None)),
            ride(7, starts_at=MIDTOWN, ends_at=MIDTOWN, passengers=None),
        ],
        [end(1), ride(11, at="09:00"), ride(12), ride(12)],
        [],
        [
            ride(21, starts_at=middle(20, 90), ends_at=far_side(249, 399)),
            ride(22, starts_at=far_side(20, 90), ends_at=middle(249, 399)),
            ride(23, starts_at=far_side(0, 0), ends_at=middle(0, 0)),
            ride(31, starts_at=WEST_OF_ROW_100, ends_at=EAST_OF_ROW_100),
            ride(32, starts_at=EAST_OF_ROW_100, ends_at=WEST_OF_ROW_100),
            ride(33, starts_at=NORTH_OF_IT, ends_at=SOUTH_OF_IT),
        ],
        [
            *(ride(40 + n, starts_at=FIRST_CELL[n], ends_at=LAST_CELL[n]) for n in range(4)),
            *(ride(50 + n, starts_at=LAST_CELL[n], ends_at=FIRST_CELL[n]) for n in range(4)),
            *(ride(60 + n, starts_at=JUST_OFF[n]) for n in range(4)),
            *(ride(70 + n, ends_at=JUST_OFF[n]) for n in range(4)),
        ],
    ],
)


def events_of(seed):
    """Generate six hundred events, some of them twice."""
    first = 1000 * (seed % 10_000)
    return ride_events(first, first + 600, seed=seed, duplicates=0.05).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated events, with a restart between them."""
    events = events_of(seed)
    return {"zones": MOST_ZONES, "rides": [events[:400], events[400:]], "restart_after": 1}


def picked_up(result, ride_id):
    """Give what the answer says of a ride's START: its places and its cells."""
    rows = [row for row in result.rows if row["ride_id"] == ride_id and row["is_start"]]
    assert len(rows) == 1, f"ride {ride_id} came out {len(rows)} times, expected once"
    row = rows[0]
    return row["start_cell"], row["end_cell"], row["pickup_place"], row["pickup_borough"]


def test_a_ride_from_midtown_is_named(result):
    """A ride must have the cells in which it starts and ends, and the place and borough of where it
    starts."""
    assert picked_up(result, 1) == (cell(*MIDTOWN), cell(*JFK), "Bryant Park", "Manhattan")


def test_the_columns_of_a_ride_stay_as_they_are(result):
    """All columns of the ride stream must come out unchanged, nulls too."""
    rows = {(row["ride_id"], row["is_start"]): row for row in result.rows}
    kept = {name: rows[7, True][name] for name in ride(7)}
    assert kept == ride(7, starts_at=MIDTOWN, ends_at=MIDTOWN, passengers=None)
    assert {name: rows[1, False][name] for name in ride(1)} == end(1)


def test_a_ride_from_a_cell_without_a_name_is_kept(result):
    """A ride from a cell that `zones` doesn't have must come out, with no place and no borough."""
    assert picked_up(result, 2) == (cell(*WALL_STREET), cell(*JFK), None, None)


def test_a_ride_from_off_the_grid_is_kept(result):
    """A ride that starts off the grid must come out, with no start_cell, no place and no
    borough."""
    assert picked_up(result, 3) == (None, cell(*JFK), None, None)


def test_a_ride_with_an_unknown_place_is_kept(result):
    """A ride with an unknown coordinate must come out, with null for that cell."""
    assert picked_up(result, 4) == (None, cell(*JFK), None, None)
    assert picked_up(result, 5) == (None, cell(*JFK), None, None)
    assert picked_up(result, 6) == (cell(*MIDTOWN), None, "Bryant Park", "Manhattan")


def test_the_end_of_a_ride_names_where_it_started(result):
    """An END, too, must name the place where its ride *started*."""
    ends = [row for row in result.rows if row["ride_id"] in (1, 8) and not row["is_start"]]
    assert [row["pickup_place"] for row in ends] == ["Bryant Park"] * 2
    assert [row["end_cell"] for row in ends] == [cell(*JFK)] * 2


def test_a_ride_within_one_place_comes_out_once(result):
    """Each event must come out once, even if its ride starts and ends in named cells."""
    assert result.column("ride_id").count(1) == 2
    assert result.column("ride_id").count(7) == 1


def test_a_place_anywhere_in_a_cell_is_in_that_cell(result):
    """A place anywhere in a cell must have that cell's number: a cell reaches from its
    north-western corner to the next one, so `floor`, don't round."""
    assert picked_up(result, 21) == (250 * 90 + 20, 99_999, "Riverside", "Manhattan")
    assert picked_up(result, 22) == (250 * 90 + 20, 99_999, "Riverside", "Manhattan")
    assert picked_up(result, 23) == (0, 0, "The corner", "Bronx")


def test_a_place_beyond_the_border_has_no_cell(result):
    """A place beyond the grid, on any side, must have no cell: not one of the next row, either."""
    for ride_id in (31, 32, 33):
        assert picked_up(result, ride_id) == (None, None, None, None)


def test_the_grid_ends_where_it_ends(result):
    """The grid must end where it ends: a few metres inside it a place has a cell, a few metres off
    it has none. That goes for where a ride starts and for where it ends."""
    assert {picked_up(result, 40 + n)[:2] for n in range(4)} == {(0, 99_999)}
    assert {picked_up(result, 50 + n)[:2] for n in range(4)} == {(99_999, 0)}
    assert {picked_up(result, 60 + n)[:2] for n in range(4)} == {(None, cell(*JFK))}
    assert {picked_up(result, 70 + n)[:2] for n in range(4)} == {(cell(*MIDTOWN), None)}


def test_repeats_and_late_events_pass(result):
    """Every event must be looked at by itself: what comes twice goes out twice, and what comes late
    goes out, too."""
    assert sorted(result.column("ride_id")[8:12]) == [1, 11, 12, 12]


def test_each_event_comes_out_in_its_own_micro_batch(result):
    """Every event must come out in the micro-batch in which it came: a table that does not change
    needs no state."""
    assert [len(batch) for batch in result.batches] == [4, 4, 4, 0, 6, 16]
    assert not any(result.state_rows)


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Generated rides, on the city's own table, stopped and resumed, must give what plain Python
    gives."""
    named = {zone["cell"]: (zone["place"], zone["borough"]) for zone in MOST_ZONES}
    expected = []
    for event in events_of(seed):
        start = cell(event["start_lon"], event["start_lat"])
        place, borough = named.get(start, (None, None))
        expected.append(
            event
            | {"start_cell": start, "end_cell": cell(event["end_lon"], event["end_lat"])}
            | {"pickup_place": place, "pickup_borough": borough}
        )
    by = "ride_id", "is_start"
    assert generated.sorted(*by) == sorted(expected, key=lambda row: [row[name] for name in by])
