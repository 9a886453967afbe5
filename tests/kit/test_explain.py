"""What a report shows of a wrong answer: the rows that have to do with what differs."""

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.grading.pages.explain import focus
from trainer.rows import ride
from trainer.running.scenario import Scenario


def test_rows_of_other_keys_are_left_out_and_a_number_stays():
    """An input may be a number, as a threshold is."""
    given = Scenario.of(rides=[[ride(1), ride(2)]], threshold=2)
    came, expected = result([{"ride_id": 1}]), result([{"ride_id": 1}, {"ride_id": 2}])
    found = focus(Case(given, came, expected)).scenario
    assert [row["ride_id"] for row in found.inputs["rides"][0]] == [2]
    assert found.inputs["threshold"] == 2
