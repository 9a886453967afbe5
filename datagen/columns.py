"""What a profile hands over: rides and fares as NumPy columns, one row a ride."""

from dataclasses import dataclass

import numpy as np


@dataclass(slots=True)
class Rides:
    """Consecutive rides; times are epoch seconds, `*_arrival` when an event enters the stream."""

    ride_id: np.ndarray
    taxi_id: np.ndarray
    driver_id: np.ndarray
    start: np.ndarray
    end: np.ndarray
    start_lon: np.ndarray
    start_lat: np.ndarray
    end_lon: np.ndarray
    end_lat: np.ndarray
    passenger_count: np.ndarray
    start_arrival: np.ndarray
    end_arrival: np.ndarray


@dataclass(slots=True)
class Fares:
    """The fares of consecutive rides; a fare arrives when its ride starts."""

    ride_id: np.ndarray
    taxi_id: np.ndarray
    driver_id: np.ndarray
    start: np.ndarray
    by_card: np.ndarray
    tip: np.ndarray
    tolls: np.ndarray
    total_fare: np.ndarray
