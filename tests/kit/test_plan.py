"""Plans, shortened for lessons."""

import pytest

from trainer.lessons import plan


@pytest.fixture(scope="module")
def rides(spark):
    """The ride stream."""
    return spark.readStream.format("taxi_rides").load()


def test_a_filter_needs_no_shuffle(rides):
    """A filter is one step after the source."""
    first, last = plan.steps(rides.filter("is_start"))
    assert first.startswith("Filter")
    assert last == "StreamingRelation taxi_rides"


def test_a_count_by_driver_needs_a_shuffle_and_state(rides):
    """Steps are named without Spark's numbers, the last one first."""
    assert plan.steps(rides.groupBy("driver_id").count()) == [
        "StateStoreSave [driver_id]",
        "Exchange hashpartitioning(driver_id, 2)",
        "StreamingRelation taxi_rides",
    ]


def test_the_steps_are_printed_one_to_a_line(rides, capsys):
    """What is printed is what there is."""
    plan.print_steps(rides)
    assert capsys.readouterr().out == "StreamingRelation taxi_rides\n"
