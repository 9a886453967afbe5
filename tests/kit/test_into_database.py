"""A sink that writes into a database is killed as `kill -9` would kill it, and read as data."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from trainer import step
from trainer.rows import fare
from trainer.running import database, disk_states
from trainer.running.answer import AnswerError, ContractError
from trainer.running.disk_states import DiskStates
from trainer.scenario import run

COLUMNS = {"fares": "ride_id bigint, total double"}
FARES = [[fare(1, total=20.0), fare(2, total=12.5)], [fare(3, total=5.0)]]
WRITER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("CREATE TABLE fares (ride_id INTEGER)")
connection.execute("INSERT INTO fares VALUES (1)")
connection.commit()
connection.execute("PRAGMA cache_size = 2")
connection.executemany("INSERT INTO fares VALUES (?)", [(n,) for n in range(50_000)])
print("under way", flush=True)
time.sleep(600)
"""


def append(batch, batch_id, database):
    """Commit each row by itself."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS fares (ride_id INTEGER, total REAL)")
        for row in batch.select("ride_id", "total_fare").collect():
            connection.execute("INSERT INTO fares VALUES (?, ?)", tuple(row))
            connection.commit()


def written(**options: object) -> list[list[int]]:
    """Have `append` write, and give the rides by when they came into the table."""
    result = run(append, role="sink", columns=COLUMNS, fares=FARES, **options)
    return [[row["ride_id"] for row in batch] for batch in result["fares"].batches]


def test_rows_stand_where_they_came_into_the_table(spark):
    """Each in the micro-batch that brought it."""
    assert written() == [[1, 2], [3]]


@pytest.mark.parametrize(
    ("point", "rides"),
    [("before", [[], [1, 2, 3]]), ("within", [[1], [1, 2, 3]]), ("after", [[1, 2], [1, 2, 3]])],
)
def test_what_a_kill_leaves_is_what_was_committed_by_then(spark, point, rides):
    """Nothing, a part, or all; and then the micro-batch is done again."""
    assert written(killed_after=1, killed_at=point) == rides


def test_a_point_that_is_none_is_refused(spark):
    """In one line, for who writes a grader."""
    with pytest.raises(ValueError, match="killed_at is 'later'; expected one of before, within"):
        written(killed_after=1, killed_at="later")


def test_without_a_contract_all_tables_are_shown(spark):
    """As they are, for who walks through them."""
    result = run(append, role="sink", fares=FARES[:1])
    assert result["fares"].rows == [{"ride_id": 1, "total": 20.0}, {"ride_id": 2, "total": 12.5}]


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_copy_is_what_a_real_kill_leaves(tmp_path, journal):
    """A process is killed in a transaction that has spilled to disk: a copy that was taken while it
    lived holds what those files hold after its death."""
    file = tmp_path / "real" / "fares.db"
    file.parent.mkdir()
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, file, journal], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "under way\n"
    disk_states._put(file, tmp_path / "copy" / "fares.db")
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    for place in ("copy", "real"):
        with closing(sqlite3.connect(tmp_path / place / "fares.db")) as connection:
            assert connection.execute("SELECT ride_id FROM fares").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "statement", ["PRAGMA journal_mode = MEMORY", "pragma journal_mode('off')"]
)
def test_a_journal_that_dies_with_its_process_is_refused(spark, statement):
    """It is in no file: a kill within a commit would leave a database that nothing can mend."""

    def writes(batch, batch_id, database):
        with closing(sqlite3.connect(database)) as connection:
            connection.execute(statement)
            connection.execute("CREATE TABLE fares (ride_id INTEGER, total REAL)")

    with pytest.raises(ContractError, match=r"journal_mode to (MEMORY|OFF); expected"):
        run(writes, role="sink", columns=COLUMNS, fares=FARES[:1])


def test_what_a_kill_takes_with_it_holds_no_lock(tmp_path):
    """A connection that is still open, in a transaction, belongs to the dead: who comes after it
    finds the rows that were committed, and may write."""
    file = tmp_path / "fares.db"
    disk = DiskStates(file, tmp_path / "disk")
    with disk.watched():
        dead = sqlite3.connect(file)
        dead.execute("CREATE TABLE fares (ride_id INTEGER)")
        dead.execute("INSERT INTO fares VALUES (1)")
    disk.wind_back(midway=False)
    with closing(sqlite3.connect(file, timeout=0)) as connection, connection:
        connection.execute("INSERT INTO fares VALUES (2)")
        assert connection.execute("SELECT * FROM fares").fetchall() == [(2,)]
    dead.close()


def refused(tmp_path: Path, statements: str, columns: str = COLUMNS["fares"]) -> str:
    """Make a database, have it read, and give the line that says what is wrong with it."""
    file = tmp_path / "fares.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(statements)
    with pytest.raises(ContractError) as caught:
        database.require_tables(file, ["fares"])
        database.rows_of(file, "fares", columns)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("CREATE TABLE fare (x)", "There is no table `fares` in the database: it holds fare."),
        ("CREATE TABLE fares (ride_id)", "has the columns ride_id; it lacks total."),
        (
            "CREATE TABLE fares (ride_id, total); INSERT INTO fares VALUES ('one', 1.0)",
            "`fares.ride_id` holds 'one'; expected bigint.",
        ),
        (
            "CREATE TABLE fares (ride_id, total); INSERT INTO fares VALUES (x'01', 1.0)",
            "A number of NumPy's is stored so",
        ),
        (
            "CREATE TABLE fares (ride_id, total); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
            "SELECT i + 1 FROM n LIMIT 60000) INSERT INTO fares SELECT i, 1.0 FROM n",
            "has more than 50,000 rows",
        ),
    ],
)
def test_a_database_that_breaks_the_contract_is_refused_in_one_line(tmp_path, statements, said):
    """It may hold anything: what is wrong is said, and nothing is believed."""
    assert said in refused(tmp_path, statements)


def test_a_view_is_as_good_as_a_table(tmp_path):
    """Who reads it can't tell; and one that has no end is given up."""
    file = tmp_path / "fares.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE VIEW fares AS SELECT 1 AS ride_id, 2.5 AS total")
        connection.execute(
            "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT count(*) AS ride_id, 0.5 AS total FROM n"
        )
    assert database.rows_of(file, "fares", COLUMNS["fares"]) == [{"ride_id": 1, "total": 2.5}]
    with pytest.raises(ContractError):
        database.rows_of(file, "endless", COLUMNS["fares"])


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path):
    """Whatever lies there."""
    (tmp_path / "fares.db").write_bytes(b"no database at all " * 100)
    with pytest.raises(ContractError, match="SQLite says file is not a database"):
        database.rows_of(tmp_path / "fares.db", "fares", COLUMNS["fares"])


def test_a_write_ahead_log_is_refused(tmp_path):
    """In a sandbox SQLite has none, and an answer must be worth the same there."""
    statements = "PRAGMA journal_mode = WAL; CREATE TABLE fares (ride_id, total)"
    assert "leave its journal_mode as it is" in refused(tmp_path, statements)


def test_a_database_that_is_too_large_is_not_even_opened(tmp_path):
    """Its size is looked at first."""
    with (tmp_path / "fares.db").open("wb") as file:
        file.truncate(database.MOST_BYTES + 1)
    with pytest.raises(ContractError, match="larger than 16 MB"):
        database.rows_of(tmp_path / "fares.db", "fares", COLUMNS["fares"])


def test_an_error_of_the_sink_names_its_line(spark):
    """As errors of all answers do."""

    def write(batch, batch_id, database):
        sqlite3.connect(database).execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(AnswerError) as caught:
        run(write, role="sink", columns=COLUMNS, fares=FARES)
    assert "no such table: nowhere (line" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_case_of_a_sink_can_be_walked_through(spark):
    """As it stands below a report: with the stream, whatever that is called."""
    steps = step(append, role="sink", fares=FARES, killed_after=1, killed_at="within")
    assert [len(each.outputs) for each in steps] == [1, 1]
