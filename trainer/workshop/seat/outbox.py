"""What waits to be told to the board: a file for each event, until the board says it has it."""

import contextlib
import json
import time
import uuid
from pathlib import Path

from trainer.course import safe_file
from trainer.workshop.seat.membership import FOLDER
from trainer.workshop.seat.words import MOST_EVENTS, OLDEST, Event

# Whoever never meets the board again shall not fill a disk.
MOST_WAITING = 1000


class Outbox:
    """Events in a folder, in the order in which they were put there."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Keep them below the folder of the learner's class."""
        self.folder = folder / "outbox"

    def put(self, kind: str, **told: str | None) -> str:
        """Keep an event until it was sent; the name that it gets lets the board drop doubles."""
        name = uuid.uuid4().hex
        for oldest in self._files()[: -MOST_WAITING + 1]:
            oldest.unlink(missing_ok=True)
        event = {"id": name, "kind": kind, "at": time.time(), **told}
        safe_file.write(self.folder / f"{time.time_ns():020}-{name}.json", json.dumps(event))
        return name

    def waiting(self) -> list[Event]:
        """Give what is to be sent next, the oldest first, each with its age by now."""
        found = (self._read(file) for file in self._files()[:MOST_EVENTS])
        return [event for event in found if event]

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._files()

    def sent(self, names: list[str]) -> None:
        """Forget what the board has."""
        for file in self._files():
            if file.stem.rpartition("-")[2] in names:
                file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]*-*.json"))

    @staticmethod
    def _read(file: Path) -> Event | None:
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            # A clock that was set back must not make an event of the future.
            age = min(max(0.0, time.time() - kept.pop("at")), OLDEST)
            return Event(age=round(age, 3), **kept)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, OSError):
            # It can never be sent, and must not stand in the way of what can.
            with contextlib.suppress(OSError):
                file.unlink()
            return None
