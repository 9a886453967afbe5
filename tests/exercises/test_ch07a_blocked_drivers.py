"""Grades blocked drivers: STARTs go out if their driver was not blocked at their event time."""

from itertools import chain
from random import Random

from trainer.rows import DRIVER, TAXI, at, block, end, in_order, minutes, ride, unblock
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, driver_id bigint, event_time timestamp"

# Driver 8 is blocked from noon on, 12 never; of driver 90 the office says much. By the minute:
TEN = [f"12:{minute:02}" for minute in range(1, 11)]
# The watermark in each: three times none, since the office has not begun, 12:30, 14:00, 15:00;
# and 15:50 in the drain.
RIDES = [
    [
        # In the taxi of another driver.
        ride(1, at="12:05", driver=1) | {"taxi_id": TAXI + 8},
        ride(2, at="12:15", driver=1) | {"taxi_id": TAXI + 12},
        ride(3, at="12:09:59", driver=2),
        ride(4, at="12:10", driver=2),
        ride(5, at="12:19:59", driver=2),
        ride(6, at="12:20", driver=2),
        ride(7, at="12:10", driver=3),
        ride(8, at="12:31", driver=3),
        ride(9, at="12:15", driver=4),
        ride(10, at="12:15", driver=5),
        ride(11, at="12:25", driver=6),
        ride(12, at="12:12", driver=7),
        end(13, at="12:13", driver=7),
        ride(14, at="12:14", driver=11),
        ride(15, at="12:14", driver=11),
        *(ride(100 + n, at=time, driver=8) for n, time in enumerate(TEN)),
        *(ride(200 + n, at=time, driver=12) for n, time in enumerate(TEN)),
    ],
    [
        ride(16, at="14:55", driver=8),
        ride(17, at="15:00", driver=9),
        ride(18, at="12:30", driver=12),
    ],
    [ride(19, at="12:14", driver=11), ride(20, at="12:28", driver=14)],
    [ride(21, at="12:22", driver=15), ride(22, at="12:26", driver=15)],
    [
        ride(23, at="12:30", driver=7),
        ride(24, at="12:30:01", driver=7),
        ride(25, at="14:58", driver=13),
        ride(26, at="14:57", driver=3),
        ride(27, at="15:10", driver=7),
        # The only row there ever is of this driver.
        ride(31, at="13:00", driver=16),
    ],
    [
        ride(28, at="16:00", driver=7),
        ride(29, at="15:55", driver=7),
        ride(30, at="15:45", driver=1),
    ],
]
BLOCKS = [
    [],
    [],
    [
        block(1, at="12:10"),
        block(2, at="12:10"),
        unblock(2, at="12:20"),
        # The later one comes first.
        unblock(3, at="12:30"),
        block(3, at="12:00"),
        block(4, at="12:10"),
        unblock(4, at="12:10"),
        unblock(5, at="12:10"),
        block(6, at="12:10"),
        block(6, at="12:10"),
        unblock(6, at="12:20"),
        block(8, at="12:00"),
        block(9, at="12:00"),
        unblock(9, at="12:05"),
        block(15, at="12:20"),
        unblock(15, at="12:24"),
        block(15, at="12:28"),
        *(block(90, at=time, blocked=n % 2 == 0) for n, time in enumerate(TEN)),
        block(7, at="12:40"),
    ],
    [
        block(5, at="12:10"),
        block(6, at="12:10"),
        block(14, at="12:25"),
        unblock(7, at="12:50"),
        unblock(90, at="14:10"),
    ],
    [block(13, at="12:30"), block(90, at="15:10")],
    [unblock(1, at="15:20"), block(91, at="18:00")],
]

# One script with every kind of driver in it; the office is hours behind the cars.
result = scripted(rides=RIDES, blocks=BLOCKS, state_held=True)
# The same rows, but for the two that are late, in one micro-batch.
at_once = scripted(
    rides=[[row for row in chain(*RIDES) if row["ride_id"] != 23]],
    blocks=[[row for row in chain(*BLOCKS) if row["driver_id"] != DRIVER + 13]],
)


@seeded
def generated(seed):
    """Generated streams, with a restart on the way."""
    rides, blocks = generate(seed)
    return {"rides": rides, "blocks": blocks, "restart_after": 3}


def went(result, *numbers):
    """Tell in which micro-batches, from 1, STARTs went out, ride by ride."""
    came = [(row["ride_id"], n) for n, batch in enumerate(result.batches, 1) for row in batch]
    return {number: [n for ride_id, n in came if ride_id == number] for number in numbers}


def test_a_start_of_a_blocked_driver_is_kept_back(result):
    """A START at whose time its driver is blocked must not go out; one before that must."""
    assert went(result, 1, 2) == {1: [4], 2: []}


def test_all_goes_by_the_time_of_the_start(result):
    """A START must be judged by its own time, whenever the control rows come."""
    # Blocked only later; blocked by a row that comes after it; between two changes.
    assert went(result, 12, 20, 21, 22) == {12: [4], 20: [], 21: [], 22: [4]}


def test_a_block_holds_at_its_very_instant(result):
    """A START at the very time of a block must not go out; one a second before it must."""
    assert went(result, 3, 4) == {3: [4], 4: []}


def test_a_driver_is_free_at_the_very_instant(result):
    """A START at the very time at which its driver is free again must go out."""
    assert went(result, 5, 6) == {5: [], 6: [4]}


def test_control_rows_may_come_in_the_wrong_order(result):
    """Of control rows the last in event time must count, in whatever order they come."""
    assert went(result, 7, 8, 26) == {7: [], 8: [5], 26: [6]}


