"""Quarantine: read raw lines, let the good ones through, and keep the bad ones with a reason."""

from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

HINTS = (
    """
    First give every line a column `reason` (null if there is nothing wrong with it). The two
    outputs are then two filters on that one column, and no line can fall between them.
    """,
    """
    `try_parse_json` turns a line into a variant, a value that remembers its JSON type, or null. A
    field is taken out like this:
    ```
    F.try_variant_get("json", "$.tip", "variant")
    ```
    `schema_of_variant` names the type of what came out: BIGINT, STRING, BOOLEAN, DOUBLE, DECIMAL
    with its digits in brackets, VOID for a JSON null.
    """,
    """
    The first condition that holds wins:
    ```
    reason = (
        F.when(…, "malformed")
        .when(…, "missing field")
        .when(…, "bad value")
    )
    ```
    A value is bad if its type has the wrong name, or if `try_variant_get` to the column's type
    gives null.
    """,
)

WHOLE, NUMBER = "^BIGINT$", "^(BIGINT|DECIMAL|DOUBLE|FLOAT)"
RIDE = {
    "ride_id": ("bigint", WHOLE),
    "taxi_id": ("bigint", WHOLE),
    "driver_id": ("bigint", WHOLE),
    "is_start": ("boolean", "^BOOLEAN$"),
    "event_time": ("timestamp", "^STRING$"),
    "start_lon": ("float", NUMBER),
    "start_lat": ("float", NUMBER),
    "end_lon": ("float", NUMBER),
    "end_lat": ("float", NUMBER),
    "passenger_count": ("smallint", WHOLE),
}
ISO_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


def split_valid(lines: DataFrame) -> dict[str, DataFrame]:
    """Split lines of JSON into typed rides and rejects, as {"rides": …, "rejects": …}."""
    judged = lines.withColumn("json", F.try_parse_json("value")).withColumn("reason", _reason())
    rides = judged.filter("reason IS NULL")
    return {
        "rides": rides.select(*(_typed(name).alias(name) for name in RIDE)),
        "rejects": judged.filter("reason IS NOT NULL").select("value", "reason"),
    }


def _reason() -> Column:
    # `when` takes the first condition that holds, and treats a null one as one that doesn't.
    is_object = F.coalesce(F.schema_of_variant("json").startswith("OBJECT"), F.lit(False))
    return (
        F.when(~is_object, "malformed")
        .when(reduce(or_, map(_is_missing, RIDE)), "missing field")
        .when(reduce(or_, map(_is_bad, RIDE)), "bad value")
    )


def _is_missing(name: str) -> Column:
    return _json_type(name).isNull() | (_json_type(name) == "VOID")


def _is_bad(name: str) -> Column:
    _, json_type = RIDE[name]
    bad = ~_json_type(name).rlike(json_type) | _typed(name).isNull()
    if name == "event_time":
        # Spark would also take "2020-01-01" for a time.
        bad |= ~F.try_variant_get("json", "$.event_time", "string").rlike(ISO_TIME)
    return bad


def _json_type(name: str) -> Column:
    return F.schema_of_variant(F.try_variant_get("json", f"$.{name}", "variant"))


def _typed(name: str) -> Column:
    return F.try_variant_get("json", f"$.{name}", RIDE[name][0])
