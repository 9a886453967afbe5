"""An earlier version of an answer does the first micro-batches, and the answer goes on."""

import sys

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming import StatefulProcessor

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.checking.cuts import without_idle_batches
from trainer.course.exercise import find
from trainer.display.as_code import as_code
from trainer.display.marks import title_of
from trainer.display.timeline import timeline
from trainer.display.timeline_described import described
from trainer.display.timeline_picture import picture
from trainer.display.timeline_text import draw
from trainer.rows import at, fare
from trainer.running.answer import AnswerError
from trainer.running.loading import as_issued
from trainer.running.scenario import Scenario
from trainer.scenario import run

# Spark's Python processes can't import a test: its processors go to them whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

FARES = [[fare(1), fare(2)], [fare(3)]]
UPGRADE = {"upgraded_after": 2, "upgraded_from": "ch08d_leak", "state_encoding": "avro"}


class Counting(StatefulProcessor):
    """Counts fares, in a value with these fields."""

    def __init__(self, fields: str) -> None:
        """Keep the fields that a schema names; the first is the count."""
        self.fields = fields

    def init(self, handle) -> None:
        """Open the value."""
        self.kept = handle.getValueState("kept", self.fields)

    def handleInputRows(self, key, rows, timerValues):
        """Count, and tell the count and what the other fields say."""
        count, *others = self.kept.get() if self.kept.exists() else (0,)
        others = others or [0] * self.fields.count(",")
        count += len(list(rows))
        self.kept.update((count, *others))
        yield Row(driver_id=key[0], count=count, **({"more": others[0]} if others else {}))


def one(fares: DataFrame) -> DataFrame:
    """Version one."""
    return fares.groupBy("driver_id").transformWithState(
        Counting("count bigint"), "driver_id bigint, count bigint", "append", timeMode="none"
    )


def two(fares: DataFrame) -> DataFrame:
    """Version two, with a field more."""
    return fares.groupBy("driver_id").transformWithState(
        Counting("count bigint, more bigint"),
        "driver_id bigint, count bigint, more bigint",
        "append",
        timeMode="none",
    )


def test_a_version_goes_on_with_what_another_kept(spark):
    """It counts on, and what the earlier one didn't know is null: in state, and in its rows."""
    columns = "driver_id bigint, count bigint, more bigint"
    given = {"upgraded_after": 1, "upgraded_from": one, "state_encoding": "avro"}
    came = run(two, columns=columns, fares=FARES, **given)
    assert [(row["count"], row["more"]) for row in came.rows] == [(2, None), (3, None)]


def test_the_encoding_decides_what_may_change(spark):
    """As Spark writes state unless told, a value keeps its fields; that is said in plain words."""
    with pytest.raises(AnswerError, match=r"into a state variable of its own.*NOT_COMPATIBLE"):
        run(two, fares=FARES, upgraded_after=1, upgraded_from=one)


def test_an_exercise_stands_for_its_stub_as_it_was_issued():
    """Whatever the learner has made of it, and under a name that is not the stub's."""
    function = as_issued("ch08d_leak")
    assert function.__name__ == find("ch08d_leak").function
    assert function.__module__ != find("ch08d_leak").stem


def test_half_of_an_upgrade_is_refused(spark):
    """Which version, and up to when: one without the other says nothing."""
    with pytest.raises(ValueError, match="give both or none"):
        run(two, fares=FARES, upgraded_after=1)


def laid_out():
    """Give a scenario with an upgrade, and what came of it."""
    scenario = Scenario({"fares": [*FARES, [fare(4)]]}, UPGRADE)
    row = {"window_end": at("13:00"), "driver_id": 2013000001}
    return scenario, result([], [], [row], watermarks=(None, "11:50", "11:50"))


def test_pictures_show_where_the_version_changes():
    """In text, in the picture, and in words for those who can't see it."""
    line = timeline(*laid_out())
    lines = draw(line).plain.splitlines()
    (at_line,) = (n for n, text in enumerate(lines) if "version two goes on from here" in text)
    assert lines[at_line + 1].startswith("batch 3")
    assert "Micro-batch 3: F4 at 12:00; from here on it is version two" in described(line)
    texts = [text.get_text() for text in picture(line).axes[0].texts]
    assert "version two from here ▴" in texts


def test_a_report_says_where_the_version_changes():
    """Above the case; and pasted, the case runs as it ran."""
    scenario, came = laid_out()
    assert "up to 2 are version one's" in title_of(Case(scenario, came, came))
    code = as_code(find("ch08d_leak"), scenario)
    assert 'upgraded_from="ch08d_leak",  # version one: the stub as it was issued' in code
    assert 'state_encoding="avro",' in code


def test_no_micro_batch_is_left_out_of_an_upgrade():
    """It comes after so many of them."""
    scenario, came = laid_out()
    idle = Scenario({"fares": [[], *scenario.inputs["fares"]]}, UPGRADE)
    assert list(without_idle_batches(Case(idle, came, came))) == []