def test_of_two_at_one_time_the_block_counts(result):
    """Where control rows of one time say different things, the driver must be blocked."""
    assert went(result, 9, 10) == {9: [], 10: []}


def test_a_repeated_control_row_changes_nothing(result):
    """A block that is told again, after its end was told, must change nothing."""
    assert went(result, 11) == {11: [4]}


def test_a_block_holds_until_it_is_lifted(result):
    """A driver must stay blocked until a control row frees him, however long that takes."""
    assert went(result, 16, 17) == {16: [], 17: [6]}


def test_a_driver_of_whom_nothing_was_said_is_free(result):
    """A START of a driver who has no control row must go out; so must all that have one time."""
    assert went(result, 14, 15, 18, 19) == {14: [4], 15: [4], 18: [4], 19: [4]}


def test_an_end_does_not_go_out(result):
    """An END must not go out."""
    assert went(result, 13) == {13: []}


def test_nothing_goes_out_before_both_streams_have_begun(result):
    """As long as one of the streams has not begun, nothing may go out."""
    assert not any(result.batches[:3])
    assert any(result.batches)


def test_each_goes_out_in_its_own_time(result):
    """A START must go out when the watermark is at its time: at the very instant, not before."""
    assert result.watermarks[3:6] == [at("12:30"), at("14:00"), at("15:00")]
    assert went(result, 18, 8, 17) == {18: [4], 8: [5], 17: [6]}


def test_the_stream_that_is_behind_holds_the_watermark(result):
    """While one stream is behind the other, the one that is behind must hold the watermark."""
    assert result.watermarks[6:] == [at("15:50")]
    assert went(result, 27, 28, 29, 30) == {27: [7], 28: [], 29: [], 30: [7]}


def test_a_late_row_counts_for_nothing(result):
    """A START or a control row that Spark drops as late must count for nothing."""
    assert went(result, 23, 25) == {23: [], 25: [6]}


def test_a_start_behind_its_own_watermark_alone_goes_out_at_once(result):
    """A START behind only the watermark of its own micro-batch must go out in it."""
    assert went(result, 22, 24, 31) == {22: [4], 24: [5], 31: [5]}


def test_the_rows_come_as_they_are(result):
    """A row must name the ride, its driver, and the time of the START."""
    expected = {"ride_id": 17, "driver_id": DRIVER + 9, "event_time": at("15:00")}
    assert [row for row in result.rows if row["ride_id"] == 17] == [expected]


def test_no_start_stays_in_state(result):
    """Of a START, gone out or kept back, nothing must stay; of control rows only the last may."""
    # In the end two STARTs wait, and one control row; of twelve drivers there is a last word.
    assert result.state_held.elements <= 15


def test_no_timer_is_left_behind(result):
    """Timers must be left only for what still waits."""
    assert result.state_held.timers <= 3


def test_the_rows_are_the_same_however_streams_are_split(at_once, result):
    """All rows in one micro-batch, but for the late ones, must give the same rows."""
    # Its watermark comes as far.
    assert at_once.watermarks[-1] == result.watermarks[-1]
    assert at_once.sorted() == result.sorted()


def test_generated_streams_agree_with_plain_python(generated, seed):
    """Generated streams must give what a loop in plain Python gives, after a restart, too."""
    assert generated.sorted() == in_order([*allowed(*generate(seed))])


def test_generated_rows_come_when_the_watermark_is_there(generated):
    """Each START must go out in the first micro-batch whose watermark is at or past its time."""
    before = [None, *generated.watermarks]
    for n, batch in enumerate(generated.batches):
        for row in batch:
            assert generated.watermarks[n] and generated.watermarks[n] >= row["event_time"]
            assert before[n] is None or before[n] < row["event_time"]


def generate(seed):
    """Make rides of ten drivers, who are blocked and freed; the office is hours behind."""
    random, rides, blocks = Random(seed), [], []
    for number in range(80):
        driver, taxi = random.randrange(1, 11), {"taxi_id": TAXI + random.randrange(1, 11)}
        rides += [ride(number, at=at("02:00") + minutes(4 * number), driver=driver) | taxi]
    for _ in range(40):
        time = at("02:00") + minutes(4 * random.randrange(80))
        said = block(random.randrange(1, 9), at=time, blocked=random.random() < 0.5)
        blocks += [said] * random.choice([1, 1, 1, 2])
    for rows in (rides, blocks):
        rows.sort(key=lambda row: row["event_time"] + minutes(random.randrange(10)))
    # An END never is the newest: it doesn't move the watermark, wherever it is left out.
    rides = [[row, end(row["ride_id"], at=row["event_time"] - minutes(1))] for row in rides]
    cut = 20 + seed % 15
    rides = [[*chain(*rides[:50])], [*chain(*rides[50:])], [], [], [ride(999, at="23:00")]]
    return rides, [[], blocks[:10], blocks[10:cut], blocks[cut:], [unblock(9, at="23:00")]]


def allowed(rides, blocks):
    """Find the STARTs of drivers whose last control row at or before them doesn't block."""
    for row in chain(*rides):
        said = [
            (each["event_time"], each["blocked"])
            for each in chain(*blocks)
            if each["driver_id"] == row["driver_id"] and each["event_time"] <= row["event_time"]
        ]
        # Of equal times True is the greater: the one that blocks.
        if row["is_start"] and row["ride_id"] != 999 and not max(said, default=(0, False))[1]:
            yield {name: row[name] for name in ("ride_id", "driver_id", "event_time")}
