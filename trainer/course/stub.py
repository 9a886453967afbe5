"""The file a learner edits: as issued, as edited, and put back."""

import re
from pathlib import Path

from trainer.course import safe_file
from trainer.course.clone import MINE
from trainer.course.exercise import Exercise
from trainer.course.problem import Problem


def is_untouched(exercise: Exercise) -> bool:
    """Tell whether the stub is as it was issued."""
    # As text, for an editor may have saved it with other line ends.
    texts = (path.read_text("utf-8", "replace") for path in (exercise.stub, exercise.issued))
    return exercise.stub.exists() and len(set(texts)) == 1


def reset(exercise: Exercise, folder: Path = MINE) -> Path | None:
    """Put the stub back as it was issued; give the file that keeps the learner's version."""
    if is_untouched(exercise):
        raise Problem(f"{exercise.stub.name} is as it was issued: there is nothing to put back.")
    mine = _keep(exercise, folder)
    safe_file.write(exercise.stub, exercise.issued.read_bytes())
    return mine


def undo_reset(exercise: Exercise, folder: Path = MINE) -> Path | None:
    """Bring back what was kept last; give the file that keeps what stood in its place."""
    if not (there := kept(exercise, folder)):
        raise Problem(f"Nothing of {exercise.stem} is kept in {folder.name}/.")
    mine = None if is_untouched(exercise) else _keep(exercise, folder)
    safe_file.write(exercise.stub, there[-1].read_bytes())
    there[-1].unlink()
    return mine


def kept(exercise: Exercise, folder: Path = MINE) -> list[Path]:
    """List what is kept of an exercise, the oldest first."""
    numbered = re.compile(rf"{exercise.stem}-(\d+)\.py")
    found = {path: numbered.fullmatch(path.name) for path in folder.glob(f"{exercise.stem}-*.py")}
    return sorted((path for path in found if found[path]), key=lambda path: int(found[path][1]))


def _keep(exercise: Exercise, folder: Path) -> Path | None:
    if not exercise.stub.exists():
        return None
    last = kept(exercise, folder)
    number = int(last[-1].stem.rpartition("-")[2]) + 1 if last else 1
    safe_file.make_folder(folder)
    mine = folder / f"{exercise.stem}-{number}.py"
    exercise.stub.replace(mine)
    return mine
