"""A class that is not open: what is stored of it, written out or deleted."""

import contextlib
import sqlite3
from pathlib import Path

from trainer.course.problem import Problem
from trainer.workshop import ledger
from trainer.workshop.export import table
from trainer.workshop.room import board_of


def exported(file: Path) -> str:
    """Write all checks of a class as CSV."""
    _require(file)
    # To read is no harm to a board that is open.
    with contextlib.closing(
        sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    ) as stored:
        try:
            return table(board_of(stored.execute))
        except sqlite3.DatabaseError as error:
            raise Problem(f"{file} is no file of a class board ({error}).") from None


def forget(file: Path) -> None:
    """Delete all that is stored of a class."""
    _require(file)
    ledger.forget(file)


def _require(file: Path) -> None:
    if not file.is_file():
        raise Problem(f"Nothing is stored of a class in {file}; --file names another.")
