"""The database file that an answer writes into, read as data: rows of tables, and nothing else."""

import sqlite3
from contextlib import closing
from pathlib import Path

from trainer.rows import Row, in_order
from trainer.running.answer import ContractError
from trainer.running.columns import columns as parsed

# Far above what any grader's rows take.
MOST_BYTES = 16 * 2**20
MOST_ROWS = 50_000
# What the bytes 18 and 19 of a database's file are in that mode.
WRITE_AHEAD = b"\2\2"
# How many times so many of its machine's steps SQLite may take to read a table: some seconds.
STEPS, MOST_TIMES = 100_000, 2_000
# By the contract's name of a type, what may stand in a table, and what becomes of it.
TYPES = {"bigint": (int,), "int": (int,), "double": (float, int), "string": (str,)}


def tables_of(database: Path) -> list[str]:
    """List the tables of a database, and its views; nothing where there is no file."""
    if not database.exists():
        return []
    found = _read(
        database, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    )
    return [name for (name,) in found if isinstance(name, str)]


def rows_of(database: Path, table: str, columns: str | None) -> list[Row]:
    """Read the contract's columns of a table, sorted; nothing where it isn't there yet.

    Without a contract all columns are read, as they are.
    """
    if table not in tables_of(database):
        return []
    there = [str(each[1]) for each in _read(database, f"PRAGMA table_info({_quoted(table)})")]
    wanted = parsed(columns) if columns else [(name, "") for name in there]
    names = [name for name, _ in wanted]
    if lacking := [name for name in names if name not in there]:
        raise ContractError(
            f"The table `{table}` has the columns {', '.join(there)}; it lacks "
            f"{', '.join(lacking)}."
        )
    found = _read(database, f"SELECT {', '.join(map(_quoted, names))} FROM {_quoted(table)}")
    rows = [
        {name: _value(value, kind, f"{table}.{name}") for (name, kind), value in pairs}
        for pairs in (zip(wanted, values, strict=True) for values in found)
    ]
    return in_order(rows, *names)


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def require_tables(database: Path, tables: list[str]) -> None:
    """Refuse a database without one of these tables."""
    there = tables_of(database)
    if lacking := [table for table in tables if table not in there]:
        found = f"it holds {', '.join(there)}" if there else "it holds no table"
        raise ContractError(f"There is no table `{lacking[0]}` in the database: {found}.")


def _read(database: Path, query: str) -> list[tuple]:
    """Ask a database that anybody may have written: so much of it, and so long, and no more."""
    if database.stat().st_size > MOST_BYTES:
        raise ContractError(f"The database is larger than {MOST_BYTES // 2**20} MB.")
    with database.open("rb") as file:
        if file.read(len(WRITE_AHEAD) + 18)[18:] == WRITE_AHEAD:
            raise ContractError(
                "The database keeps a write-ahead log, which other processes can't always read: "
                "leave its journal_mode as it is."
            )
    times = iter(range(MOST_TIMES))
    try:
        # It can't be opened for reading alone: what a killed writer left may have to be undone.
        with closing(sqlite3.connect(database, timeout=1)) as connection:
            connection.set_progress_handler(lambda: next(times, None) is None, STEPS)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            found = connection.execute(query).fetchmany(MOST_ROWS + 1)
    except sqlite3.Error as error:
        raise ContractError(f"The database can't be read: SQLite says {error}.") from None
    if len(found) > MOST_ROWS:
        raise ContractError(f"A table of the database has more than {MOST_ROWS:,} rows.")
    return found


def _value(value: object, kind: str, where: str) -> object:
    if value is None or not kind:
        return value
    if isinstance(value, bytes):
        raise ContractError(
            f"`{where}` holds bytes; expected {kind}. A number of NumPy's is stored so: make it "
            "one of Python's, with int() or float()."
        )
    if not isinstance(value, TYPES[kind]):
        raise ContractError(f"`{where}` holds {str(value)[:40]!r}; expected {kind}.")
    return float(value) if kind == "double" else value
