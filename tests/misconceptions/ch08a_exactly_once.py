"""What learners get wrong when they write a stream into a database."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from trainer.misconceptions import caught_by

TABLES = """
CREATE TABLE IF NOT EXISTS fares (ride_id INTEGER, driver_id INTEGER, total REAL);
CREATE TABLE IF NOT EXISTS totals (driver_id INTEGER PRIMARY KEY, fares INTEGER, total REAL);
"""
DONE = "CREATE TABLE IF NOT EXISTS done (batch_id INTEGER PRIMARY KEY);"
ADD_FARE = "INSERT INTO fares (ride_id, driver_id, total) VALUES (?, ?, ?)"
ADD_TO_TOTALS = """
INSERT INTO totals VALUES (?, 1, ?)
ON CONFLICT (driver_id) DO UPDATE SET fares = fares + 1, total = total + excluded.total
"""
NOTE = "INSERT OR IGNORE INTO done VALUES (?)"
_last = -1


def _rows(batch: DataFrame) -> list:
    return batch.select("ride_id", "driver_id", "total_fare").collect()


def _open(database: str, more: str = "") -> closing[sqlite3.Connection]:
    connection = sqlite3.connect(database)
    connection.executescript(TABLES + more)
    return closing(connection)


def _add(connection: sqlite3.Connection, rows: Iterable[Sequence]) -> None:
    for row in rows:
        connection.execute(ADD_FARE, tuple(row))
        connection.execute(ADD_TO_TOTALS, (row[1], row[2]))


def _is_done(connection: sqlite3.Connection, batch_id: int) -> bool:
    found = connection.execute("SELECT 1 FROM done WHERE batch_id = ?", (batch_id,))
    return found.fetchone() is not None


@caught_by(
    "test_killed_after_the_sink_no_fare_is_there_twice",
    "test_killed_after_the_sink_totals_are_right",
    # It stands in the function's head, and nowhere else.
    not_written=r"batch_id(?s:.)*batch_id",
)
def appends_whatever_comes(batch: DataFrame, batch_id: int, database: str) -> None:
    """You add whatever comes. All in one transaction, which is good: killed within it, nothing is
    there. But killed after it, the micro-batch comes again, and its fares are added again. Spark
    tells you its number: let the database know which it has."""
    with _open(database) as connection, connection:
        _add(connection, _rows(batch))


@caught_by("test_killed_within_the_sink_no_fare_is_there_twice")
def commits_each_row(batch: DataFrame, batch_id: int, database: str) -> None:
    """You commit more than once in a micro-batch. Killed between two commits, a part of its fares
    is there, and it can't be told which. One commit, at the end: then all of it is there, or
    nothing."""
    with _open(database, DONE) as connection:
        if not _is_done(connection, batch_id):
            for row in _rows(batch):
                _add(connection, [row])
                connection.commit()
            connection.execute(NOTE, (batch_id,))
            connection.commit()


@caught_by("test_killed_within_the_sink_no_fare_is_there_twice")
def notes_the_number_afterwards(batch: DataFrame, batch_id: int, database: str) -> None:
    """You commit the fares, and then the number of the micro-batch. Killed between the two, the
    fares are there, and nothing says so. Both belong into one transaction."""
    with _open(database, DONE) as connection:
        if not _is_done(connection, batch_id):
            with connection:
                _add(connection, _rows(batch))
            with connection:
                connection.execute(NOTE, (batch_id,))


@caught_by("test_killed_within_the_sink_no_fare_is_missing")
def notes_the_number_first(batch: DataFrame, batch_id: int, database: str) -> None:
    """You commit the number of the micro-batch, and then its fares. Killed between the two, the
    number says that all is there, and the fares never come. Both belong into one transaction."""
    with _open(database, DONE) as connection:
        if not _is_done(connection, batch_id):
            with connection:
                connection.execute(NOTE, (batch_id,))
            with connection:
                _add(connection, _rows(batch))


@caught_by(
    "test_killed_after_the_sink_no_fare_is_there_twice",
    written=r"\bglobal\b|(add|append)\(batch_id|\w[.\]]\w* = batch_id",
)
def keeps_the_number_in_a_variable(batch: DataFrame, batch_id: int, database: str) -> None:
    """You keep the number of the last micro-batch in a variable of Python's. It dies with the
    process, and the process is what is killed. Keep it where the fares are."""
    global _last
    if batch_id <= _last:
        return
    with _open(database) as connection, connection:
        _add(connection, _rows(batch))
    _last = batch_id


@caught_by("test_a_ride_may_be_paid_in_two_micro_batches", "test_two_equal_fares_both_count")
def knows_a_fare_by_its_ride(batch: DataFrame, batch_id: int, database: str) -> None:
    """You took a ride's number for the number of its fare: of a ride that is paid in parts only the
    first part is kept. Rows with a key of their own could be told from repeats by it; these have
    none. But the micro-batch has a number."""
    tables = "CREATE UNIQUE INDEX IF NOT EXISTS one ON fares (ride_id);"
    with _open(database, tables) as connection, connection:
        for row in _rows(batch):
            fare = ADD_FARE.replace("INSERT", "INSERT OR IGNORE")
            if connection.execute(fare, tuple(row)).rowcount:
                connection.execute(ADD_TO_TOTALS, (row[1], row[2]))


@caught_by("test_two_equal_fares_both_count", "test_generated_fares_survive_a_kill_after")
def keeps_one_of_equal_rows(batch: DataFrame, batch_id: int, database: str) -> None:
    """You took two fares that are the same in all columns for one that came twice. A ride may be
    paid in two equal parts, and both count. What comes twice is a micro-batch, never a row: go by
    its number."""
    tables = "CREATE UNIQUE INDEX IF NOT EXISTS one ON fares (ride_id, driver_id, total);"
    with _open(database, tables) as connection, connection:
        for row in _rows(batch):
            fare = ADD_FARE.replace("INSERT", "INSERT OR IGNORE")
            if connection.execute(fare, tuple(row)).rowcount:
                connection.execute(ADD_TO_TOTALS, (row[1], row[2]))


@caught_by("test_micro_batches_add_up", "test_totals_add_up")
def begins_the_tables_anew(batch: DataFrame, batch_id: int, database: str) -> None:
    """You emptied the tables before you wrote. That is safe to repeat, but what earlier
    micro-batches brought is gone: each must add to what is there."""
    with _open(database) as connection, connection:
        connection.execute("DELETE FROM fares")
        connection.execute("DELETE FROM totals")
        _add(connection, _rows(batch))


@caught_by("test_killed_within_the_sink_totals_are_right", "test_fares_and_totals_always_fit")
def commits_the_totals_by_themselves(batch: DataFrame, batch_id: int, database: str) -> None:
    """You commit the fares with the number of their micro-batch, and the totals after that. Killed
    between the two, the number says that all is done, and the totals never come. All three belong
    into one transaction."""
    with _open(database, DONE) as connection:
        if not _is_done(connection, batch_id):
            rows = _rows(batch)
            with connection:
                connection.executemany(ADD_FARE, [tuple(row) for row in rows])
                connection.execute(NOTE, (batch_id,))
            with connection:
                connection.executemany(ADD_TO_TOTALS, [(row[1], row[2]) for row in rows])


@caught_by("test_fares_and_totals_always_fit", not_written="to_sql")
def notes_each_table_by_itself(batch: DataFrame, batch_id: int, database: str) -> None:
    """Each of your tables has its own note of the micro-batch, and its own transaction. In the end
    all is there once. But who reads between the two commits finds fares that no total counts. One
    transaction for both."""
    notes = "CREATE TABLE IF NOT EXISTS added (batch_id INTEGER PRIMARY KEY);"
    rows = _rows(batch)
    with _open(database, DONE + notes) as connection:
        with connection:
            if connection.execute(NOTE, (batch_id,)).rowcount:
                connection.executemany(ADD_FARE, [tuple(row) for row in rows])
        with connection:
            if connection.execute(NOTE.replace("done", "added"), (batch_id,)).rowcount:
                connection.executemany(ADD_TO_TOTALS, [(row[1], row[2]) for row in rows])


@caught_by("test_fares_and_totals_always_fit", written="to_sql")
def lets_pandas_write(batch: DataFrame, batch_id: int, database: str) -> None:
    """`to_sql` commits by itself when it has written, whatever transaction you had begun. Killed
    just then, the fares are there and the totals aren't. Write with `executemany`, and commit
    once."""
    total = F.col("total_fare").cast("double").alias("total")
    rows = batch.select("ride_id", "driver_id", total).toPandas().assign(batch_id=batch_id)
    tables = "DROP TABLE fares; CREATE TABLE fares (ride_id, driver_id, total REAL, batch_id);"
    with _open(database, tables if batch_id == 0 else "") as connection, connection:
        connection.execute("DELETE FROM fares WHERE batch_id = ?", (batch_id,))
        rows.to_sql("fares", connection, index=False, if_exists="append")
        connection.execute("DELETE FROM totals")
        sums = "SELECT driver_id, count(*), sum(total) FROM fares GROUP BY driver_id"
        connection.execute(f"INSERT INTO totals {sums}")


@caught_by("test_totals_add_up")
def totals_of_this_micro_batch(batch: DataFrame, batch_id: int, database: str) -> None:
    """You replaced a driver's total by that of this micro-batch. It must count all his fares so
    far: add to what is there."""
    totals = batch.groupBy("driver_id").agg(F.count("*"), F.sum("total_fare")).collect()
    with _open(database, DONE) as connection, connection:
        if connection.execute(NOTE, (batch_id,)).rowcount:
            connection.executemany(ADD_FARE, [tuple(row) for row in _rows(batch)])
            replace = "INSERT OR REPLACE INTO totals VALUES (?, ?, ?)"
            connection.executemany(replace, [tuple(row) for row in totals])


@caught_by("test_killed_within_the_sink_no_fare_is_missing", written="enumerate|monotonically|zip")
def numbers_the_rows(batch: DataFrame, batch_id: int, database: str) -> None:
    """You know a row by its place in the micro-batch. The second time the rows may come in another
    order: then the row in a place that is taken isn't the one that was written there. All of a
    micro-batch in one transaction, and the place doesn't matter."""
    tables = "CREATE TABLE IF NOT EXISTS places (batch_id INTEGER, place INTEGER UNIQUE);"
    with _open(database, tables) as connection:
        for place, row in enumerate(_rows(batch)):
            known = (batch_id, 1000 * batch_id + place)
            if connection.execute("INSERT OR IGNORE INTO places VALUES (?, ?)", known).rowcount:
                _add(connection, [row])
            connection.commit()


@caught_by("test_a_micro_batch_like_an_earlier_one_is_written_too")
def knows_a_micro_batch_by_its_rows(batch: DataFrame, batch_id: int, database: str) -> None:
    """You know a micro-batch by what is in it. Another one may bring the same again: two fares may
    be alike in all columns, and both count. What tells one micro-batch from another is its
    number."""
    rows = sorted(tuple(row) for row in _rows(batch))
    with _open(database, DONE.replace("batch_id INTEGER", "seen TEXT")) as connection, connection:
        if connection.execute(NOTE, (repr(rows),)).rowcount:
            _add(connection, rows)


@caught_by("test_a_micro_batch_is_written", not_written=r"\.commit|with .*connect|isolation_level")
def commits_nothing(batch: DataFrame, batch_id: int, database: str) -> None:
    """Nothing is there, since nothing was committed: what a connection has not committed is undone
    when it is closed. Call `commit()`, or use the connection as a context: `with connection:`."""
    connection = sqlite3.connect(database)
    connection.executescript(TABLES)
    _add(connection, _rows(batch))
    connection.close()
