"""Exactly once, written in other ways that are right too."""

import sqlite3
from contextlib import closing

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

WITH_THEIR_NUMBER = """
CREATE TABLE IF NOT EXISTS fares (ride_id INTEGER, driver_id INTEGER, total REAL, batch_id INTEGER);
CREATE TABLE IF NOT EXISTS totals (driver_id INTEGER PRIMARY KEY, fares INTEGER, total REAL);
"""


def takes_it_back_and_writes_it_again(batch: DataFrame, batch_id: int, database: str) -> None:
    """Let each fare know its micro-batch: one that comes again takes its own place."""
    rows = batch.select("ride_id", "driver_id", "total_fare", F.lit(batch_id)).collect()
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(WITH_THEIR_NUMBER)
        connection.execute("DELETE FROM fares WHERE batch_id = ?", (batch_id,))
        connection.executemany("INSERT INTO fares VALUES (?, ?, ?, ?)", rows)
        connection.execute("DELETE FROM totals")
        totals = "SELECT driver_id, count(*), sum(total) FROM fares GROUP BY driver_id"
        connection.execute(f"INSERT INTO totals {totals}")


def asks_for_the_last_one(batch: DataFrame, batch_id: int, database: str) -> None:
    """Keep the number of the last micro-batch alone, begin and commit by hand, total in Spark."""
    totals = batch.groupBy("driver_id").agg(F.count("*"), F.sum("total_fare")).collect()
    connection = sqlite3.connect(database, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        for table in (
            "fares (ride_id INTEGER, driver_id INTEGER, total REAL)",
            "totals (driver_id INTEGER PRIMARY KEY, fares INTEGER, total REAL)",
            "progress (last INTEGER)",
        ):
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        (last,) = connection.execute("SELECT max(last) FROM progress").fetchone()
        if last is None or batch_id > last:
            rows = batch.select("ride_id", "driver_id", "total_fare").collect()
            connection.executemany("INSERT INTO fares VALUES (?, ?, ?)", rows)
            connection.executemany(
                "INSERT INTO totals VALUES (?, ?, ?) ON CONFLICT (driver_id) DO UPDATE SET "
                "fares = fares + excluded.fares, total = total + excluded.total",
                totals,
            )
            connection.execute("INSERT INTO progress VALUES (?)", (batch_id,))
        connection.execute("COMMIT")
    finally:
        connection.close()
