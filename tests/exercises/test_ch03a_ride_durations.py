"""Grades ride durations: one row for each ride of which both events have come."""

from math import floor

from datagen import ride_events
from datagen.grid import CELL_HEIGHT, CELL_WIDTH, NORTH, WEST
from datagen.grid import COLUMNS as GRID_COLUMNS
from datagen.grid import ROWS as GRID_ROWS
from trainer.rows import HARTFORD, JFK, NOWHERE, WALL_STREET, at, end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, driver_id bigint, start_cell int, minutes double, event_time timestamp"
MIDTOWN_CELL, WALL_STREET_CELL = 48796, 58778
# Five metres, or a little less.
STEP = 0.00005
EAST, SOUTH = WEST + GRID_COLUMNS * CELL_WIDTH, NORTH - GRID_ROWS * CELL_HEIGHT
JUST_OFF = [
    *((WEST - STEP, 40.7), (EAST + STEP, 40.7)),
    *((-73.9, NORTH + STEP), (-73.9, SOUTH - STEP)),
]


def corners(column, row):
    """Give four places in a cell, each a few metres from one of its corners."""
    west, north = WEST + column * CELL_WIDTH, NORTH - row * CELL_HEIGHT
    return [
        (lon, lat)
        for lon in (west + STEP, west + CELL_WIDTH - STEP)
        for lat in (north - STEP, north - CELL_HEIGHT + STEP)
    ]


AT_BORDERS = dict(enumerate([*corners(0, 0), *corners(249, 399), *JUST_OFF], start=20))

# One script with everything in it: each test looks at its own rides.
result = scripted(
    rides=[
        [
            ride(2, driver=2, starts_at=WALL_STREET, ends_at=JFK),
            ride(7, at="12:05"),
            end(7, at="12:05"),
            end(1, at="12:08:30"),
            ride(1, at="12:00"),
        ],
        [
            end(3, at="12:12"),
            ride(4, at="12:10", driver=None),
            ride(5, at="12:11", starts_at=HARTFORD),
            ride(8, at="12:12", starts_at=NOWHERE),
        ],
        [ride(3, at="12:04")],
        [],
        [
            end(4, at="12:31:15", driver=None),
            end(5, at="12:30", starts_at=HARTFORD),
            end(8, at="12:32", starts_at=NOWHERE),
        ],
        [end(2, at="15:00", driver=2, starts_at=WALL_STREET, ends_at=JFK)],
        [
            *(ride(number, at="15:00", starts_at=place) for number, place in AT_BORDERS.items()),
            *(end(number, at="15:07:07", starts_at=place) for number, place in AT_BORDERS.items()),
        ],
    ]
)


def events_of(seed):
    """Give 400 events of the city, out of order, some ENDs missing."""
    first = 1000 * (seed % 10_000)
    flaws = {"disorder": 500, "missing_ends": 0.1}
    return ride_events(first, first + 400, profile="city", seed=seed, **flaws).to_pylist()


@seeded
def generated(seed):
    """These events in three micro-batches, with a restart after the first."""
    events = events_of(seed)
    return {"rides": [events[:150], events[150:151], events[151:]], "restart_after": 1}


def of(result, ride_id):
    """Give the rows of one ride, without the id."""
    rows = [dict(row) for row in result.rows if row["ride_id"] == ride_id]
    return [row for row in rows if row.pop("ride_id")]


def test_a_ride_is_given_once_both_events_are_here(result):
    """A ride of which both events have come must have one row, with the minutes from START to END,
    however many micro-batches lie between them."""
    assert len(of(result, 2)) == 1
    assert of(result, 2)[0]["minutes"] == 180


def test_an_end_may_come_before_its_start(result):
    """A ride whose END comes before its START must have its row, too, with the same minutes."""
    assert [row["minutes"] for row in of(result, 3)] == [8]


def test_both_events_may_come_in_one_micro_batch(result):
    """A ride whose two events come in one micro-batch must have its row in that one."""
    assert [row["ride_id"] for row in in_order(result.batches[0], "ride_id")] == [1, 7]


