"""Exactly once: fares in a database, none missing and none twice, whatever happens to the query.

Accounting wants the fares in a database, and beside them what each driver has earned. The query is
killed now and then: for an update, by a power cut, by an administrator. After that it starts again
and does its last micro-batch once more. Nobody must be paid twice for that, and nobody too little.
"""

import sqlite3

from pyspark.sql import DataFrame

TABLES = """
CREATE TABLE IF NOT EXISTS fares (ride_id INTEGER, driver_id INTEGER, total REAL);
CREATE TABLE IF NOT EXISTS totals (driver_id INTEGER PRIMARY KEY, fares INTEGER, total REAL);
"""


def write(batch: DataFrame, batch_id: int, database: str) -> None:
    """Write the fares of a micro-batch into a database, and bring the drivers' totals up to date.

    This is the function that `foreachBatch` calls, once for each micro-batch.

    Input: `batch`, the rows of a micro-batch, with the columns of the fare stream; `batch_id`, its
    number, from 0; `database`, the name of an SQLite file. The first time there is no such file.
    Ids and total_fare are never null. There may be several fares of one ride, paid in parts, and
    two of them may be the same in all columns: both count.

    Output: in the database, two tables with at least these columns:
    - `fares`: `ride_id`, `driver_id`, `total` (the fare's total_fare), a row for each fare;
    - `totals`: `driver_id`, `fares` (how many there are of this driver so far), `total` (what they
      come to), a row for each driver who has a fare.
    You may add columns and tables of your own.

    The rules:
    - After each micro-batch both tables must hold the fares of all micro-batches so far.
    - The query may be killed at any point: before your function is called, at any line within it,
      or after it, before Spark has noted that the micro-batch is done. Then a new process starts,
      and calls your function with the same batch_id and the same rows again; they may be in another
      order and in other partitions. After that each fare must be in `fares` once, and counted in
      `totals` once.
    - Somebody may read the database at any time: what is found of fares and totals must always fit
      together. (Whoever reads may have to wait for you.)
    - `batch_id` may skip numbers. The database's `journal_mode` must stay as it is.

    Example: micro-batch 0 brings a fare of 20.0 and one of 12.5, both of driver 1. Your function
    writes them, and then the power fails. After the restart it is called with micro-batch 0 again.
    Then `fares` has two rows, and `totals` has one: (1, 2, 32.5).
    """
    # TODO: connect, make the TABLES, and write all that belongs to the micro-batch at once.
    raise NotImplementedError
