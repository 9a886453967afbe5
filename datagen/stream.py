"""A stream of ride events or of fares: any range of it, in batches, flaws included."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from datagen.arrivals import Arrivals, arrange
from datagen.columns import Fares, Rides
from datagen.flaws import END, FARE, START, Flaws
from datagen.options import Options
from datagen.positions import Positions, in_batches
from datagen.profiles import make_profile
from datagen.schema import FARE_SCHEMA, RIDE_SCHEMA
from datagen.tables import record_batch, to_arrow
from datagen.truth import TRUTH_SCHEMA, truth_columns

BATCH_ROWS = 131_072
_MICROSECONDS = 1_000_000
_PAYMENT_TYPES = pa.StringArray.from_buffers(
    2, pa.py_buffer(np.array([0, 4, 8], dtype=np.int32)), pa.py_buffer(b"CASHCARD")
)


class _Stream:
    """What both streams share: the kinds of their events say which one it is."""

    kinds: tuple[int, ...]
    own_schema: pa.Schema

    def __init__(self, options: Options) -> None:
        self._options = options
        self._profile, self._flaws = make_profile(options), Flaws(options)
        reach = self._profile.rides_within(self._flaws.longest_delay)
        self._positions = Positions(self.kinds, self._flaws, options.rides, reach)
        truth = TRUTH_SCHEMA if options.truth else []
        self.schema = pa.schema([*self.own_schema, *truth])

    def __len__(self) -> int:
        """How many events the stream holds; only one with an end, set by `rides`, has a length."""
        if self._options.rides is None:
            raise TypeError("A stream without the option rides never ends: it has no length.")
        return self._positions.count(self._options.rides)

    def batches(
        self, start: int, stop: int, batch_rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Make events start…stop−1, in arrival order, in batches of so many rows."""
        start, stop = self._positions.cut(start, stop)
        for first, last in in_batches(start, stop, batch_rows):
            yield self._batch(first, last)

    def _batch(self, start: int, stop: int) -> pa.RecordBatch:
        first, last = self._positions.around(start, stop)
        before = self._positions.count(first)
        rows, arrival = self._make(first + 1, last + 1)
        sent = [self._flaws.deliveries(kind, rows.ride_id) for kind in self.kinds]
        arrived = arrange(list(zip(arrival, sent, strict=True)), start - before, stop - before)
        self._heat(rows)
        columns = self._columns(rows, arrived)
        if self._options.truth:
            columns += truth_columns(rows.ride_id, arrived, sent, self._flaws)
        return record_batch(columns, self.schema)

    def _heat(self, rows: Rides | Fares) -> None:
        """Give the hot driver a share of the rides."""
        if self._options.hot_key:
            hot = self._flaws.hot(rows.ride_id)
            rows.taxi_id = np.where(hot, self._profile.hot_taxi, rows.taxi_id)
            rows.driver_id = np.where(hot, self._profile.hot_driver, rows.driver_id)

    def _make(self, first: int, stop: int) -> tuple[Rides | Fares, list[np.ndarray]]:
        """Make rows first…stop−1 and, for each kind of event, when they arrive."""
        raise NotImplementedError

    def _columns(self, rows: Rides | Fares, arrived: Arrivals) -> list[np.ndarray | pa.Array]:
        """Make the stream's own columns for what arrived."""
        raise NotImplementedError


class RideStream(_Stream):
    """START and END of every ride."""

    kinds, own_schema = (START, END), RIDE_SCHEMA

    def _make(self, first: int, stop: int) -> tuple[Rides, list[np.ndarray]]:
        rides = self._profile.rides(first, stop)
        return rides, [rides.start_arrival, rides.end_arrival]

    def _columns(self, rows: Rides, arrived: Arrivals) -> list[np.ndarray]:
        row = arrived.ride
        times = np.stack([rows.start, rows.end], axis=1).ravel() * _MICROSECONDS
        return [
            rows.ride_id[row],
            rows.taxi_id[row],
            rows.driver_id[row],
            arrived.kind == 0,
            times[2 * row + arrived.kind],
            rows.start_lon[row],
            rows.start_lat[row],
            rows.end_lon[row],
            rows.end_lat[row],
            rows.passenger_count[row],
        ]


class FareStream(_Stream):
    """The fare of every ride."""

    kinds, own_schema = (FARE,), FARE_SCHEMA

    def _make(self, first: int, stop: int) -> tuple[Fares, list[np.ndarray]]:
        fares = self._profile.fares(first, stop)
        return fares, [fares.start]

    def _columns(self, rows: Fares, arrived: Arrivals) -> list[np.ndarray | pa.Array]:
        row = arrived.ride
        return [
            rows.ride_id[row],
            rows.taxi_id[row],
            rows.driver_id[row],
            rows.start[row] * _MICROSECONDS,
            _PAYMENT_TYPES.take(to_arrow(rows.by_card[row].astype(np.int8), pa.int8())),
            rows.tip[row],
            rows.tolls[row],
            rows.total_fare[row],
        ]
