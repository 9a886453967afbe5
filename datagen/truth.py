"""The columns that tell which rows are flawed, and how, for whoever asks with `truth=True`.

`is_late`: arrives later than `disorder` allows. `arrival_delay_s`: how much later than without
flaws. `is_duplicate`: the second of two. `end_missing`, `fare_missing`: the ride's END or fare
never comes. `is_hot`: the ride was given to the hot driver.
"""

import numpy as np
import pyarrow as pa

from datagen.arrivals import Arrivals
from datagen.flaws import END, FARE, Deliveries, Flaws

TRUTH_SCHEMA = pa.schema(
    [
        ("is_late", pa.bool_()),
        ("arrival_delay_s", pa.float64()),
        ("is_duplicate", pa.bool_()),
        ("end_missing", pa.bool_()),
        ("fare_missing", pa.bool_()),
        ("is_hot", pa.bool_()),
    ]
)


def truth_columns(
    ids: np.ndarray, arrivals: Arrivals, sent: list[Deliveries], flaws: Flaws
) -> list[np.ndarray]:
    """Make the truth about each arrival; ids are those of the rides that the arrivals point to."""
    at = (arrivals.kind, arrivals.ride)
    delay = np.stack([one.delay for one in sent])[at]
    copy_delay = np.stack([one.copy_delay for one in sent])[at]
    return [
        np.stack([one.late for one in sent])[at],
        np.where(arrivals.is_copy, copy_delay, delay) / 1000,
        arrivals.is_copy,
        flaws.missing(END, ids)[arrivals.ride],
        flaws.missing(FARE, ids)[arrivals.ride],
        flaws.hot(ids)[arrivals.ride],
    ]