def test_a_row_comes_in_the_micro_batch_of_the_second_event(result):
    """A row must come out as soon as its ride's second event is here, and never before."""
    came = [sorted(row["ride_id"] for row in batch) for batch in result.batches[:6]]
    assert came == [[1, 7], [], [3], [], [4, 5, 8], [2]]


def test_the_seconds_count(result):
    """The seconds must count: 8 minutes and 30 seconds are 8.5 minutes."""
    assert [row["minutes"] for row in of(result, 1)] == [8.5]
    assert [round(60 * row["minutes"], 3) for row in of(result, 20)] == [427]


def test_a_ride_may_take_no_time(result):
    """A ride that ends at the very time it starts must have a row, of 0 minutes."""
    assert [row["minutes"] for row in of(result, 7)] == [0]


def test_the_time_is_that_of_the_end(result):
    """`event_time` must be the END's, even where the START comes last."""
    ends = {row["ride_id"]: row["event_time"] for row in result.rows}
    assert ends[2] == at("15:00")
    assert ends[3] == at("12:12")


def test_the_cell_is_that_of_the_start(result):
    """`start_cell` must be the cell where the ride starts, not the one where it ends."""
    cells = {row["ride_id"]: row["start_cell"] for row in result.rows}
    assert (cells[2], cells[3]) == (WALL_STREET_CELL, MIDTOWN_CELL)


def test_a_start_off_the_grid_has_no_cell(result):
    """A ride that starts off the grid, or nobody knows where, must have its row, with null as its
    cell."""
    cells = {row["ride_id"]: row["start_cell"] for row in result.rows}
    assert [cells.get(number, "no row") for number in (5, 8)] == [None, None]


def test_the_grid_ends_where_it_ends(result):
    """The grid must end where it ends: a few metres inside it a place has a cell, a few metres off
    it has none."""
    cells = {row["ride_id"]: row["start_cell"] for row in result.rows}
    expected = [0] * 4 + [99_999] * 4 + [None] * 4
    assert [cells.get(number, "no row") for number in AT_BORDERS] == expected


def test_a_driver_may_be_unknown(result):
    """A ride without a driver_id must have its row, with null."""
    assert [row["driver_id"] for row in of(result, 4)] == [None]
    assert [row["driver_id"] for row in of(result, 2)] == [2013000002]


def test_nothing_is_kept_of_a_finished_ride(result):
    """Of a finished ride nothing must be left in the state."""
    assert result.state_rows[5] == 0


def cell(lon, lat):
    """Number the grid cell of a place."""
    column, row = floor((lon - WEST) / CELL_WIDTH), floor((NORTH - lat) / CELL_HEIGHT)
    on_the_grid = 0 <= column < GRID_COLUMNS and 0 <= row < GRID_ROWS
    return column + GRID_COLUMNS * row if on_the_grid else None


def durations(events):
    """Pair the events in plain Python."""
    pairs = {}
    for event in events:
        pairs.setdefault(event["ride_id"], {})[event["is_start"]] = event
    return [
        {
            "ride_id": ride_id,
            "driver_id": pair[True]["driver_id"],
            "start_cell": cell(pair[True]["start_lon"], pair[True]["start_lat"]),
            "minutes": (pair[False]["event_time"] - pair[True]["event_time"]).total_seconds() / 60,
            "event_time": pair[False]["event_time"],
        }
        for ride_id, pair in pairs.items()
        if len(pair) == 2
    ]


def rounded(rows):
    """Sort rows by the ride, with minutes to the microsecond."""
    return [row | {"minutes": round(row["minutes"], 7)} for row in in_order(rows, "ride_id")]


def test_a_generated_stream_agrees_with_plain_python(generated, seed):
    """Four hundred events, cut anywhere, with a restart, must give the rows of plain Python."""
    assert rounded(generated.rows) == rounded(durations(events_of(seed)))
