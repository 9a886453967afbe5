"""Grades fare rules: rules for everybody, by which fares are flagged, change in event time."""

from itertools import chain
from random import Random

from trainer.rows import at, fare, in_order, minutes, rule
from trainer.runs import scripted, seeded

COLUMNS = "ride_id bigint, rule_id bigint"

# The watermark in each: three times none, since no rule has come, 12:30, 14:00, 15:00; and 15:50
# in the drain.
FARES = [
    [
        fare(1, at="12:09:59", total=60, driver=1),
        fare(2, at="12:10", total=60, driver=2),
        fare(3, at="12:15", total=50, driver=3),
        fare(4, at="12:15", total=50.01, driver=4),
        fare(5, at="12:29:59", total=60, driver=5),
        fare(6, at="12:30", total=60, driver=6),
        fare(7, at="12:30", total=80.5, driver=7),
        fare(8, at="12:59:59", total=90, driver=8),
        fare(9, at="13:00", total=90, driver=9),
        fare(10, at="13:20", total=90, driver=10),
        fare(11, at="12:20", total=101, driver=11),
        fare(12, at="13:30", total=101, driver=12),
        fare(13, at="12:19:59", total=250, driver=13),
        fare(14, at="12:20", total=250, driver=14),
        fare(15, at="12:04", total=250, driver=15),
        fare(16, at="12:16", total=None, driver=16),
        fare(17, at="12:12", total=301, driver=1),
        fare(18, at="12:21", total=301, driver=2),
        fare(19, at="12:26", total=301, driver=3),
        fare(20, at="12:40", total=401, driver=4),
        fare(21, at="12:28", total=501, driver=5),
        fare(34, at="12:17", total=None, driver=6),
        fare(35, at="12:17", total=0, driver=7),
        # Rides, drivers and taxis of all kinds of numbers.
        *(fare(100 + n, at="12:16", total=55, driver=n + 1, taxi=40 - 2 * n) for n in range(16)),
    ],
    [
        fare(22, at="14:57", total=120, driver=6),
        fare(23, at="15:00", total=120, driver=7),
        fare(32, at="13:15", total=60.25, driver=8),
        fare(33, at="13:15", total=60.75, driver=9),
    ],
    [],
    [fare(24, at="12:26:30", total=60, driver=8)],
    [
        fare(25, at="12:30", total=90, driver=9),
        fare(26, at="12:30:01", total=90, driver=10),
        fare(27, at="14:58", total=10, driver=11),
        fare(28, at="15:10", total=10, driver=12),
    ],
    [
        fare(29, at="16:00", total=120, driver=13),
        fare(30, at="15:45", total=120, driver=14),
        fare(31, at="15:55", total=120, driver=15),
    ],
]
RULES = [
    [],
    [],
    [
        rule(1, at="12:10", over=50),
        rule(1, at="12:30", over=80),
        rule(2, at="12:00", over=100),
        # The withdrawal comes first.
        rule(3, at="12:20", over=200, active=False),
        rule(3, at="12:05", over=200),
        rule(4, at="12:05", over=300),
        rule(4, at="12:15", over=300, active=False),
        rule(4, at="12:25", over=300),
        rule(5, at="12:05", over=400),
        rule(5, at="12:05", over=400),
        rule(5, at="12:35", over=400, active=False),
        rule(8, at="12:40", over=1000),
        # Whatever has a total is over it.
        rule(12, at="12:17", over=-1),
        rule(12, at="12:17:01", over=-1, active=False),
    ],
    [
        rule(5, at="12:05", over=400),
        rule(7, at="12:27", over=500),
        rule(1, at="13:00", over=80, active=False),
        rule(9, at="14:10", over=1000),
        rule(11, at="13:10", over=60.5),
        rule(11, at="13:20", over=60.5, active=False),
    ],
    [rule(6, at="12:30", over=1), rule(9, at="15:10", over=1000, active=False)],
    [rule(10, at="18:00", over=1)],
]
# What leaves nothing behind: fares long told, limits that took the place of others, and rules that
# were withdrawn.
FIVE = [f"12:{minute:02}" for minute in range(1, 6)]
MORE_FARES = [fare(200 + n, at=time, total=10, driver=n + 1) for n, time in enumerate(FIVE)]
MORE_RULES = [
    *(rule(2, at=time, over=100) for time in FIVE),
    *(rule(50 + n, at=time, over=1000) for n, time in enumerate(FIVE)),
    *(rule(50 + n, at="12:11", over=1000, active=False) for n in range(5)),
]

