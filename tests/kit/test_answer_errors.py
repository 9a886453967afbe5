"""What an answer may do wrong is told in one line, with the line of code where there is one."""

import time

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from trainer.rows import ride
from trainer.running.answer import (
    AnswerError,
    ContractError,
    Crashed,
    Overloaded,
    TooSlow,
    Unfinished,
)
from trainer.scenario import run

COLUMNS = "ride_id bigint, driver_id bigint"


def told(function, *, columns=None, timeout=60, **inputs) -> AnswerError:
    """Run an answer that fails; give the error, whose message is one line."""
    with pytest.raises(AnswerError) as caught:
        run(function, columns=columns, timeout=timeout, **(inputs or {"rides": [[ride(1)]]}))
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "Your function returned None; expected a DataFrame. Is a `return` missing?"),
        (42, "Your function returned an int; expected a DataFrame."),
        ({}, "Your function returned a dict; expected a DataFrame."),
    ],
)
def test_no_data_frame(spark, answer, message):
    """What was returned is named; a None most often lacks its return."""
    error = told(lambda rides: answer, columns=COLUMNS)
    assert isinstance(error, ContractError) and str(error) == message


@pytest.mark.parametrize(
    ("select", "message"),
    [
        (["ride_id"], "a DataFrame that lacks driver_id; expected the columns ride_id, driver_id."),
        (["ride_id", "driver_id", "taxi_id"], "a DataFrame that also has taxi_id; expected"),
        (["ride_id", "driver_id", "ride_id"], "a DataFrame that has ride_id twice; expected"),
        (["driver_id", "ride_id"], "order driver_id, ride_id; expected ride_id, driver_id."),
        (
            ["ride_id", "cast(driver_id as int) driver_id"],
            "returned driver_id as int; expected bigint. `cast` it.",
        ),
    ],
)
def test_wrong_columns(spark, select, message):
    """Missing, extra, disordered and mistyped columns are told apart."""
    error = told(lambda rides: rides.selectExpr(*select), columns=COLUMNS)
    assert isinstance(error, ContractError) and message in str(error)


def test_wrong_names_in_a_dict(spark):
    """The outputs that came and those expected are named."""
    error = told(lambda rides: {"ride": rides}, columns={"rides": COLUMNS, "late": COLUMNS})
    message = 'Your function returned a dict with "ride"; expected "rides" and "late".'
    assert isinstance(error, ContractError) and str(error) == message


def test_an_output_of_a_dict_has_a_contract_too(spark):
    """The name of the output stands in the message."""
    error = told(lambda rides: {"late": rides}, columns={"late": COLUMNS})
    assert str(error).startswith(
        'Your function, under "late", returned a DataFrame that also has taxi'
    )


def test_its_own_query(spark):
    """An answer describes; it doesn't start anything."""

    def answer(rides: DataFrame) -> DataFrame:
        rides.writeStream.format("noop").start()
        return rides

    error = told(answer)
    assert isinstance(error, ContractError)
    assert str(error).startswith("Your function starts a streaming query itself.")
    assert str(error).endswith('rides.writeStream.format("noop").start()).')


def test_collecting_a_stream(spark):
    """A stream has no rows yet while it is described."""
    error = told(lambda rides: rides.limit(rides.count()))
    assert isinstance(error, ContractError)
    assert str(error).startswith("A stream has no rows while your function describes it")


def test_sleeping(spark):
    """A function that waits is given up after the time it has."""
    error = told(lambda rides: time.sleep(60), timeout=0.2)
    assert isinstance(error, TooSlow) and "no sleep, no waiting, no endless loop" in str(error)


def test_an_endless_loop_on_the_rows(spark):
    """A query that doesn't come to an end is stopped, with the process that runs it."""

    @F.udf("long")
    def spin(number: int) -> int:
        while True:
            number += 1

    error = told(lambda rides: rides.select(spin("ride_id")), timeout=5)
    assert isinstance(error, TooSlow) and str(error).startswith("Time was up in micro-batch 1.")
    assert not spark.streams.active


def test_printing_is_harmless(spark, capsys):
    """What an answer prints is nobody's output."""
    assert run(lambda rides: print("hello") or rides, rides=[[ride(1)]]).rows == [ride(1)]


def test_an_error_in_the_function(spark):
    """The error is named, and the line of the function it came from."""

    def answer(rides: DataFrame) -> DataFrame:
        return rides.select(1 / 0)

    error = told(answer)
    assert isinstance(error, Crashed)
    assert str(error).startswith("ZeroDivisionError: division by zero (line ")
    assert str(error).endswith(": return rides.select(1 / 0))")


def test_an_error_in_a_udf(spark):
    """The line is found in what the worker tells, too."""

    @F.udf
    def fail(number: int) -> str:
        return {}[number]

    error = told(lambda rides: rides.select(fail("ride_id")))
    assert isinstance(error, Crashed)
    assert str(error).startswith("KeyError: 1 (line ")
    assert str(error).endswith(": return {}[number])")


def test_an_error_of_sparks(spark):
    """Of Spark's long message the first sentence is told."""
    error = told(lambda rides: rides.select("drivr_id"))
    assert str(error).startswith("Spark says UNRESOLVED_COLUMN.WITH_SUGGESTION: A column, variable")


def test_an_error_in_a_row(spark):
    """So is the one that only a row brings about."""
    error = told(lambda rides: rides.selectExpr("cast('x' || ride_id as int) n"))
    assert str(error).startswith("Spark says CAST_INVALID_INPUT: The value 'x1' of the type")


def test_a_query_that_spark_refuses(spark):
    """What Spark finds wrong before the first row is told in its words."""
    error = told(lambda rides: rides.groupBy("ride_id").count())
    assert str(error).endswith("Spark says STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION.")


def test_a_worker_that_is_ended(spark):
    """Leaving the Python process of a worker is no way out."""

    @F.udf
    def leave(number: int) -> str:
        import os

        os._exit(0)

    error = told(lambda rides: rides.select(leave("ride_id")))
    assert str(error) == "Your function ended the Python process that it ran in."


def test_a_machine_that_is_too_busy_is_no_fault_of_the_answer(spark):
    """Spark gives a new Python some seconds to come up."""

    def busy(rides):
        raise RuntimeError("org.apache.spark.SparkException: Python worker failed to connect back.")

    error = told(busy)
    assert isinstance(error, Overloaded) and "says nothing about your answer" in str(error)


def test_leaving_the_function(spark):
    """Nor is exit()."""
    error = told(lambda rides: exit())
    assert isinstance(error, Crashed) and str(error).startswith("SystemExit")


def test_not_implemented_is_unfinished(spark):
    """In the function, or in what runs on the rows."""

    def in_the_function(rides: DataFrame) -> DataFrame:
        raise NotImplementedError

    def on_the_rows(rides: DataFrame) -> DataFrame:
        @F.udf
        def later(number: int) -> str:
            raise NotImplementedError("later")

        return rides.select(later("ride_id"))

    assert isinstance(told(in_the_function), Unfinished)
    assert isinstance(told(on_the_rows), Unfinished)
