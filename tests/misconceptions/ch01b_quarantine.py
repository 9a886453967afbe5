"""What learners get wrong when they put bad lines into quarantine."""

from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import caught_by

TYPES = {
    "ride_id": "bigint",
    "taxi_id": "bigint",
    "driver_id": "bigint",
    "is_start": "boolean",
    "event_time": "timestamp",
    "start_lon": "float",
    "start_lat": "float",
    "end_lon": "float",
    "end_lat": "float",
    "passenger_count": "smallint",
}
RIDE = ", ".join(f"{name} {type_}" for name, type_ in TYPES.items())
JSON_TYPES = {"boolean": "BOOLEAN", "timestamp": "STRING", "float": "BIGINT|DECIMAL|DOUBLE"}
ISO_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


@caught_by(
    "test_an_absent_or_null_field_is_missing",
    "test_a_number_in_quotes_is_a_bad_value",
    "test_another_json_type_is_a_bad_value",
)
def every_reject_is_malformed(lines: DataFrame) -> dict[str, DataFrame]:
    """You call every reject `malformed`. There are three reasons, and whoever repairs the cars
    needs the right one.
    """
    parsed = lines.withColumn("ride", F.from_json("value", RIDE))
    valid = ~reduce(or_, (F.col("ride")[name].isNull() for name in TYPES))
    return {
        "rides": parsed.filter(valid).select("ride.*"),
        "rejects": parsed.filter(~valid).select("value", F.lit("malformed").alias("reason")),
    }


@caught_by("test_every_line_is_in_exactly_one_output", "test_what_is_no_json_object_is_malformed")
def drops_empty_lines(lines: DataFrame) -> dict[str, DataFrame]:
    """You lost the lines that are empty or null. They, too, come from cars that need repair: reject
    them as `malformed`.
    """
    return _split(lines.filter("trim(value) <> ''"), _missing(), _bad())


@caught_by("test_an_absent_or_null_field_is_missing")
def takes_null_for_a_bad_value(lines: DataFrame) -> dict[str, DataFrame]:
    """You call a JSON null a bad value. A field that is there but null is missing all the same."""
    absent = reduce(or_, (_json_type(name).isNull() for name in TYPES))
    return _split(lines, absent, _bad())


@caught_by("test_the_first_reason_that_applies_is_given")
def looks_for_bad_values_first(lines: DataFrame) -> dict[str, DataFrame]:
    """You give `bad value` to lines that also lack a field. `missing field` comes first."""
    is_there = F.coalesce(_bad(only_those_there=True), F.lit(False))
    return _split(lines, _missing() & ~is_there, _missing() | _bad())


@caught_by("test_a_number_in_quotes_is_a_bad_value")
def casts_what_is_in_quotes(lines: DataFrame) -> dict[str, DataFrame]:
    """You took a number in quotes for a number. Ask for its JSON type before you cast."""
    return _split(lines, _missing(), reduce(or_, (_typed(name).isNull() for name in TYPES)))


@caught_by("test_a_time_that_is_not_iso_8601_with_z_is_a_bad_value")
def takes_whatever_casts_to_a_time(lines: DataFrame) -> dict[str, DataFrame]:
    """You took times without their T or Z. Noon in which time zone? Spark would have to guess."""
    return _split(lines, _missing(), _bad(time_format=".*"))


@caught_by("test_a_number_that_its_column_cannot_hold_is_a_bad_value")
def lets_a_great_number_become_null(lines: DataFrame) -> dict[str, DataFrame]:
    """You let through numbers that don't fit their column; the rides have null there instead."""
    wrong_type = (
        ~_json_type(name).rlike(JSON_TYPES.get(type_, "BIGINT|DECIMAL"))
        for name, type_ in TYPES.items()
    )
    return _split(lines, _missing(), reduce(or_, wrong_type) | _is_no_time(ISO_TIME))


@caught_by("test_what_is_no_json_object_is_malformed")
def takes_any_json_for_an_object(lines: DataFrame) -> dict[str, DataFrame]:
    """You asked only whether a line is JSON. `42` and `[]` are JSON as well, but they aren't
    objects with fields.
    """
    return _split(lines, _missing(), _bad(), is_whole=F.col("json").isNotNull())


@caught_by(
    "test_a_number_in_quotes_is_a_bad_value",
    "test_the_first_reason_that_applies_is_given",
    seen=r"columnNameOfCorruptRecord|_corrupt_record",
)
def asks_from_json_what_is_corrupt(lines: DataFrame) -> dict[str, DataFrame]:
    """You ask `from_json` whether a line is corrupt. It says so of a whole line as soon as one of
    its fields has another type, and so a bad value can't be told from a line that is no JSON. Ask
    for the JSON type of each field.
    """
    options = {"columnNameOfCorruptRecord": "broken"}
    parsed = F.from_json("value", f"{RIDE}, broken string", options)
    missing = reduce(or_, (F.col("ride")[name].isNull() for name in TYPES))
    is_broken = F.col("ride").isNull() | F.col("ride.broken").isNotNull()
    judged = lines.withColumn("ride", parsed)
    whole, reason = judged.filter(~is_broken & ~missing), F.when(is_broken, "malformed")
    return {
        "rides": whole.select(*(f"ride.{name}" for name in TYPES)),
        "rejects": judged.filter(is_broken | missing).select(
            "value", reason.otherwise("missing field").alias("reason")
        ),
    }


def _split(
    lines: DataFrame, missing: Column, bad: Column, is_whole: Column | None = None
) -> dict[str, DataFrame]:
    if is_whole is None:
        is_whole = F.coalesce(F.schema_of_variant("json").startswith("OBJECT"), F.lit(False))
    reason = F.when(~is_whole, "malformed").when(missing, "missing field").when(bad, "bad value")
    judged = lines.withColumn("json", F.try_parse_json("value")).withColumn("reason", reason)
    return {
        "rides": judged.filter("reason IS NULL").select(*(_typed(n).alias(n) for n in TYPES)),
        "rejects": judged.filter("reason IS NOT NULL").select("value", "reason"),
    }


def _missing() -> Column:
    return reduce(or_, (F.coalesce(_json_type(n), F.lit("VOID")) == "VOID" for n in TYPES))


def _bad(time_format: str = ISO_TIME, only_those_there: bool = False) -> Column:
    bad = [_is_no_time(time_format)]
    for name, type_ in TYPES.items():
        other_type = ~_json_type(name).rlike(JSON_TYPES.get(type_, "BIGINT"))
        does_not_fit = _typed(name).isNull()
        bad.append(other_type if only_those_there else other_type | does_not_fit)
    return reduce(or_, (F.coalesce(condition, F.lit(False)) for condition in bad))


def _is_no_time(time_format: str) -> Column:
    text = F.try_variant_get("json", "$.event_time", "string")
    return ~text.rlike(time_format) | _typed("event_time").isNull()


def _json_type(name: str) -> Column:
    return F.schema_of_variant(F.try_variant_get("json", f"$.{name}", "variant"))


def _typed(name: str) -> Column:
    return F.try_variant_get("json", f"$.{name}", TYPES[name])
