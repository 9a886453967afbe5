"""The quarantine, written in other ways that are right too."""

import json
import re
from datetime import datetime

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

RIDE = """
    ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp,
    start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint
"""
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def in_plain_python(lines: DataFrame) -> dict[str, DataFrame]:
    """Judge each line in a UDF with Python's own JSON reader."""

    whole = {"ride_id": 63, "taxi_id": 63, "driver_id": 63, "passenger_count": 15}
    numbers = ("start_lon", "start_lat", "end_lon", "end_lat")

    def is_good(name: str, value: object) -> bool:
        if name in whole:
            return type(value) is int and -(2 ** whole[name]) <= value < 2 ** whole[name]
        if name in numbers:
            return type(value) in (int, float)
        return type(value) is bool if name == "is_start" else is_time(value)

    def is_time(value: object) -> bool:
        if not isinstance(value, str) or not re.fullmatch(TIME, value):
            return False
        try:
            datetime.fromisoformat(value)
        except ValueError:
            return False
        return True

    @F.udf("string")
    def reason(text: str | None) -> str | None:
        try:
            fields = json.loads(text or "")
        except ValueError:
            return "malformed"
        if not isinstance(fields, dict):
            return "malformed"
        names = [*whole, *numbers, "is_start", "event_time"]
        if any(fields.get(name) is None for name in names):
            return "missing field"
        return None if all(is_good(name, fields[name]) for name in names) else "bad value"

    judged = lines.withColumn("reason", reason("value"))
    rides = judged.filter("reason IS NULL").select(F.from_json("value", RIDE).alias("ride"))
    return {"rides": rides.select("ride.*"), "rejects": judged.filter("reason IS NOT NULL")}


def with_from_json(lines: DataFrame) -> dict[str, DataFrame]:
    """Parse each line twice: as text for what is missing, as a ride for what is bad."""
    fields = [column.split()[0] for column in RIDE.split(",")]
    parsed = lines.select(
        "value",
        F.from_json("value", "map<string, string>").alias("text"),
        F.from_json(
            "value", RIDE + ", broken string", {"columnNameOfCorruptRecord": "broken"}
        ).alias("ride"),
    )
    missing = " OR ".join(f"text['{name}'] IS NULL" for name in fields)
    judged = parsed.withColumn(
        "reason",
        F.when(~F.coalesce(F.trim("value").startswith("{"), F.lit(False)), "malformed")
        .when(F.col("text").isNull(), "malformed")
        .when(F.expr(missing), "missing field")
        .when(F.col("ride.broken").isNotNull(), "bad value")
        .when(~F.col("text.event_time").rlike(f"^{TIME}$"), "bad value"),
    )
    return {
        "rides": judged.filter("reason IS NULL").select("ride.*").drop("broken"),
        "rejects": judged.filter("reason IS NOT NULL").select("value", "reason"),
    }
