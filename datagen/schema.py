"""The columns of the two streams, the same in every profile."""

import pyarrow as pa

_TIME = pa.timestamp("us", tz="UTC")
_PLACE = ("start_lon", "start_lat", "end_lon", "end_lat")

RIDE_SCHEMA = pa.schema(
    [
        ("ride_id", pa.int64()),
        ("taxi_id", pa.int64()),
        ("driver_id", pa.int64()),
        ("is_start", pa.bool_()),
        ("event_time", _TIME),
        *((name, pa.float32()) for name in _PLACE),
        ("passenger_count", pa.int16()),
    ]
)

FARE_SCHEMA = pa.schema(
    [
        ("ride_id", pa.int64()),
        ("taxi_id", pa.int64()),
        ("driver_id", pa.int64()),
        ("start_time", _TIME),
        ("payment_type", pa.string()),
        ("tip", pa.float32()),
        ("tolls", pa.float32()),
        ("total_fare", pa.float32()),
    ]
)

LINE_SCHEMA = pa.schema([("value", pa.string())])
