"""What an instructor gives along: text that can be read, tables that are whole, names there are.

Whatever is wrong with it is told in a line before anything is graded.
"""

import csv
import difflib
import io
from collections.abc import Collection, Iterable
from pathlib import Path

from trainer.course.csv_table import LARGEST
from trainer.course.problem import Problem

MOST_SUGGESTED = 2


def text_of(file: Path, what: str, expected: str, saved_as: str = "UTF-8") -> str:
    """Read a text; `what` it is to be, what is `expected`, and how a program would save it."""
    try:
        with file.open("rb") as whole:
            data = whole.read(LARGEST + 1)
    except OSError as error:
        why = error.strerror or error
        raise Problem(f"{file} can't be read as {what} ({why}); {expected}.") from None
    if len(data) > LARGEST:
        raise Problem(f"{file} is larger than {what} would be; {expected}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Problem(f"{file} is not UTF-8, see line {line}: save it as {saved_as}.") from None


def headings(file: Path, what: str, expected: str) -> list[str]:
    """Give the headings of a table in CSV; refuse one whose lines are not what they look like."""
    text = text_of(file, what, expected, '"CSV UTF-8"')
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    first, line = [], 1
    try:
        first = next(reader, [])
        line = reader.line_num + 1
        for cells in reader:
            _require_cells(cells, first, f"{file}, line {line}")
            line = reader.line_num + 1
    except csv.Error as error:
        why = f"from line {line} on ({error})"
        todo = "close the quotation mark there; one that is part of a text is written twice"
        raise Problem(f"{file} can't be read as {what} {why}: {todo}.") from None
    return first


def _require_cells(cells: list[str], first: list[str], found: str) -> None:
    """Refuse a line from which something would be lost, or would be taken for something else."""
    too_many = any(cell.strip() for cell in cells[len(first) :])
    too_few = len(cells) < len(first) and any(cell.strip() for cell in cells)
    if too_many or too_few:
        counted = f"{len(cells)} cell{'s' * (len(cells) != 1)} and the heading {len(first)}"
        todo = "put a text with commas in quotation marks, and a comma for each empty cell"
        raise Problem(f"{found} has {counted}: {todo}.")


def require_known(names: Iterable[str], known: Collection[str], told: str, other: str = "") -> None:
    """Refuse a name that there is not, with those that are like it."""
    for name in names:
        if name not in known:
            near = " or ".join(difflib.get_close_matches(name, known, MOST_SUGGESTED))
            hint = f"Did you mean {near}?" if near else other or f"There is {', '.join(known)}."
            raise Problem(f"{told} names {name!r}, which there is not. {hint}")