# And what no fare asks about any more: none comes after it.
LAST_RULES = [rule(60, at="15:46", over=1000), rule(60, at="15:47", over=1000, active=False)]

# One script with every kind of rule in it; the rules come hours behind the fares.
result = scripted(fares=FARES, rules=RULES, state_held=True)
more = scripted(
    fares=[FARES[0] + MORE_FARES, *FARES[1:]],
    rules=[*RULES[:2], RULES[2] + MORE_RULES, *RULES[3:5], RULES[5] + LAST_RULES],
    state_held=True,
)
# The same rows, but for the two that are late, in one micro-batch.
at_once = scripted(
    fares=[[row for row in chain(*FARES) if row["ride_id"] != 25]],
    rules=[[row for row in chain(*RULES) if row["rule_id"] != 6]],
)


@seeded
def generated(seed):
    """Generated streams, with a restart on the way."""
    fares, rules = generate(seed)
    return {"fares": fares, "rules": rules, "restart_after": 3}


def flags(result, *numbers):
    """Tell by which rules fares are flagged, fare by fare."""
    came = [(row["ride_id"], row["rule_id"]) for row in result.rows]
    return {number: sorted(r for ride_id, r in came if ride_id == number) for number in numbers}


def came_in(result, number):
    """Tell in which micro-batches, from 1, a fare was flagged."""
    batches = enumerate(result.batches, 1)
    return [n for n, batch in batches for row in batch if row["ride_id"] == number]


def test_a_rule_holds_for_every_driver(result):
    """A rule must hold for the fares of all drivers, and flag each of them once."""
    expected = {number: [1] for number in range(100, 116)}
    assert flags(result, *expected) == expected


def test_a_fare_is_flagged_once_for_each_rule(result):
    """A fare that breaks several rules must be flagged once for each of them."""
    assert flags(result, 11, 13, 17) == {11: [1, 2], 13: [1, 2, 3], 17: [1, 2, 3, 4]}


def test_a_rule_does_not_hold_before_its_time(result):
    """A fare before a rule's time must not be flagged by it; one at its very instant must."""
    assert flags(result, 1, 2, 15) == {1: [], 2: [1], 15: [2]}


def test_exactly_the_limit_is_not_over_it(result):
    """A fare of exactly the limit must not be flagged; a cent more must."""
    assert flags(result, 3, 4, 32, 33) == {3: [], 4: [1], 32: [], 33: [11]}


def test_a_fare_without_a_total_breaks_no_rule(result):
    """A fare without a total must not be flagged, however low the limit is."""
    assert flags(result, 16, 34, 35) == {16: [], 34: [], 35: [12]}


def test_a_change_takes_the_place_of_the_limit(result):
    """From the instant of a change the new limit must count, and until then the old one."""
    assert flags(result, 5, 6, 7) == {5: [1], 6: [], 7: [1]}


def test_a_withdrawn_rule_flags_nothing(result):
    """From the instant of its withdrawal a rule must flag nothing; until then it must."""
    assert flags(result, 8, 9, 10, 12) == {8: [1], 9: [], 10: [], 12: [2]}


def test_rules_may_come_in_the_wrong_order(result):
    """A withdrawal that is told before the rule that it withdraws must count in its own time."""
    assert flags(result, 13, 14) == {13: [1, 2, 3], 14: [1, 2]}


def test_a_rule_may_be_added_again(result):
    """A rule that was withdrawn and added again must hold again, and not in between."""
    assert flags(result, 17, 18, 19) == {17: [1, 2, 3, 4], 18: [1, 2], 19: [1, 2, 4]}


def test_a_repeated_row_changes_nothing(result):
    """A row of the rule stream that comes again, after the withdrawal, must change nothing."""
    assert flags(result, 20) == {20: [1, 2, 4]}


def test_a_rule_holds_until_it_is_withdrawn(result):
    """A rule must hold until a row changes or withdraws it, however long that takes."""
    assert flags(result, 22, 23, 30) == {22: [2], 23: [2], 30: [2]}


