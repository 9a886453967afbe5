"""A case cut down: what is left still shows the fault."""

import math

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.smallest import smallest
from trainer.rows import fare, ride
from trainer.running.scenario import Scenario

LONG = [ride(number, at=f"12:{number:02}") for number in range(1, 40)]


def cut(streams, faulty, until=math.inf, **options):
    """Cut down the case of an answer that loses the rides for which `faulty` is true."""
    tried = []

    def shown(scenario):
        tried.append(scenario)
        given = scenario.inputs["rides"]
        kept = [[row for row in batch if not faulty(row, scenario)] for batch in given]
        case = Case(scenario, result(*kept), result(*given))
        return case if case.differences else None

    first = shown(Scenario(streams, options))
    return smallest(first, shown, until), tried


def test_one_ride_is_left():
    """Of forty rides, the one that is lost; idle micro-batches go as well."""
    found, tried = cut({"rides": [LONG[:20], [], LONG[20:]]}, lambda row, _: row["ride_id"] == 7)
    assert found.scenario.inputs == {"rides": [[LONG[6]]]}
    assert len(tried) < 10


def test_what_needs_two_keeps_two():
    """A ride that is lost only where another one is there."""

    def crowded(row, scenario):
        return row["ride_id"] == 7 and LONG[29] in scenario.inputs["rides"][0]

    found, _ = cut({"rides": [LONG]}, crowded)
    assert found.scenario.inputs == {"rides": [[LONG[6], LONG[29]]]}


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


def test_without_time_one_cut_is_tried():
    """A learner who waits gets what there is."""
    found, tried = cut({"rides": [LONG[:9], LONG[9:]]}, lambda row, _: row["ride_id"] == 7, until=0)
    assert len(tried) == 2
    assert found.scenario.inputs == {"rides": [LONG[:9]]}
