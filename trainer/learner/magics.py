"""`%exercise` and `%%exercise`: a stub is edited in a notebook's cell; the file is what counts."""

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import Markdown, display

from trainer.course import safe_file
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, find
from trainer.course.problem import Problem
from trainer.learner.cell_text import mark
from trainer.learner.check import check
from trainer.learner.contract import contract
from trainer.learner.progress import Progress


@magics_class
class ExerciseMagics(Magics):
    """`%exercise NAME` makes its cell the stub's; `%%exercise NAME` saves and checks the cell."""

    @line_cell_magic
    def exercise(self, line: str, cell: str | None = None) -> None:
        """Bring the stub's present text into this cell, or save this cell's text and check it."""
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
    """Put the file's present text into this cell, or into the next if there is more in this one."""
    if not exercise.stub.exists():
        print(f"{_name(exercise)} is gone; `!trainer reset {exercise.name}` puts it back.")
        return
    text = exercise.stub.read_text(encoding="utf-8")
    Progress().left_cells_behind(exercise.stem, mark(text))
    shell.set_next_input(f"%%exercise {exercise.stem}\n{text}", replace=_alone(shell))
    display(Markdown(contract(exercise)))


def _alone(shell: InteractiveShell) -> bool:
    """Tell whether the cell that runs holds this one line, comments apart."""
    cell = shell.history_manager.input_hist_raw[-1]
    lines = [line for line in cell.splitlines() if line.strip() and not line.startswith("#")]
    return len(lines) <= 1


def save(exercise: Exercise, text: str) -> bool:
    """Save a cell's text to the file, unless the file was edited elsewhere since they last met."""
    text = text if text.endswith("\n") else f"{text}\n"
    there = exercise.stub.read_text(encoding="utf-8") if exercise.stub.exists() else None
    issued = exercise.issued.read_text(encoding="utf-8")
    record = Progress().of(exercise.stem)
    # When all cells are run, an old one comes after `%exercise` has met what an editor wrote.
    old = mark(text) in record.old_cells
    if there not in (None, text, issued) and (old or mark(there) != record.cell):
        print(
            f"{_name(exercise)} was edited elsewhere since this cell and it last agreed; nothing "
            f"was overwritten. `%exercise {exercise.stem}`, in a new cell, brings the file's text; "
            f"to keep this cell's text instead, `!trainer reset {exercise.name}` first (that keeps "
            "the file's text in mine/)."
        )
        return False
    if there != text:
        safe_file.write(exercise.stub, text)
    Progress().met_in_a_cell(exercise.stem, mark(text))
    return True


def _name(exercise: Exercise) -> str:
    return exercise.stub.relative_to(ROOT).as_posix()
