"""What a runner says of a run is held against what it must look like."""

import pyarrow as pa
import pytest

from trainer.grading.judging.claims import MOST_BATCHES, outcome
from trainer.grading.judging.protocol import Broken, schema_of
from trainer.running.held import Held
from trainer.running.scenario import Scenario

COLUMNS = "ride_id bigint, event_time timestamp"
SCHEMA = schema_of(COLUMNS)
ONE = pa.table({"ride_id": [1], "event_time": [0]}, schema=SCHEMA)
BEYOND = pa.table({"ride_id": [1], "event_time": [2**62]}, schema=SCHEMA)
NOTHING = Scenario({}, {})
ABOUT = {
    "lengths": [1],
    "state_rows": [0],
    "dropped_late": [0],
    "watermarks": ["2020-01-01T12:00:00+00:00"],
}


def told(about: object, *tables: pa.Table) -> object:
    """Hear what is told of one output."""
    return outcome({"outputs": {"": about}}, list(tables), COLUMNS, NOTHING)


def test_what_is_told_as_it_must_be_is_believed():
    """Rows by micro-batch, and the numbers beside them."""
    result = told(
        ABOUT
        | {"lengths": [0, 1], "state_rows": [2, 3], "dropped_late": [0, 4]}
        | {"watermarks": [None, "2020-01-01T12:00:00+02:00"]},
        ONE,
    )
    assert [len(batch) for batch in result.batches] == [0, 1]
    assert (result.state_rows, result.dropped_late) == ([2, 3], [0, 4])
    assert [time and time.hour for time in result.watermarks] == [None, 10]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lengths", [2]),
        ("lengths", [-1]),
        ("lengths", [True]),
        ("lengths", [1.0]),
        ("lengths", ["1"]),
        ("lengths", 1),
        ("lengths", None),
        ("lengths", [[1]]),
        ("lengths", "1"),
        ("state_rows", []),
        ("state_rows", [float("nan")]),
        ("state_rows", [float("inf")]),
        ("state_rows", [-1]),
        ("state_rows", {"a": 1}),
        ("state_rows", [0, 0]),
        ("dropped_late", [None]),
        ("dropped_late", "0"),
        ("watermarks", [0]),
        ("watermarks", ["soon"]),
        ("watermarks", ["2020-01-01T12:00:00"]),
        ("state_rows", [10**4000]),
        ("watermarks", [["x"]]),
        ("watermarks", ["0001-01-01T00:00:00+23:00"]),
        ("watermarks", "2"),
    ],
)
def test_numbers_that_are_none_are_refused(name, value):
    """And times that are none, and lists that do not fit each other."""
    with pytest.raises(Broken):
        told(ABOUT | {name: value}, ONE)


@pytest.mark.parametrize("held", [None, [], [1], [1, 2, 3], [1, -1], [1.0, 2], [True, 0], "12", 2])
def test_a_state_that_holds_no_two_numbers_is_refused(held):
    """Of a run that was asked to look: elements and timers."""
    asked = Scenario.of(state_held=True)
    with pytest.raises(Broken):
        outcome({"outputs": {"": ABOUT | {"state_held": held}}}, [ONE], COLUMNS, asked)


def test_what_state_holds_is_heard_if_it_was_asked():
    """Else it is passed over, whatever it is."""
    about = ABOUT | {"state_held": [3, 1]}
    asked = outcome({"outputs": {"": about}}, [ONE], COLUMNS, Scenario.of(state_held=True))
    assert asked.state_held == Held(elements=3, timers=1)
    assert told(about, ONE).state_held is None
    assert told(ABOUT | {"state_held": "x" * 100}, ONE).state_held is None


@pytest.mark.parametrize("outputs", [None, [""], "", {}, {"late": ABOUT}, {"": ABOUT, "x": ABOUT}])
def test_other_outputs_than_the_contracts_are_refused(outputs):
    """One without a name was wanted."""
    with pytest.raises(Broken, match="other outputs"):
        outcome({"outputs": outputs}, [ONE], COLUMNS, NOTHING)


@pytest.mark.parametrize("about", [None, [], "x", 1, {}])
def test_an_output_of_which_nothing_is_told_is_refused(about):
    """Rows alone are not a run."""
    with pytest.raises(Broken):
        told(about, ONE)


def test_a_time_beyond_the_calendar_is_refused():
    """Arrow counts further than Python's calendar goes."""
    with pytest.raises(Broken, match="9999"):
        told(ABOUT, BEYOND)


def test_more_micro_batches_than_any_run_has_are_refused():
    """Sixty thousand empty ones are a small message, and more than anyone could draw."""
    many = MOST_BATCHES + 1
    zeros = {name: [0] * many for name in ("lengths", "state_rows", "dropped_late")}
    with pytest.raises(Broken, match="1,000 micro-batches"):
        told(zeros | {"watermarks": [None] * many}, SCHEMA.empty_table())


def test_named_outputs_come_by_name():
    """Their tables come in the contract's order, however the rest is told."""
    given = {"outputs": {"late": ABOUT | {"lengths": [0]}, "rides": ABOUT}}
    contract = {"rides": COLUMNS, "late": COLUMNS}
    found = outcome(given, [ONE, SCHEMA.empty_table()], contract, NOTHING)
    assert {name: len(result.rows) for name, result in found.items()} == {"rides": 1, "late": 0}
