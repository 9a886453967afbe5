"""What the instructor of a class has opened to all: hints, and solutions."""

from pathlib import Path

from trainer.workshop.seat.courier import A_MOMENT, deliver
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER


def released(kind: str, stem: str, folder: Path = FOLDER) -> bool:
    """Tell whether an exercise's `hints`, or its `solution`, are open to the class."""
    letters = Letters(folder)
    if letters.released(kind, stem):
        return True
    # It may have been said a moment ago: "you can all look now".
    return deliver(folder, A_MOMENT, letters_only=True) and letters.released(kind, stem)
