"""Goes between the outbox and the board, in the background; at its end a command waits a moment."""

import atexit
import os
import threading
import time
from pathlib import Path

from trainer.workshop.seat.handing_in import send_what_waits, waiting
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER, membership
from trainer.workshop.seat.outbox import Outbox
from trainer.workshop.seat.post import PATIENCE, Refused, Unreachable, ask
from trainer.workshop.seat.words import MOST_EVENTS

# How often the board is asked for news.
EVERY = 5.0
# How long a process waits at its end for what is sent, and a command for news alone; for what it
# sends itself; and for news where the board said nothing the last time.
A_MOMENT = 1.0
AT_ITS_END = 2.0
A_GLANCE = 0.3


def deliver(
    folder: Path = FOLDER, patience: float = PATIENCE, *, letters_only: bool = False
) -> bool:
    """Send what waits, and bring what is new; tell whether the board answered.

    Where somebody looks on, letters only: what is handed in may take its time.
    """
    place, outbox, letters = membership(folder), Outbox(folder), Letters(folder)
    if not place:
        return False
    while True:
        events = outbox.waiting()
        body = {"events": [each.told() for each in events], "after": letters.kept().newest}
        try:
            answer = ask(place.host, place.port, "/api/deliver", body, place.token, patience)
        except Unreachable:
            return False
        except Refused as refused:
            if refused.status == 401:
                letters.not_known()
            elif refused.status == 410:
                letters.taken_off()
            elif refused.status in (400, 413) and events:
                # A board of another version will never take it, and what comes after it waits.
                outbox.sent([each.id for each in events])
                continue
            return False
        if membership(folder) != place:
            # Another class was joined meanwhile, or this one left: its news are nobody's.
            return False
        outbox.sent([str(each) for each in (*answer.get("taken", []), *answer.get("refused", []))])
        letters.arrived(answer)
        if len(events) < MOST_EVENTS:
            if not letters_only:
                send_what_waits(place, folder)
            return True


class Courier:
    """A thread that delivers when it is called, and from time to time."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Deliver for the learner of a folder."""
        self.folder, self.process = folder, os.getpid()
        self.called, self.idle = threading.Event(), threading.Event()
        # A call between the end of a round and its being noted is no part of that round.
        self._one_by_one = threading.Lock()
        # Whether the board answered when it was last asked, None while that isn't known: nobody
        # waits for one that didn't.
        self.reached: bool | None = None
        self.given_up = -EVERY
        threading.Thread(target=self._go, daemon=True, name="class board").start()
        atexit.register(self.wait)

    def call(self) -> None:
        """Let it deliver now."""
        with self._one_by_one:
            self.idle.clear()
            self.called.set()

    def wait(self, patience: float = A_MOMENT) -> bool:
        """Wait a moment for what is under way, but not for a board that is known to be away.

        False if it took longer than that.
        """
        # A fork has its parent's memory, but none of its threads.
        if self.reached is False or self.process != os.getpid() or self.idle.wait(patience):
            return True
        # Nobody waits for it once more.
        self.reached = False
        return False

    def _go(self) -> None:
        while True:
            with self._one_by_one:
                self.called.clear()
            try:
                self.reached = deliver(self.folder)
            except (OSError, ValueError, TypeError, KeyError, AttributeError):
                # A full disk, or a board of another kind, is no reason to end what a learner does.
                self.reached = False
            with self._one_by_one:
                if not self.called.is_set():
                    self.idle.set()
            self.called.wait(EVERY)


_couriers: dict[Path, Courier] = {}
_only_one = threading.Lock()


def courier(folder: Path = FOLDER) -> Courier | None:
    """Give this process's courier, if a class was joined; it sets out when first asked for."""
    if not membership(folder):
        return None
    with _only_one:
        known = _couriers.get(folder)
        if known is None or known.process != os.getpid():
            known = _couriers[folder] = Courier(folder)
        return known


def settle(folder: Path = FOLDER) -> None:
    """Deliver what waits before a command ends, and bring what is new; without a class, nothing.

    A board that says nothing costs a moment where something waits, and else one once.
    """
    if not (carrier := courier(folder)):
        return
    something = waiting(folder).exists() or not Outbox(folder).empty
    if something and time.monotonic() - carrier.given_up > EVERY:
        # That it was away a while ago says nothing: it may be back, and so this was typed.
        carrier.reached = None
    carrier.call()
    silent = folder / "silent"
    for_news = A_GLANCE if silent.exists() else A_MOMENT
    if not carrier.wait(AT_ITS_END if something else for_news):
        silent.touch()
        carrier.given_up = time.monotonic() if something else carrier.given_up
    elif carrier.reached:
        silent.unlink(missing_ok=True)
