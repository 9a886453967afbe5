"""Quarantine: read raw lines, let the good ones through, and keep the bad ones with a reason.

The cars send their events as lines of JSON, by radio, and radio loses bytes. A line may be cut in
half, a meter may send `"3"` where it means 3, and some lines are empty. If you let them crash the
query, one bad car stops the city. If you drop them, nobody ever learns which car to repair. So
they go into quarantine: kept as they came, with the reason why.
"""

from pyspark.sql import DataFrame

RIDE = """
    ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp,
    start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint
"""


def split_valid(lines: DataFrame) -> dict[str, DataFrame]:
    """Split lines of JSON into typed rides and rejects, as {"rides": …, "rejects": …}.

    Input: one column, `value`: a line as it came, a string or null.

    Output "rides": the columns of RIDE, in that order and of those types.
    Output "rejects": `value` (the line as it came) and `reason`, the first that applies:

    - `malformed`: null, empty, or not one JSON object.
    - `missing field`: one of the ten fields is absent, or is null.
    - `bad value`: a field has the wrong JSON type (a number in quotes is a string, not a number),
      or a number that its column can't hold, or `event_time` is not a time like
      "2020-01-01T12:00:00Z", with the T and the Z.

    Further rules:
    - Every line must be in exactly one of the two outputs. None may be lost.
    - Names of fields are case-sensitive. Fields that RIDE doesn't know are ignored.

    Example: the line `{"ride_id": 1` is rejected as `malformed`, and `{"ride_id": "1"}` as
    `missing field`: nine fields are absent, and that reason comes first.
    """
    # TODO: parse each line, find the reason to reject it (or none), and split by that.
    raise NotImplementedError
