"""`%exercise` and `%%exercise`: a stub is edited in a notebook's cell; the file is what counts."""

import hashlib

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class

from trainer.course import safe_file
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, find
from trainer.course.problem import Problem
from trainer.learner.check import check
from trainer.learner.progress import Progress


@magics_class
class ExerciseMagics(Magics):
    """`%exercise NAME` brings a stub into the next cell; `%%exercise NAME` saves and checks it."""

    @line_cell_magic
    def exercise(self, line: str, cell: str | None = None) -> None:
        """Bring the stub's present text into a new cell, or save this cell's text and check it."""
        try:
            exercise = find(line.strip())
        except Problem as problem:
            print(problem)
            return
        if cell is None:
            bring(exercise, self.shell)
        elif save(exercise, cell):
            check(exercise.stem)


def bring(exercise: Exercise, shell: InteractiveShell) -> None:
    """Put the file's present text into the next cell."""
    if not exercise.stub.exists():
        print(f"{_name(exercise)} is gone; `!trainer reset {exercise.name}` puts it back.")
        return
    text = exercise.stub.read_text(encoding="utf-8")
    Progress().left_cells_behind(exercise.stem, _hash(text))
    shell.set_next_input(f"%%exercise {exercise.stem}\n{text}", replace=False)


def save(exercise: Exercise, text: str) -> bool:
    """Save a cell's text to the file, unless the file was edited elsewhere since they last met."""
    text = text if text.endswith("\n") else f"{text}\n"
    there = exercise.stub.read_text(encoding="utf-8") if exercise.stub.exists() else None
    issued = exercise.issued.read_text(encoding="utf-8")
    record = Progress().of(exercise.stem)
    # When all cells are run, an old one comes after `%exercise` has met what an editor wrote.
    old = _hash(text) in record.old_cells
    if there not in (None, text, issued) and (old or _hash(there) != record.cell):
        print(
            f"{_name(exercise)} was edited elsewhere since this cell and it last agreed; nothing "
            f"was overwritten. `%exercise {exercise.stem}` brings the file's text into a new cell; "
            f"to keep this cell's text instead, `!trainer reset {exercise.name}` first (that keeps "
            "the file's text in mine/)."
        )
        return False
    if there != text:
        safe_file.write(exercise.stub, text)
    Progress().met_in_a_cell(exercise.stem, _hash(text))
    return True


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _name(exercise: Exercise) -> str:
    return exercise.stub.relative_to(ROOT).as_posix()
