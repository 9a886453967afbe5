"""The file a learner edits: as issued, as edited, and put back."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from trainer.course import safe_file
from trainer.course.exercise import Exercise
from trainer.course.problem import Problem


def is_untouched(exercise: Exercise) -> bool:
    """Tell whether the stub is as it was issued."""
    # As text, for an editor may have saved it with other line ends.
    texts = (path.read_text("utf-8", "replace") for path in (exercise.stub, exercise.issued))
    return exercise.stub.exists() and len(set(texts)) == 1


def reset(exercise: Exercise) -> Path | None:
    """Put the stub back as it was issued; give the file that keeps the learner's version."""
    if is_untouched(exercise):
        raise Problem(f"{exercise.stub.name} is as it was issued: there is nothing to put back.")
    kept = None
    if exercise.stub.exists():
        kept = next(path for path in _places_beside(exercise.stub) if not path.exists())
        exercise.stub.replace(kept)
    safe_file.write(exercise.stub, exercise.issued.read_bytes())
    return kept


def _places_beside(stub: Path) -> Iterator[Path]:
    return (stub.with_name(f"{stub.name}.mine-{number}") for number in count(1))
