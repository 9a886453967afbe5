"""Tables in CSV: those that somebody wrote, in which anything may be, and our own."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from trainer.course.problem import Problem

LARGEST = 2**22


def lines_of(file: Path, what: str, expected: str) -> list[dict[str, str]]:
    """Read its lines by the headings of the first; `what` it is to be, and what is `expected`."""
    try:
        with file.open("rb") as whole:
            data = whole.read(LARGEST + 1)
        lines = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    except (OSError, ValueError, csv.Error) as error:
        raise Problem(f"{file} can't be read as {what} ({error}); {expected}.") from None
    if len(data) > LARGEST:
        raise Problem(f"{file} is larger than {what} would be; {expected}.")
    return lines


def text_of(lines: Iterable[Sequence[object]]) -> str:
    """Write lines as a table, the first of them its headings."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(lines)
    return file.getvalue()
