"""What lies on disk of a database while somebody writes into it: what a kill would leave there.

A process that is killed (`kill -9`) runs none of its own code any more: no `except`, no `finally`,
no rollback. Its memory goes and with it every open transaction; what it handed to the operating
system stays, in the files as they are at that instant. The next one who opens them finds them so,
and SQLite itself rolls back what was not committed, from the journal that lies beside the database.
So a copy of the files, taken while a statement is about to run, *is* what a kill just then would
have left, to the byte. Nothing has to be interrupted for that.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path

# The shared memory of a write-ahead log, `-shm`, is nobody's after a kill, and is made anew.
BESIDE = ("", "-journal", "-wal")
# Where SQLite counts the transactions that reached the file.
HEADER = 100
MOST_STATES = 200
MOST_LINES = 10_000
# A write-ahead log is told by the file itself.
OTHER_JOURNAL = re.compile(r"journal_mode\W+(?!delete|wal)(\w+)", re.IGNORECASE)

_connect = sqlite3.connect
_watching: dict[str, Callable[[str], None]] = {}


class DiskStates:
    """The states in which a database's files were, one after the other, while it was watched."""

    def __init__(self, database: Path, scratch: Path) -> None:
        """Keep copies in a folder of their own."""
        self.database, self.scratch = database, scratch
        self.copies: list[Path] = []
        self.last: tuple | None = None
        # How the one who writes has SQLite keep its journal, where that isn't the usual way.
        self.journal = ""

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look at the files whenever a statement is about to run on them, in this process."""
        place = os.path.realpath(self.database)
        self.look()
        _watching[place] = self.look
        try:
            yield
        finally:
            del _watching[place]

    def look(self, statement: str = "") -> None:
        """Keep a copy, if anything was committed since the last one, before a statement runs."""
        if other := OTHER_JOURNAL.search(statement):
            self.journal = other[1].upper()
        now = _marks(self.database)
        if now != self.last and len(self.copies) < MOST_STATES:
            self.last = now
            self.copies.append(self.scratch / f"{len(self.copies):04}" / self.database.name)
            _put(self.database, self.copies[-1])

    def wind_back(self, *, midway: bool) -> None:
        """Leave the files as a kill would have: now, or midway, when only a part was there.

        Where all came in one transaction, no part was ever there: then it is as it was before.
        """
        there = self.copies[0]
        if midway:
            before = _contents(there)
            there = next((copy for copy in self.copies[1:] if _contents(copy) != before), there)
        else:
            there = self.scratch / "now" / self.database.name
            _put(self.database, there)
        # New files: what the dead one still has open, and locked, are others.
        for end in (*BESIDE, "-shm"):
            _beside(self.database, end).unlink(missing_ok=True)
        _put(there, self.database)
        _recover(self.database)
        self.forget()

    def forget(self) -> None:
        """Throw the copies away."""
        self.copies, self.last = [], None
        shutil.rmtree(self.scratch, ignore_errors=True)


def _marks(database: Path) -> tuple:
    """Tell one committed state from another: by the file's header, and the length of the log."""
    try:
        with database.open("rb") as file:
            header = file.read(HEADER)
        log = _beside(database, "-wal")
        return header, log.stat().st_size if log.exists() else 0
    except OSError:
        return ()


def _put(database: Path, to: Path) -> None:
    """Copy a database with what lies beside it; one that is not there is none there either."""
    to.parent.mkdir(parents=True, exist_ok=True)
    for end in BESIDE:
        with suppress(FileNotFoundError):
            shutil.copyfile(_beside(database, end), _beside(to, end))


def _recover(database: Path) -> None:
    """Have SQLite undo what was not committed, as whoever opens it next would have it do.

    Nobody else has these files; and a sandbox gives no answer to who holds a lock on a file, which
    SQLite would ask where a journal lies.
    """
    if database.exists():
        with (
            suppress(sqlite3.Error),
            closing(_connect(f"{_uri(database)}?nolock=1", uri=True)) as c,
        ):
            c.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _uri(database: Path) -> str:
    return database.absolute().as_uri()


def _beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def _contents(database: Path) -> list[str]:
    """Give the rows of all tables, as SQLite would find them; nothing where it can't read them."""
    if not database.exists():
        return []
    # A look at a copy must not change it.
    looked_at = database.with_name("looked-at")
    _put(database, looked_at)
    _recover(looked_at)
    with suppress(sqlite3.Error), closing(_connect(looked_at)) as connection:
        lines = islice(connection.iterdump(), MOST_LINES)
        return [line for line in lines if line.startswith("INSERT")]
    return []


def _watched_connect(*arguments: object, **options: object) -> sqlite3.Connection:
    connection = _connect(*arguments, **options)
    if _watching:
        with suppress(sqlite3.Error):
            listed = connection.execute("PRAGMA database_list")
            places = {os.path.realpath(file) for _, _, file in listed}
            for look in [_watching[place] for place in places if place in _watching]:
                look("")
                connection.set_trace_callback(look)
    return connection


# Once and for good, like the guards of `describing`: runs that go side by side all need it.
sqlite3.connect = sqlite3.dbapi2.connect = _watched_connect
