"""Make the files of this folder anew: `python data/make.py`."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

import datagen
from datagen.zones import zones

HERE = Path(__file__).parent
# Monday from six to eight in the evening, in New York.
EVENING = datetime(2024, 3, 4, 23, tzinfo=UTC), datetime(2024, 3, 5, 1, tzinfo=UTC)


def between(table: pa.Table, column: str, start: datetime, stop: datetime) -> pa.Table:
    """Give the rows with start <= column < stop."""
    time = pc.field(column)
    return table.filter((time >= pa.scalar(start)) & (time < pa.scalar(stop)))


def samples() -> dict[str, pa.Table]:
    """Make every table of this folder but the places, by file name."""
    return {
        "city_rides.parquet": between(datagen.ride_events(0, 80_000), "event_time", *EVENING),
        "city_fares.parquet": between(datagen.fares(0, 40_000), "start_time", *EVENING),
        "classic_rides.parquet": datagen.ride_events(0, 5_000, profile="classic"),
        "classic_fares.parquet": datagen.fares(0, 3_000, profile="classic"),
        "zones.csv": zones(),
    }


def main() -> None:
    """Write every file of this folder but the places and this script."""
    for name, table in samples().items():
        if name.endswith(".csv"):
            options = pyarrow.csv.WriteOptions(quoting_style="none")
            pyarrow.csv.write_csv(table, HERE / name, options)
        else:
            pq.write_table(table, HERE / name, compression="zstd")


if __name__ == "__main__":
    main()
