"""Joining a class, asking its instructor over, and leaving it."""

import hmac
import secrets
import shutil
from pathlib import Path

from trainer.course import safe_file
from trainer.course.problem import Problem
from trainer.workshop.seat.courier import deliver
from trainer.workshop.seat.handing_in import waiting
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER, Membership, keep, membership, parted
from trainer.workshop.seat.outbox import Outbox
from trainer.workshop.seat.post import Refused, Unreachable, ask
from trainer.workshop.seat.words import LONGEST_NAME, TAKEN_OFF, clean

NOT_YET = "You are in no class. `trainer class join ADDRESS CODE --name NAME` joins one."


def join(address: str, code: str, name: str, folder: Path = FOLDER) -> Membership:
    """Join a class, or the same one again under another name."""
    host, port = parted(address)
    if not (name := clean(name, LONGEST_NAME)):
        raise Problem("Say by which name the class knows you: --name Ann.")
    before, code = membership(folder), code.strip().upper()
    token = _token(code, folder)
    body = {"code": code, "name": name, "token": token}
    try:
        answer = ask(host, port, "/api/join", body)
    except Unreachable as why:
        raise Problem(
            f"No class board answers at {host}:{port} ({why}). Are you on the same network as the "
            "instructor's machine, and is the address as its screen shows it?"
        ) from None
    except Refused as refused:
        raise Problem(str(refused)) from None
    if before and before.room != answer["room"]:
        # What another class was to be told is none of this one's business.
        _forget(folder)
    if not before or before.room != answer["room"]:
        # What was said before one came is not news.
        Letters(folder).begin(int(answer["newest"]))
    else:
        Letters(folder).joined_again()
    place = Membership(host, port, clean(answer["name"], LONGEST_NAME + 8), token, answer["room"])
    keep(place, folder)
    return place


def _token(code: str, folder: Path) -> str:
    """Give what proves who one is in the class of a code, and is of no use in any other.

    Whoever joins again, after an answer that was lost or at another address, is the same learner.
    """
    file = folder / "secret"
    if not file.exists():
        safe_file.make_folder(folder, 0o700)
        safe_file.write(file, secrets.token_hex(32), 0o600)
    return hmac.digest(file.read_bytes(), code.encode(), "sha256").hex()


def ask_for_help(exercise: str | None, folder: Path = FOLDER, *, fine: bool = False) -> bool:
    """Ask the instructor over, or say that it is not needed any more; tell whether that arrived."""
    if not membership(folder):
        raise Problem(NOT_YET)
    Outbox(folder).put("fine" if fine else "help", exercise=exercise)
    return deliver(folder, letters_only=True)


def leave(folder: Path = FOLDER) -> Membership:
    """Leave the class: nothing is told to it from now on."""
    if not (place := membership(folder)):
        raise Problem(NOT_YET)
    _forget(folder)
    return place


def _forget(folder: Path) -> None:
    (folder / "seat.json").unlink(missing_ok=True)
    (folder / "letters.json").unlink(missing_ok=True)
    (folder / "silent").unlink(missing_ok=True)
    waiting(folder).unlink(missing_ok=True)
    shutil.rmtree(folder / "outbox", ignore_errors=True)


def told_of_the_class(folder: Path = FOLDER) -> str:
    """Say in a line which class one is in, and what waits to be told to it."""
    if not (place := membership(folder)):
        return NOT_YET
    kept, unsent = Letters(folder).kept(), len(Outbox(folder).waiting())
    if kept.off:
        return TAKEN_OFF
    if kept.unknown:
        return (
            f"The class at {place.address} knows you no more: join it again, or "
            "`trainer class leave` it."
        )
    later = f"; {unsent} not sent yet, which goes by itself" if unsent else ""
    if waiting(folder).exists():
        later += "; what you hand in waits here, and goes by itself"
    help_wanted = "; you asked for help" if kept.help else ""
    return f"You are {place.name} in the class at {place.address}{later}{help_wanted}."


def welcome(place: Membership, asked: str) -> str:
    """Say what joining means, and where the name that was asked for is too long."""
    long = len(clean(asked, len(asked))) > LONGEST_NAME
    cut = f" That name is cut: {LONGEST_NAME} letters are shown at most." if long else ""
    return (
        f"You are {place.name} in the class at {place.address}.{cut} Each check tells it the "
        "exercise, the verdict, the rule that failed and the idea behind it, never your code. "
        "`trainer class help` asks the instructor over; `trainer class leave` ends it."
    )


def help_told(exercise: str | None, *, fine: bool = False, folder: Path = FOLDER) -> str:
    """Ask for help, or take it back, and say what became of it."""
    arrived = ask_for_help(exercise, folder, fine=fine)
    if not arrived and Letters(folder).kept().off:
        raise Problem(TAKEN_OFF)
    if not arrived:
        return "The class's board can't be reached just now; it will be told as soon as it can."
    if fine:
        return "The instructor sees that you got on."
    return "The instructor sees that you want help. `trainer class help --fine` takes it back."
