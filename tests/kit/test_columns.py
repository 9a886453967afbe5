"""Contracts taken apart: names and types, however deep the types are nested."""

import re

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from trainer.grading.judging.protocol import schema_of
from trainer.running.answer import ContractError
from trainer.running.columns import columns
from trainer.running.contract import require

TYPES = [
    "bigint",
    "decimal(10,2)",
    "map<string,array<int>>",
    "struct<x:int,y:array<struct<p:int,q:decimal(10,2)>>>",
    "array<struct<a:map<int,decimal(3,1)>,b:string>>",
    "interval day to second",
]


@pytest.mark.parametrize("first", TYPES)
@pytest.mark.parametrize("second", TYPES)
def test_columns_are_split_where_no_bracket_is_open(first, second):
    """A comma inside a type belongs to it."""
    assert columns(f"a {first}, b {second}") == [("a", first), ("b", second)]


@pytest.mark.parametrize("kind", TYPES)
def test_types_are_written_as_spark_writes_them(spark, kind):
    """What Spark says of a schema of these columns is what was read."""
    (field,) = StructType.fromDDL(f"m {kind}")
    assert columns(f"m {field.dataType.simpleString()}") == [("m", kind)]


def test_room_that_people_leave_counts_for_nothing():
    """Over several lines, and inside brackets."""
    spacious = "\n  a  struct< x: int, y :decimal( 10, 2 ) > ,b   bigint\n"
    assert columns(spacious) == [("a", "struct<x:int,y:decimal(10,2)>"), ("b", "bigint")]


@pytest.mark.parametrize(
    ("contract", "fault"),
    [
        ("", "a column is missing"),
        ("a bigint,", "a column is missing"),
        ("a bigint,, b int", "a column is missing"),
        ("a bigint, b", "'b' has no type"),
        ("a array<int, b int", "a '>' is missing"),
        ("a array<int>>, b int", "a '>' closes what was not opened"),
        ("a decimal(10,2>, b int", "a '>' closes what was not opened"),
        ("a bigint, b int, a int", "it has a more than once"),
    ],
)
def test_a_malformed_contract_is_told_in_a_line(contract, fault):
    """It is its author's mistake, not the answer's: another error than answers get."""
    with pytest.raises(ValueError, match=re.escape(fault)) as caught:
        columns(contract)
    assert repr(contract) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", TYPES[1:5])
def test_an_answer_is_held_to_nested_types(spark, kind):
    """It passes with the type that was asked for, and is told of any other."""
    answer = spark.createDataFrame([], f"m {kind}, n bigint")
    assert require(answer, f"m {kind}, n bigint", columns) == {"": answer}
    with pytest.raises(ContractError, match="returned m as string; expected " + re.escape(kind)):
        require(answer.withColumn("m", F.lit("")), f"m {kind}, n bigint", columns)


def test_an_answer_may_name_its_columns_as_it_likes(spark):
    """A name of Spark's own, with commas and brackets in it, is told as it is."""
    answer = spark.range(1).select(F.greatest("id", "id"), F.lit(1).alias("a >, b"))
    with pytest.raises(ContractError) as caught:
        require(answer, "id bigint", columns)
    assert str(caught.value) == (
        "Your function returned a DataFrame that lacks id and also has greatest(id, id), a >, "
        "b; expected the columns id."
    )


def test_a_type_that_no_sandbox_sends_is_named():
    """The author of a grader learns which column it is, and what there is instead."""
    with pytest.raises(ValueError, match=re.escape("No sandbox can send m decimal(10,2): only ")):
        schema_of("n bigint, m decimal(10,2)")
