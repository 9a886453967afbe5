"""Handing in all answers: to the class that was joined, or as one file to send."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trainer.course import safe_file
from trainer.course.clone import EXERCISES, ROOT
from trainer.course.exercise import exercises
from trainer.course.problem import Problem
from trainer.workshop.seat import archive
from trainer.workshop.seat.archive import MOST_FILES, MOST_TEXT, SUFFIX
from trainer.workshop.seat.membership import FOLDER, Membership, membership
from trainer.workshop.seat.post import Refused, Unreachable, send
from trainer.workshop.seat.words import LONGEST_NAME, clean

# More than a check's news, and handed in while everybody else does.
PATIENCE = 15.0
NO_NAME = re.compile(r'[\\/:*?"<>|]')


@dataclass(frozen=True)
class Told:
    """What became of it: since when the board has it, or why not."""

    at: str = ""
    refused: str = ""


def submit(name: str | None, *, as_file: bool = False, folder: Path = FOLDER) -> str:
    """Hand in all answers, and say what became of them."""
    texts, place = answers(), membership(folder)
    if not place or as_file:
        return _in_a_file(texts, name or (place.name if place else ""), ROOT)
    if name:
        raise Problem(
            f"The class knows you as {place.name}; --name is for a file to send: add --file."
        )
    wait_with(archive.packed(texts, _about(place.name)), folder)
    told = send_what_waits(place, folder)
    if told is None:
        one = len(_stems(texts)) == 1
        goes = "waits here and goes by itself" if one else "wait here and go by themselves"
        return (
            f"The class's board can't be reached just now. {_counted(texts)} {goes} as soon as it "
            "can; `trainer submit --file` makes a file to send instead."
        )
    if told.refused:
        raise Problem(f"The class did not take it: {told.refused}")
    return (
        f"Handed in to the class at {place.address}, as {place.name}: {_counted(texts)} "
        f"({_named(texts)}). To hand in again replaces it."
    )


def answers(folder: Path = EXERCISES) -> archive.Texts:
    """Read what was written: stubs that are so no more, and what lies beside them."""
    issued = {f"exercises/{each.stem}.py": _lines(each.issued) for each in exercises()}
    found: archive.Texts = {}
    for file in sorted(folder.rglob("*.py")):
        place = f"exercises/{file.relative_to(folder).as_posix()}"
        may_be_one = archive.MEMBER.fullmatch(place) and file.parent.name != "__pycache__"
        if may_be_one and file.is_file() and _lines(file) != issued.get(place):
            found[place] = file.read_bytes()
            _require_bounded(found)
    if not _stems(found):
        raise Problem("There is nothing to hand in yet: all stubs are as they were issued.")
    return found


def _lines(file: Path) -> list[bytes]:
    """Read a text, whatever an editor ends its lines with."""
    return file.read_bytes().splitlines()


def _require_bounded(texts: Mapping[str, bytes]) -> None:
    if len(texts) > MOST_FILES or sum(map(len, texts.values())) > MOST_TEXT:
        raise Problem(
            f"exercises/ holds more than {MOST_FILES} programs, or {MOST_TEXT // 2**10} kB of "
            "them: more than can be handed in. Put what is no answer elsewhere."
        )


def _in_a_file(texts: archive.Texts, name: str, folder: Path) -> str:
    if not (name := clean(name, LONGEST_NAME)):
        raise Problem("You are in no class: say who hands in, as in `trainer submit --name Ann`.")
    file = folder / f"{NO_NAME.sub('-', name).lstrip('.-')}{SUFFIX}"
    safe_file.write(file, archive.packed(texts, _about(name)))
    return f"Send this file to your instructor: {file} ({_counted(texts)}: {_named(texts)})."


def _about(name: str) -> dict[str, str]:
    return {
        "name": name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "clock": "learner",
    }


def _stems(texts: Mapping[str, bytes]) -> list[str]:
    known = {f"exercises/{each.stem}.py": each.stem for each in exercises()}
    return [known[place] for place in known if place in texts]


def _counted(texts: Mapping[str, bytes]) -> str:
    count = len(_stems(texts))
    return f"{count} answer{'s' * (count != 1)}"


def _named(texts: Mapping[str, bytes]) -> str:
    return ", ".join(stem.removeprefix("ch")[:3].lstrip("0") or stem for stem in _stems(texts))


def waiting(folder: Path = FOLDER) -> Path:
    """Name the file that waits until the board has it."""
    return folder / f"waiting{SUFFIX}"


def wait_with(data: bytes, folder: Path) -> None:
    """Keep what is handed in until the board has it, in the place of what waited before."""
    safe_file.make_folder(folder, 0o700)
    with _alone(waiting(folder)):
        safe_file.write(waiting(folder), data, 0o600)


def send_what_waits(place: Membership, folder: Path = FOLDER) -> Told | None:
    """Send what waits, if something does; None where it has to wait on."""
    file = waiting(folder)
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    try:
        answer = send(place.host, place.port, "/api/hand-in", data, place.token, PATIENCE)
    except Unreachable:
        return None
    except Refused as refused:
        # Who joins again hands in with it.
        if refused.status not in (401, 410):
            _sent(file, data)
        return Told(refused=str(refused))
    _sent(file, data)
    return Told(at=str(answer.get("at")))


def _sent(file: Path, data: bytes) -> None:
    """Forget what was sent, unless something newer has taken its place in the meantime."""
    with _alone(file):
        if file.exists() and file.read_bytes() == data:
            file.unlink()


def _alone(file: Path) -> AbstractContextManager[None]:
    return safe_file.one_at_a_time(file.with_suffix(".lock"))
