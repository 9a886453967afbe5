"""Exactly once: what a micro-batch brings, and that it is done, in one transaction."""

import sqlite3
from contextlib import closing

from pyspark.sql import DataFrame

HINTS = (
    """
    Spark tells you the number of the micro-batch, and that number stays the same when it comes
    again. So the database can know whether it has it already. Where must that be noted, so that it
    survives a kill, and when, so that it is never true without the fares nor the fares without it?
    """,
    """
    In the same transaction: the fares, the totals, and the number, in a table of your own. A
    transaction is there whole or not at all. With Python's `sqlite3`, a `with connection` around
    the statements commits at its end, and once only.
    """,
    """
    Let the note decide whether there is anything to do:
    ```
    with closing(sqlite3.connect(database)) as connection, connection:
        note = "INSERT OR IGNORE INTO done VALUES (?)"
        if connection.execute(note, (batch_id,)).rowcount:
            …
    ```
    In the place of the dots stand the fares, by `executemany`, and the totals, by an upsert:
    ```
    INSERT INTO … VALUES …
    ON CONFLICT (driver_id) DO UPDATE SET fares = fares + excluded.fares, …
    ```
    """,
)

TABLES = """
CREATE TABLE IF NOT EXISTS fares (ride_id INTEGER, driver_id INTEGER, total REAL);
CREATE TABLE IF NOT EXISTS totals (driver_id INTEGER PRIMARY KEY, fares INTEGER, total REAL);
CREATE TABLE IF NOT EXISTS done (batch_id INTEGER PRIMARY KEY);
"""
ADD_TO_TOTALS = """
INSERT INTO totals VALUES (?, 1, ?)
ON CONFLICT (driver_id) DO UPDATE SET fares = fares + 1, total = total + excluded.total
"""


def write(batch: DataFrame, batch_id: int, database: str) -> None:
    """Write the fares of a micro-batch into a database, and bring the totals up to date."""
    rows = batch.select("ride_id", "driver_id", "total_fare").collect()
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(TABLES)
        # From here to the end all is one transaction: the fares, the totals, and that they are in.
        with connection:
            note = connection.execute("INSERT OR IGNORE INTO done VALUES (?)", (batch_id,))
            if note.rowcount:
                connection.executemany("INSERT INTO fares VALUES (?, ?, ?)", rows)
                connection.executemany(ADD_TO_TOTALS, [(row[1], row[2]) for row in rows])
