"""An answer that reads the state of a query is asked after each micro-batch, stopped or running."""

from pathlib import Path

import pytest

from trainer.checking.case import Case
from trainer.display.in_state import of_case
from trainer.lessons.stepper import step
from trainer.rows import DRIVER, at, end, ride
from trainer.running.answer import ContractError, Crashed
from trainer.scenario import run

COLUMNS = "driver_id bigint, since timestamp"
RIDES = [[ride(1)], [ride(2, driver=2, at="12:05")], [end(1)]]


def noted(spark, checkpoint, batch_id=None):
    """Give the newest micro-batch that was begun, the newest that is done, and which is asked."""
    begun, done = (
        max(int(path.name) for path in Path(checkpoint, kind).iterdir() if path.name.isdigit())
        for kind in ("offsets", "commits")
    )
    return spark.createDataFrame([(begun, done, batch_id)], "begun int, done int, asked int")


def fails_late(spark, checkpoint, batch_id=None):
    """Describe a table that can't be worked out."""
    return spark.range(1).selectExpr("id AS driver_id", "timestamp(raise_error('no')) AS since")


def test_a_stopped_query_is_asked_about_by_number(spark):
    """All is done by then, and each micro-batch has its turn."""
    result = run(noted, role="reader", rides=RIDES)
    assert result.rows == [{"begun": 2, "done": 2, "asked": number} for number in range(3)]


def test_a_running_query_is_asked_about_within_the_next_micro_batch(spark):
    """That one is begun and not done; after the last, the query has stopped."""
    rows = run(noted, role="reader", running=True, rides=RIDES).rows
    assert [(row["begun"], row["done"]) for row in rows] == [(1, 0), (2, 1), (2, 2)]
    assert all(row["asked"] is None for row in rows)


def test_what_was_in_state_is_kept(spark):
    """By variable and micro-batch, whatever the answer made of it."""
    duty, *_ = run(noted, role="reader", contents=True, rides=RIDES[:2]).contents
    noon, later = (int(at(time).timestamp() * 1000) for time in ("12:00", "12:05"))
    assert duty.title == "variable duty"
    assert duty.batches[0] == [(DRIVER + 1, True, noon)]
    assert sorted(duty.batches[1])[1] == (DRIVER + 2, True, later)


def test_a_stream_is_no_answer(spark):
    """The state is asked for now."""

    def streams(spark, checkpoint, batch_id=None):
        return (
            spark.readStream.format("rate")
            .load()
            .selectExpr("value AS driver_id", "timestamp AS since")
        )

    with pytest.raises(ContractError, match=r"returned a stream; expected a table.*`spark.read`"):
        run(streams, role="reader", columns=COLUMNS, rides=RIDES[:1])


def test_what_is_long_past_is_not_there(spark):
    """Of a query that has run for long, Spark has deleted what is old; in the end all is back."""

    def committed(spark, checkpoint, batch_id=None):
        first = min(int(path.name) for path in Path(checkpoint, "commits").glob("[0-9]*"))
        changes = len(list(Path(checkpoint).glob("state/*/*/1.changelog")))
        return spark.createDataFrame([(first, changes > 0)], "first int, changes boolean")

    for running in (True, False):
        result = run(committed, role="reader", running=running, contents=True, rides=RIDES)
        assert [tuple(row.values()) for row in result.rows] == [(0, True), (0, True), (1, False)]
        assert [len(batch) for batch in result.contents[0].batches] == [1, 2, 2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda folder: (folder / "asked").write_text("0"), "wrote asked"),
        (lambda folder: (folder / "metadata").write_text("{}"), "changed metadata"),
        (lambda folder: (folder / "commits/0").unlink(), "deleted commits/0"),
    ],
)
def test_whoever_changes_the_checkpoint_is_refused(spark, change, told):
    """It is there to be read."""

    def changes(spark, checkpoint, batch_id=None):
        change(Path(checkpoint))
        return spark.range(1)

    with pytest.raises(ContractError, match=f"{told} in the checkpoint; expected you to read"):
        run(changes, role="reader", rides=RIDES[:1])


@pytest.mark.parametrize("running", [False, True])
def test_what_goes_wrong_is_told_with_its_micro_batch(spark, running):
    """Also where it shows only when the table is worked out, within the query or after it."""
    with pytest.raises(Crashed, match="USER_RAISED_EXCEPTION") as told:
        run(fails_late, role="reader", running=running, columns=COLUMNS, rides=RIDES[:2])
    assert told.value.micro_batch == 1


def test_a_role_that_is_none_is_refused(spark):
    """In one line, for who writes a grader."""
    with pytest.raises(ValueError, match="role is 'writer'; expected one of program, sink, reader"):
        run(noted, role="writer", rides=RIDES)


def test_a_case_shows_what_was_in_state(spark):
    """After the first micro-batch that came out wrong."""
    came, expected = (
        run(noted, role="reader", contents=True, running=r, rides=RIDES[:1]) for r in (True, False)
    )
    (duty, *_) = of_case(Case(expected.scenario, came, expected))
    assert duty.title == "In state after micro-batch 1 (batch_id 0): variable duty: 1 row"


def test_it_can_be_walked_through(spark):
    """With what the query was given, what was in state, and what the answer gave."""
    text = repr(step(noted, role="reader", rides=RIDES[:1]))
    assert "begun 0" in text
    assert "1 rows of state" in text or "2 rows of state" in text