def test_nothing_comes_out_before_both_streams_have_begun(result):
    """As long as one of the streams has not begun, nothing may come out."""
    assert not any(result.batches[:3])
    assert any(result.batches)


def test_each_is_flagged_in_its_own_time(result):
    """A fare must be flagged when the watermark is at its time: at that instant, not before."""
    assert result.watermarks[3:6] == [at("12:30"), at("14:00"), at("15:00")]
    assert [came_in(result, number) for number in (7, 8, 23)] == [[4], [5], [6]]


def test_the_stream_that_is_behind_holds_the_watermark(result):
    """While one stream is behind the other, the one that is behind must hold the watermark."""
    assert result.watermarks[6:] == [at("15:50")]
    assert [came_in(result, number) for number in (29, 30, 31)] == [[], [7], []]


def test_a_late_row_counts_for_nothing(result):
    """A fare or a rule that Spark drops as late must count for nothing."""
    assert flags(result, 25, 27) == {25: [], 27: []}


def test_a_row_behind_its_own_watermark_alone_counts(result):
    """A rule behind only the watermark of its micro-batch must count; a fare, be flagged in it."""
    assert flags(result, 21) == {21: [1, 2, 4, 5, 7]}
    assert [came_in(result, number) for number in (24, 26)] == [[4], [5]]


def test_state_ends(result, more):
    """Fares that were told, limits that were changed, rules withdrawn must leave no state."""
    assert more.sorted() == result.sorted()
    assert more.state_held.elements <= result.state_held.elements


def test_no_timer_is_left_behind(result, more):
    """Timers must be left only for what still waits."""
    assert more.state_held.timers <= result.state_held.timers


def test_the_rows_are_the_same_however_streams_are_split(at_once, result):
    """All rows in one micro-batch, but for the late ones, must give the same rows."""
    # Its watermark comes as far.
    assert at_once.watermarks[-1] == result.watermarks[-1]
    assert at_once.sorted() == result.sorted()


def test_generated_streams_agree_with_plain_python(generated, seed):
    """Generated streams must give what a loop in plain Python gives, after a restart, too."""
    assert generated.sorted() == in_order([*broken(*generate(seed))])


def test_generated_fares_are_flagged_in_their_own_time(generated, seed):
    """Each fare must be flagged in the first micro-batch whose watermark is at or past its time."""
    times = {row["ride_id"]: row["start_time"] for row in chain(*generate(seed)[0])}
    before = [None, *generated.watermarks]
    for n, batch in enumerate(generated.batches):
        for row in batch:
            time = times[row["ride_id"]]
            assert generated.watermarks[n] and generated.watermarks[n] >= time
            assert before[n] is None or before[n] < time


def generate(seed):
    """Make fares of ten drivers, and five rules that change; the rules come hours behind."""
    random, fares, rules = Random(seed), [], []
    for number in range(50):
        driver, taxi = random.randrange(1, 11), random.randrange(1, 11)
        total, time = random.randrange(20, 90), at("02:00") + minutes(6 * number)
        fares += [fare(number, at=time, driver=driver, taxi=taxi, total=total)]
    for number in range(1, 6):
        for step in random.sample(range(50), 4):
            over, active = random.choice([30, 40, 50, 60, 70]), random.random() < 0.6
            said = rule(number, at=at("02:00") + minutes(6 * step), over=over, active=active)
            rules += [said] * random.choice([1, 1, 1, 2])
    for rows, time in ((fares, "start_time"), (rules, "event_time")):
        rows.sort(key=lambda row, time=time: row[time] + minutes(random.randrange(10)))
    cut = 8 + seed % 8
    fares = [fares[:30], fares[30:], [], [], [fare(999, at="23:00")]]
    return fares, [[], rules[:4], rules[4:cut], rules[cut:], [rule(99, at="23:00", over=1)]]


def broken(fares, rules):
    """Find which fares break which rules, by the last row of each rule at or before them."""
    for row in chain(*fares):
        last = {}
        for said in in_order([*chain(*rules)], "event_time"):
            if said["event_time"] <= row["start_time"]:
                last[said["rule_id"]] = said
        for number, said in last.items():
            if said["active"] and row["total_fare"] > said["over"] and row["ride_id"] != 999:
                yield {"ride_id": row["ride_id"], "rule_id": number}
