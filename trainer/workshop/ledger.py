"""What the board stores: one SQLite file, and nothing is acknowledged that is not on the disk.

Events that come at the same time are committed together, in a thread of their own: the write-ahead
log is synced once for all of them, before any of them is answered.
"""

import asyncio
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from trainer.course.problem import Problem

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS learners (
    number INTEGER PRIMARY KEY, token TEXT UNIQUE NOT NULL, name TEXT NOT NULL, joined REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    learner INTEGER NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, came REAL NOT NULL,
    kind TEXT NOT NULL, exercise TEXT, verdict TEXT, rule TEXT, idea TEXT,
    PRIMARY KEY (learner, id)
);
CREATE TABLE IF NOT EXISTS lines (number INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS released (
    kind TEXT NOT NULL, exercise TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (kind, exercise)
);
"""
# Without letters and digits that are taken for each other when they are read off a wall.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
Statement = tuple[str, Sequence]


class Ledger:
    """The file of one class."""

    def __init__(self, file: Path) -> None:
        """Open it, or begin a new one; no second board may have it open."""
        self.file = file
        self._lock = alone(file)
        self._connection = _open(file)
        self._waiting: list[tuple[Sequence[Statement], asyncio.Future]] = []
        self._writer: asyncio.Task | None = None
        self._begin()

    def _begin(self) -> None:
        new = {
            "code": "".join(secrets.choice(LETTERS) for _ in range(6)),
            "instructor": "-".join(
                "".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4)
            ),
            "session": secrets.token_urlsafe(32),
            "room": secrets.token_hex(16),
            "began": str(time.time()),
        }
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", new.items())

    def meta(self, name: str) -> str:
        """Give one of the few things that are known of the class as such."""
        found = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,))
        return next((value for (value,) in found), "")

    def rows(self, query: str) -> Iterator[tuple]:
        """Read; while a board runs, only before it begins to write."""
        yield from self._connection.execute(query)

    async def write(self, *statements: Statement) -> None:
        """Write, together with whatever else waits, and come back when it is on the disk."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append((statements, written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        await written

    async def _write_all(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(
                    self._commit, [each for some, _ in together for each in some]
                )
            except sqlite3.Error as error:
                self._end(together, error)
            else:
                self._end(together)

    @staticmethod
    def _end(together: Sequence[tuple], error: sqlite3.Error | None = None) -> None:
        for _, written in together:
            # Whoever asked may have gone in the meantime.
            if not written.done():
                written.set_exception(error) if error else written.set_result(None)

    def _commit(self, statements: Sequence[Statement]) -> None:
        with self._connection:
            for statement, values in statements:
                self._connection.execute(statement, values)

    def close(self) -> None:
        """Close the file; another board may open it then."""
        self._connection.close()
        os.close(self._lock)


def _open(file: Path) -> sqlite3.Connection:
    # Names are nobody's business but the instructor's.
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(file, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(TABLES)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise Problem(f"{file} is no file of a class board ({error}); name another.") from None
    return connection


def alone(file: Path) -> int:
    """Make sure that no board has a class's file open; keep it so until this is closed."""
    if not file.parent.is_dir():
        raise Problem(f"There is no folder {file.parent} to keep the class's file in.")
    # Not on Windows, where this module must load all the same.
    import fcntl

    number = os.open(f"{file}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        raise Problem(
            f"A class board has {file} open; stop that first (Ctrl-C), or name another --file."
        ) from None
    return number


def forget(file: Path) -> None:
    """Delete all that is stored of a class."""
    lock = alone(file)
    try:
        for ending in ("", "-wal", "-shm", "-journal", ".lock"):
            Path(f"{file}{ending}").unlink(missing_ok=True)
    finally:
        os.close(lock)
