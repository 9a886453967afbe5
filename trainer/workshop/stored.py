"""A class that is not open: what is stored of it, written out or deleted."""

import contextlib
import shutil
import sqlite3
from pathlib import Path

from trainer.course.problem import Problem
from trainer.workshop import collected, ledger
from trainer.workshop.board import Board
from trainer.workshop.export import table
from trainer.workshop.room import board_of


def exported(file: Path) -> str:
    """Write all checks of a class as CSV."""
    return table(_board(file))


def class_and_missing(file: Path) -> tuple[int, list[str]]:
    """Say how many are in a class, and name those who handed in nothing."""
    learners, folder = _board(file).learners, collected.folder_of(file)
    missing = [each.name for each in learners.values() if not collected.there(folder, each.number)]
    return len(learners), sorted(missing)


def left_behind(file: Path) -> list[str]:
    """Name those who were taken off a class after they had handed in."""
    everyone, folder = _board(file).everyone.values(), collected.folder_of(file)
    off = (each for each in everyone if each.off and collected.there(folder, each.number))
    return sorted(each.name for each in off)


def _board(file: Path) -> Board:
    _require(file)
    # To read is no harm to a board that is open.
    with contextlib.closing(
        sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    ) as stored:
        try:
            return board_of(stored.execute)
        except sqlite3.DatabaseError as error:
            raise Problem(f"{file} is no file of a class board ({error}).") from None


def forget(file: Path) -> None:
    """Delete all that is stored of a class."""
    _require(file)
    ledger.forget(file)
    shutil.rmtree(collected.folder_of(file), ignore_errors=True)


def _require(file: Path) -> None:
    if not file.is_file():
        raise Problem(f"Nothing is stored of a class in {file}; --file names another.")
