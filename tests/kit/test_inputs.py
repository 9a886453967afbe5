"""What an input is, is told by its form, and by all who ask alike."""

import pytest

from tests.kit.results import result
from trainer.checking.cuts import size
from trainer.display import tables
from trainer.display.timeline import timeline
from trainer.lessons.stepper import Steps
from trainer.rows import ride
from trainer.running.inputs import Kind, kind_of
from trainer.running.scenario import Scenario
from trainer.scenario import run

ROW = ride(1)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ([], Kind.STREAM),
        ([[]], Kind.STREAM),
        ([[], []], Kind.STREAM),
        ([[ROW]], Kind.STREAM),
        ([[], [ROW]], Kind.STREAM),
        (((ROW,), ()), Kind.STREAM),
        ([ROW], Kind.TABLE),
        ((ROW, ROW), Kind.TABLE),
        (7, Kind.PLAIN),
        (None, Kind.PLAIN),
        ("", Kind.PLAIN),
        ("Midtown", Kind.PLAIN),
        (b"bytes", Kind.PLAIN),
        (ROW, Kind.PLAIN),
        ([1, 2], Kind.PLAIN),
        (["Midtown", "JFK"], Kind.PLAIN),
        (range(3), Kind.PLAIN),
    ],
    ids=repr,
)
def test_the_form_tells_the_kind(given, kind):
    """Lists of lists are streams, lists of rows are tables, and all else is a plain value."""
    assert kind_of(given) is kind


@pytest.mark.parametrize("given", [[ROW, []], [[], ROW], [ROW, 1], [[ROW], None]], ids=repr)
def test_a_mixture_is_refused(given):
    """The author of a scenario forgot a pair of brackets."""
    with pytest.raises(ValueError, match="An input mixes rows with something else"):
        kind_of(given)


@pytest.mark.parametrize("place", ["Midtown", ["Midtown", "JFK"], {"cell": 7}, 7], ids=repr)
def test_a_plain_value_is_plain_to_all(spark, place):
    """It reaches the answer as it is, and is shown, drawn, counted as no stream."""
    handed_on = []
    outcome = run(lambda rides, place: handed_on.append(place) or rides, rides=[[ROW]], place=place)
    assert handed_on == [place]
    assert tables.inputs(outcome.scenario)[1].title == f"place = {place}"
    assert [event.stream for event in timeline(outcome.scenario, outcome).events] == ["rides"]
    assert list(Steps(outcome).streams) == ["rides"]
    assert size(outcome.scenario) == 1


def test_a_stream_without_micro_batches_runs_and_gives_none(spark):
    """An empty list is a stream, which has its schema from its name."""
    outcome = run(lambda rides: rides.select("ride_id"), rides=[])
    assert (outcome.rows, outcome.schema) == ([], "ride_id bigint")


def test_a_stream_without_micro_batches_is_a_stream_to_all():
    """It is shown by micro-batch, of which there are none."""
    scenario = Scenario({"rides": []}, {})
    (grid,) = tables.inputs(scenario)
    assert (grid.title, grid.lines) == ("rides, by micro-batch", ())
    assert timeline(scenario, result()).events == ()
    assert list(Steps(result(given={"rides": []})).streams) == ["rides"]
    assert size(scenario) == 0
