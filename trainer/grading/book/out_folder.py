"""The folder that a batch writes to: claimed by one at a time, each file whole or not there."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from trainer.course import safe_file
from trainer.course.problem import Problem
from trainer.grading.book.grades import StudentGrade, from_json
from trainer.grading.sandbox.sweep import sweep

LOCK, SCRATCH = ".running", "taxi-streams-grade-"
LONGEST_NAME = 150
# Where a batch writes, besides the folder itself.
FOLDERS = ("students", "reports", "pictures", "gradescope")
# Is told whose grade can't be read, and why.
Lost = Callable[[str, str], None]


def ignored(student: str, why: str) -> None:
    """Lose a grade without a word."""


@contextmanager
def claimed(out: Path) -> Iterator[None]:
    """Claim a folder; what this process and its workers put aside lies in one scratch folder.

    The lock goes with its process, however that ends, and the next claim clears what was left.
    """
    # Not on Windows, where this module must load all the same: to say what works there.
    import fcntl

    try:
        safe_file.make_folder(out, mode=0o700)
        opened = (out / LOCK).open("a+")
    except OSError as error:
        raise Problem(f"--out {out} can't be written to ({error.strerror or error}).") from None
    with opened as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem(
                f"A batch is being graded into {out}; wait, or give another --out."
            ) from None
        _clear(lock)
        scratch = tempfile.mkdtemp(prefix=SCRATCH)
        Path(scratch).chmod(0o711)
        lock.write(scratch)
        lock.flush()
        before = os.environ.get("TMPDIR"), tempfile.tempdir
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        try:
            yield
        finally:
            tempfile.tempdir = before[1]
            os.environ.pop("TMPDIR")
            if before[0]:
                os.environ["TMPDIR"] = before[0]
            _clear(lock)


def _clear(lock: TextIO) -> None:
    sweep()
    lock.seek(0)
    # What a power cut left of a file that was being written.
    own = Path(lock.name).parent
    for folder in (own, *(own / name for name in FOLDERS)):
        for draft in folder.glob(safe_file.DRAFTS):
            with suppress(OSError):
                draft.unlink()
    left = Path(lock.read())
    if left.name.startswith(SCRATCH):
        shutil.rmtree(left, ignore_errors=True)
    lock.truncate(0)


def write(file: Path, text: str) -> None:
    """Write one of a batch's files; a student's name may hold what is no letter in any alphabet."""
    safe_file.write(file, text.encode("utf-8", "replace"))


def file_name(student: str) -> str:
    """Name a student's files; a very long name is cut, and told apart by a hash."""
    if len(student.encode()) <= LONGEST_NAME:
        return student
    # A student's own name never ends like this: see intake/names.py.
    return student[: LONGEST_NAME // 4] + "~" + hashlib.sha256(student.encode()).hexdigest()[:10]


def save(out: Path, grade: StudentGrade) -> None:
    """Write a student's grade."""
    write(out / "students" / f"{file_name(grade.student)}.json", grade.to_json())


def saved(out: Path, student: str, lost: Lost = ignored) -> StudentGrade | None:
    """Read a student's grade, if there is one that can be read."""
    return _read(out / "students" / f"{file_name(student)}.json", lost)


def all_saved(out: Path, lost: Lost = ignored) -> dict[str, StudentGrade]:
    """Read all grades that can be read, by student."""
    files = sorted((out / "students").glob("*.json"))
    grades = filter(None, (_read(file, lost) for file in files))
    return {grade.student: grade for grade in grades}


def _read(file: Path, lost: Lost) -> StudentGrade | None:
    """Read a grade; it may be of another version, or have been cut by a full disk."""
    if not file.exists():
        return None
    try:
        grade = from_json(file.read_text(encoding="utf-8"))
        if file_name(grade.student) != file.stem:
            raise ValueError(f"it is the grade of {grade.student!r}")
    except (OSError, ValueError, RecursionError) as error:
        lost(file.stem, f"{file} can't be read ({error})")
        return None
    return grade
