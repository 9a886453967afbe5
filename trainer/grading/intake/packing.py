"""What an archive of `trainer submit`, or of a class's board, says of itself: it may be a lie."""

import json
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MOST = 2**12
DOUBT = "What was packed says"
# Clocks differ.
AHEAD = timedelta(hours=1)


@dataclass(frozen=True)
class Packing:
    """When it was packed, and whose it is said to be."""

    at: str = ""
    name: str = ""

    def doubts(self, named: Collection[str], now: datetime) -> Iterator[str]:
        """Tell what can't be so, by the names that its file has and by the clock."""
        said = _letters(self.name)
        if said and named and said not in map(_letters, named):
            yield f"{DOUBT} that it is {self.name}'s, and its file is named {min(named)!r}."
        if _time(self.at, now) > now + AHEAD:
            yield f"{DOUBT} that this was at {self.at}, which is yet to come."


def packing(about: bytes) -> Packing:
    """Read what it says."""
    try:
        told = json.loads(about[:MOST])
        given = {name: told[name] for name in ("at", "name") if isinstance(told.get(name), str)}
    except (ValueError, AttributeError, RecursionError):
        return Packing()
    return Packing(**given)


def _time(at: str, otherwise: datetime) -> datetime:
    try:
        found = datetime.fromisoformat(at.strip())
    except ValueError:
        return otherwise
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _letters(name: str) -> str:
    """Leave of a name what every system keeps in a file's."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())
