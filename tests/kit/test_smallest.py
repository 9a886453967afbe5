"""A case cut down: what is left still shows the fault."""

import pytest

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.counterexample import _as_full
from trainer.checking.smallest import Work, smallest
from trainer.rows import fare, ride
from trainer.running.scenario import Scenario

LONG = [ride(number, at=f"12:{number:02}") for number in range(1, 40)]


def cut(streams, faulty, work=None, **options):
    """Cut down the case of an answer that loses the rides for which `faulty` is true."""
    tried = []

    def shown(scenario):
        tried.append(scenario)
        given = scenario.inputs["rides"]
        kept = [[row for row in batch if not faulty(row, scenario)] for batch in given]
        case = Case(scenario, result(*kept), result(*given))
        return case if case.differences else None

    first = shown(Scenario(streams, options))
    return smallest(first, shown, work or Work(1000, 1e6), {}), tried


def test_one_ride_is_left():
    """Of forty rides, the one that is lost; idle micro-batches go as well."""
    found, tried = cut({"rides": [LONG[:20], [], LONG[20:]]}, lambda row, _: row["ride_id"] == 7)
    assert found.scenario.inputs == {"rides": [[LONG[6]]]}
    assert len(tried) < 10


def crowded(row, scenario):
    """Lose a ride if another one is there."""
    return row["ride_id"] == 7 and LONG[29] in scenario.inputs["rides"][0]


def test_what_needs_two_keeps_two():
    """A ride that is lost only where another one is there."""
    found, _ = cut({"rides": [LONG]}, crowded)
    assert found.scenario.inputs == {"rides": [[LONG[6], LONG[29]]]}
    assert found.smallest


def test_tables_stay_whole_and_other_streams_shrink():
    """A table is the lesson's, not the learner's; fares of other rides say nothing."""
    given = {"rides": [LONG], "fares": [[fare(7), fare(8)]], "zones": [{"cell": 1}]}

    def paid(row, scenario):
        return row["ride_id"] == 7 and fare(7) in scenario.inputs["fares"][0]

    found, _ = cut(given, paid)
    left = {"rides": [[LONG[6]]], "fares": [[fare(7)]], "zones": [{"cell": 1}]}
    assert found.scenario.inputs == left


def test_a_restart_keeps_its_micro_batches():
    """Where it stops is a number of micro-batches, so none is left out."""
    found, _ = cut({"rides": [[], LONG, []]}, lambda row, _: row["ride_id"] == 7, restart_after=2)
    assert found.scenario.inputs == {"rides": [[], [LONG[6]], []]}


@pytest.mark.parametrize("work", [Work(runs=4), Work(runs=1), Work(runs=0), Work(seconds=0)])
def test_a_case_that_was_not_cut_to_the_end_is_not_called_the_smallest(work):
    """Whether the runs or the seconds gave out; what was found by then is given."""
    runs = work.runs
    found, tried = cut({"rides": [LONG]}, crowded, work)
    assert found.differences and not found.smallest
    assert len(tried) <= 1 + runs


def test_the_same_work_finds_the_same_case_on_a_slow_machine():
    """What is found hangs on the number of runs."""
    first, second = (cut({"rides": [LONG]}, crowded, Work(runs=9))[0] for _ in range(2))
    assert first.scenario == second.scenario


def test_state_that_is_left_over_is_shown_by_one_ride():
    """Of twenty rides, one whose state stays, and the one that moves the watermark."""
    late = ride(99, at="16:00")

    def shown(scenario):
        rows = [row for batch in scenario.inputs["rides"] for row in batch]
        left = [row for row in rows if late in rows and row != late]
        kept, forgotten = ([len(rows), len(kept)] for kept in (left, []))
        runs = [result([], [], state=state) for state in (kept, forgotten)]
        case = Case(scenario, *runs)
        return case if case.differences else None

    case = shown(Scenario({"rides": [LONG, [], [late]]}, {}))
    found = smallest(case, shown, Work(1000, 1e6), {})
    assert found.scenario.inputs["rides"] == [[LONG[0]], [late]]
    assert found.smallest and found.excess == 1


@pytest.mark.parametrize(
    ("whole", "cut", "shows"),
    [
        ((40, 15), (4, 1), True),
        ((40, 15), (34, 33), False),
        ((75, 0), (1, 0), True),
        ((40, 15), (1, 1), False),
        ((15, 15), (1, 0), False),
    ],
)
def test_state_that_grows_is_not_shown_by_one_row_more(whole, cut, shows):
    """A right answer may keep a row for each of what another keeps together: (yours, reference)."""
    runs = ([result([], [], state=[number]) for number in both] for both in (cut, whole))
    cases = [Case(Scenario({}, {}), *both) for both in runs]
    assert _as_full(*cases) == shows


def test_where_twenty_make_a_crowd_one_or_two_do():
    """A threshold is lowered as far as the fault allows, and equal rows go."""

    def shown(scenario):
        count = len(scenario.inputs["rides"][0])
        fault = count == scenario.inputs.get("threshold", 20)
        case = Case(scenario, result([]), result([{"count": count}] * fault))
        return case if case.differences else None

    case = shown(Scenario({"rides": [20 * [ride(1)]]}, {}))
    found = smallest(case, shown, Work(1000, 1e6), {"threshold": 20})
    assert found.scenario.inputs == {"rides": [[ride(1)]], "threshold": 1}
