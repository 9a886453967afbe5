"""Which class this copy of the kit has joined, and as whom: a file in the learner's folder."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from trainer.course import safe_file
from trainer.course.clone import ROOT
from trainer.course.problem import Problem
from trainer.workshop.seat.words import PORT

FOLDER = ROOT / ".class"
ADDRESS = re.compile(r"(?:http://)?([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::(\d{1,5}))?/?")


@dataclass(frozen=True)
class Membership:
    """A place in a class: where its board is, the learner's name there, and what proves it."""

    host: str
    port: int
    name: str
    token: str
    room: str

    @property
    def address(self) -> str:
        """Where the board is, as it is typed."""
        return f"{self.host}:{self.port}"


def membership(folder: Path = FOLDER) -> Membership | None:
    """Give the place in the class that was joined, if one was."""
    try:
        return Membership(**json.loads((folder / "seat.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def keep(place: Membership, folder: Path = FOLDER) -> None:
    """Keep it, readable by nobody else: who has the token writes under this name."""
    safe_file.make_folder(folder, 0o700)
    safe_file.write(folder / "seat.json", json.dumps(asdict(place)), 0o600)


def parted(address: str) -> tuple[str, int]:
    """Take an address apart as an instructor's machine shows it, `http://` and port or not."""
    found = ADDRESS.fullmatch(address.strip())
    port = int(found[2] or PORT) if found else 0
    if not 0 < port < 65536:
        raise Problem(
            f"{address!r} is no address of a class board; it looks like 192.168.1.20:{PORT}, "
            "as the instructor's screen shows it."
        )
    return found[1].strip("[]"), port
