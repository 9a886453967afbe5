"""One look at an answer is at one text of it, whatever is saved meanwhile."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql.streaming import StatefulProcessor

from trainer.checking.crash import Crash, cut
from trainer.checking.cuts import size
from trainer.checking.graders import verdict_on
from trainer.checking.report import Report, examine
from trainer.checking.verdict import Kind, Verdict
from trainer.course.exercise import Exercise, find
from trainer.display import tables
from trainer.display.notebook import Shown
from trainer.rows import ride
from trainer.running.answer import Crashed
from trainer.running.scenario import Scenario
from trainer.scenario import run

CLEANSING = find("ride_cleansing")
WRONG = """from datagen.geo import is_in_nyc

def cleanse(rides):
    return rides.filter(is_in_nyc("start_lon", "start_lat"))
"""
SAVES_ITSELF_AS = "from pathlib import Path\nPath(__file__).write_text({!r})\n"
FAILS_ON_THE_ROWS = """from pyspark.sql import functions as F

@F.udf
def fail(number):
    return {}[number]

def cleanse(rides):
    return rides.withColumn("passenger_count", fail("ride_id").cast("smallint"))
"""


@pytest.fixture
def stub(tmp_path) -> Path:
    """Where the learner's answer is."""
    return tmp_path / CLEANSING.stub.name


def reports(stub: Path, meanwhile: Callable = lambda report: None) -> list[Report]:
    """Examine an answer; give all that was told on the way."""
    told = []
    examine(CLEANSING, stub, tell=lambda report: (told.append(report), meanwhile(report)))
    return told


def test_the_case_is_of_the_text_that_the_verdict_is_on(stub):
    """What is saved between the two waits for the next look."""
    stub.write_text(WRONG)
    last = reports(stub, lambda report: stub.write_text("no Python"))[-1]
    assert last.verdict.kind == Kind.WRONG
    assert size(last.case.scenario) == 1


def test_an_answer_saved_while_it_is_loaded_is_judged_as_it_was(stub):
    """Neither the verdict nor the case takes up what came after."""
    right = CLEANSING.solution.read_text()
    stub.write_text(SAVES_ITSELF_AS.format(right) + WRONG)
    last = reports(stub)[-1]
    assert stub.read_text() == right
    assert last.verdict.kind == Kind.WRONG
    assert size(last.case.scenario) == 1


def test_a_glance_and_the_checks_are_at_the_same_text(stub, monkeypatch):
    """Whether it is untouched is not asked of what was saved since it was read."""

    def save_and_grade(exercise: Exercise, path: Path, **rest: object) -> Verdict:
        stub.write_bytes(exercise.issued.read_bytes())
        return verdict_on(exercise, path, **rest)

    monkeypatch.setattr("trainer.checking.report.verdict_on", save_and_grade)
    stub.write_text(WRONG)
    assert reports(stub)[0].verdict.kind == Kind.WRONG


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FAILS_ON_THE_ROWS, "(line 5: return {}[number])"),
        ("def cleanse(rides):\n    return rides.nowhere\n", "(line 2: return rides.nowhere)"),
        ("def cleanse(rides:\n", "(line 1: def cleanse(rides:)"),
    ],
    ids=["on the rows", "in the function", "no Python"],
)
def test_the_learners_own_line_is_quoted(stub, text, told):
    """Also where a worker ran it, and where it never ran."""
    stub.write_text(text)
    report = reports(stub)[-1]
    assert report.verdict.kind == Kind.CRASHED
    assert told in report.verdict.message


def test_nothing_names_another_file_than_the_learners(stub):
    """An answer is told its own path, and so is its author."""
    stub.write_text("def cleanse(rides):\n    raise ValueError(__file__)\n")
    (report,) = reports(stub)
    assert f"ValueError: {stub} (line 2" in report.verdict.message


def test_an_answer_that_is_not_there_is_named(stub):
    """There is nothing to copy, and that is told as ever."""
    (report,) = reports(stub)
    assert report.verdict.message.startswith(f"There is no {stub.name};")


def test_no_copy_is_left_behind(stub, monkeypatch, tmp_path):
    """It goes when all is told."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    stub.write_text("def cleanse(rides):\n    raise ValueError\n")
    assert reports(stub)
    assert not [path for path in scratch.rglob("*") if path.suffix == ".py"]


def test_a_crash_shows_the_rows_that_it_takes(stub):
    """Of the script one row is left, whatever the error says of its value; it can be tried."""
    stub.write_text(FAILS_ON_THE_ROWS)
    report = reports(stub)[-1]
    assert size(report.crash.scenario) == 1 and report.crash.smallest
    shown = repr(Shown(report)), Shown(report)._repr_html_()
    assert all("The smallest case found that crashes" in text for text in shown)
    assert all("step(" in text for text in shown)


def test_a_crash_that_does_not_come_again_shows_the_rows_that_it_met(stub):
    """Then there is nothing to cut down: what came in that micro-batch is shown."""
    scenario = Scenario({"rides": [[ride(1)], [ride(2), ride(3)]]}, {})
    error = Crashed("Odd (line 1)")
    error.micro_batch, error.line = 2, 1
    crash = cut(Crash(scenario, error), lambda rides: rides, seconds=1)
    (grid,) = tables.of_crash(crash)
    assert not crash.smallest
    assert grid.title == "rides, what came in micro-batch 2" and len(grid.lines) == 2


def test_a_crash_where_no_rows_came_shows_what_came_before():
    """A timer went off, say: what set it is among those rows."""
    error = Crashed("Odd (line 1)")
    error.micro_batch, error.line = 2, 1
    (grid,) = tables.of_crash(Crash(Scenario({"rides": [[ride(1)], []]}, {}), error))
    assert len(grid.lines) == 1


def test_what_one_needs_of_an_earlier_micro_batch_stays(spark):
    """The crash on a second event of a ride needs the first, and none of the others."""

    class Fails(StatefulProcessor):
        def init(self, handle):
            self.seen = handle.getValueState("seen", "n int")

        def handleInputRows(self, key, rows, timerValues):
            if self.seen.exists():
                raise ValueError(f"ride {key[0]} again")
            self.seen.update((1,))
            return iter(())

    def answer(rides):
        keyed = rides.groupBy("ride_id")
        return keyed.transformWithState(Fails(), "ride_id bigint", "append", "none")

    given = {"rides": [[ride(1), ride(2)], [], [ride(4)], [ride(3), ride(2), ride(1)]]}
    with pytest.raises(Crashed) as caught:
        run(answer, **given)
    crash = cut(Crash(Scenario(given, {}), caught.value), answer, seconds=120)
    assert [[row["ride_id"] for row in batch] for batch in crash.scenario.inputs["rides"]] in (
        [[1], [1]],
        [[2], [2]],
    )
