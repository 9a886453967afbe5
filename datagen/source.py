"""The taxi streams as sources for Spark: `taxi_rides`, `taxi_fares` and `taxi_ride_lines`."""

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from datagen import source_options
from datagen.lines import LineStream
from datagen.one_line import in_one_line
from datagen.options import OptionError
from datagen.pieces import Piece, split
from datagen.reading import Reading
from datagen.stream import FareStream, RideStream
from datagen.stream_reader import TaxiStreamReader


class TaxiSource(DataSource):
    """What the three sources share."""

    kind: type

    def schema(self) -> StructType:
        """Give the columns, and check every option while the query is only being written."""
        return from_arrow_schema(self._reading().schema())

    def reader(self, schema: StructType) -> DataSourceReader:
        """Give the reader of a batch."""
        with in_one_line():
            return TaxiReader(self._reading())

    def streamReader(self, schema: StructType) -> TaxiStreamReader:
        """Give the reader of a stream."""
        return TaxiStreamReader(self._reading())

    def _reading(self) -> Reading:
        with in_one_line():
            return Reading(self.kind, *source_options.parse(self.options))


class TaxiRides(TaxiSource):
    """START and END of every ride."""

    kind = RideStream

    @classmethod
    def name(cls) -> str:
        """Give the name of the format."""
        return "taxi_rides"


class TaxiFares(TaxiSource):
    """The fare of every ride."""

    kind = FareStream

    @classmethod
    def name(cls) -> str:
        """Give the name of the format."""
        return "taxi_fares"


class TaxiRideLines(TaxiSource):
    """The ride stream as raw lines of JSON."""

    kind = LineStream

    @classmethod
    def name(cls) -> str:
        """Give the name of the format."""
        return "taxi_ride_lines"


class TaxiReader(DataSourceReader):
    """Reads a range of a taxi stream as a batch."""

    def __init__(self, reading: Reading) -> None:
        """Take what to read; it has to end."""
        if reading.end() is None:
            raise OptionError(
                "This stream never ends, so it can't be read as a batch. "
                "Set the option rides or stop."
            )
        self._reading = reading

    def partitions(self) -> list[Piece]:
        """Split the range; an empty one is a piece too, since Spark wants at least one."""
        start = self._reading.own.start
        pieces = split(start, self._reading.end(), self._reading.own.partitions)
        return pieces or [Piece(start, start)]

    def read(self, piece: Piece) -> Iterator[pa.RecordBatch]:
        """Make the rows of one task."""
        return self._reading.rows(piece.start, piece.stop)


SOURCES = (TaxiRides, TaxiFares, TaxiRideLines)


def register(spark: SparkSession) -> None:
    """Make the taxi streams known to a Spark session by their names."""
    for source in SOURCES:
        spark.dataSource.register(source)
