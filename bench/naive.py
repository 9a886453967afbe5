"""The ride streams as a Spark source that yields one Python tuple after the other."""

from collections.abc import Iterator
from itertools import islice

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)

from bench import naive_city, naive_classic

EVENTS = {"classic": naive_classic.events, "city": naive_city.events}
SCHEMA = """ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean,
event_time timestamp, start_lon float, start_lat float, end_lon float, end_lat float,
passenger_count smallint"""


class NaiveRides(DataSource):
    """The first `stop` events of a profile, for `spark.read` and `spark.readStream`."""

    @classmethod
    def name(cls) -> str:
        """Give the name of the format."""
        return "naive_taxi_rides"

    def schema(self) -> str:
        """Give the columns."""
        return SCHEMA

    def reader(self, schema: object) -> "NaiveReader":
        """Give the reader of a batch."""
        return NaiveReader(self.options["profile"], int(self.options["stop"]))

    def streamReader(self, schema: object) -> "NaiveStreamReader":
        """Give the reader of a stream."""
        return NaiveStreamReader(self.options["profile"], int(self.options["stop"]))


class NaiveReader(DataSourceReader):
    """Reads the events in one task."""

    def __init__(self, profile: str, stop: int) -> None:
        """Take what to read."""
        self.profile, self.stop_at = profile, stop

    def read(self, partition: InputPartition) -> Iterator[tuple]:
        """Make the events row by row."""
        return islice(EVENTS[self.profile](), self.stop_at)


class NaiveStreamReader(DataSourceStreamReader):
    """Reads the events in one micro-batch of one task."""

    def __init__(self, profile: str, stop: int) -> None:
        """Take what to read."""
        self.profile, self.stop_at = profile, stop

    def initialOffset(self) -> dict:
        """Give the position of the first event."""
        return {"position": 0}

    def latestOffset(self) -> dict:
        """Give the position after the last."""
        return {"position": self.stop_at}

    def partitions(self, start: dict, end: dict) -> list[InputPartition]:
        """Give the one task its range."""
        return [InputPartition((start["position"], end["position"]))]

    def read(self, partition: InputPartition) -> Iterator[tuple]:
        """Make the events row by row."""
        return islice(EVENTS[self.profile](), *partition.value)
