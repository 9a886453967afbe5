"""What came from the board: the instructor's lines, what is released, and what was told of it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from trainer.course import safe_file
from trainer.workshop.seat.membership import FOLDER
from trainer.workshop.seat.words import LONGEST_LINE, TAKEN_OFF, clean

MOST_LINES = 20


@dataclass
class Kept:
    """The newest lines, the exercises whose hints and solutions are open, and who knows of it."""

    lines: dict[str, str] = field(default_factory=dict)
    released: dict[str, list[str]] = field(default_factory=dict)
    newest: int = 0
    told: int = 0
    help: bool = False
    unknown: bool = False
    off: bool = False
    told_off: bool = False


class Letters:
    """The instructor's lines in a file, read afresh for each look."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Keep them in the folder of the learner's class."""
        self.file = folder / "letters.json"

    def kept(self) -> Kept:
        """Give all that there is."""
        try:
            return Kept(**json.loads(self.file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return Kept()

    def begin(self, newest: int) -> None:
        """Begin after a line: those before it were for others."""
        with self._changing() as kept:
            kept.newest = kept.told = newest

    def arrived(self, answer: dict) -> None:
        """Keep what an answer of the board brought."""
        lines = {
            int(each["number"]): clean(each["text"], LONGEST_LINE)
            for each in answer.get("lines", [])[-MOST_LINES:]
        }
        released = {
            kind: [str(stem) for stem in answer.get("released", {}).get(kind, [])]
            for kind in ("hints", "solution")
        }
        now = self.kept()
        newest = max([now.newest, *lines])
        same = (newest, released, bool(answer.get("help"))) == (now.newest, now.released, now.help)
        if same and not now.unknown and not now.off:
            return
        with self._changing() as kept:
            kept.lines |= {str(number): text for number, text in lines.items()}
            for old in sorted(kept.lines, key=int)[:-MOST_LINES]:
                del kept.lines[old]
            kept.newest, kept.released = max(newest, kept.newest), released
            kept.help = bool(answer.get("help"))
            kept.unknown = kept.off = kept.told_off = False

    def news(self) -> list[str]:
        """Give what nobody was told here yet, ready to be printed; from now on it is told."""
        told = [f"Your instructor: {line}" for line in self.untold()]
        kept = self.kept()
        if kept.off and not kept.told_off:
            with self._changing() as kept:
                kept.told_off = True
            told.append(TAKEN_OFF)
        return told

    def untold(self) -> list[str]:
        """Give the lines that nobody was told here yet; from now on they are told."""
        kept = self.kept()
        if kept.told >= kept.newest:
            return []
        with self._changing() as kept:
            new = [
                kept.lines[each] for each in sorted(kept.lines, key=int) if int(each) > kept.told
            ]
            kept.told = kept.newest
        return new

    def released(self, kind: str, stem: str) -> bool:
        """Tell whether the instructor has opened an exercise's `hints`, or its `solution`."""
        return stem in self.kept().released.get(kind, [])

    def not_known(self) -> None:
        """Remember that the board knows this learner no more."""
        with self._changing() as kept:
            kept.unknown = True

    def taken_off(self) -> None:
        """Remember that the instructor took this learner off the class."""
        if not self.kept().off:
            with self._changing() as kept:
                kept.off = True

    def joined_again(self) -> None:
        """Forget that the board did not take what was sent."""
        with self._changing() as kept:
            kept.unknown = kept.off = kept.told_off = False

    @contextmanager
    def _changing(self) -> Iterator[Kept]:
        # A notebook, JupyterLab and a terminal may all be at work.
        safe_file.make_folder(self.file.parent, 0o700)
        with safe_file.one_at_a_time(self.file.with_suffix(".lock")):
            kept = self.kept()
            yield kept
            safe_file.write(self.file, json.dumps(asdict(kept)))
