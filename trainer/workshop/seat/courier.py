"""Goes between the outbox and the board, in the background: nobody waits for it."""

import atexit
import os
import threading
from pathlib import Path

from trainer.workshop.seat.handing_in import send_what_waits
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER, membership
from trainer.workshop.seat.outbox import Outbox
from trainer.workshop.seat.post import PATIENCE, Refused, Unreachable, ask
from trainer.workshop.seat.words import MOST_EVENTS

# How often the board is asked for news, and how long a process waits at its end for what is sent.
EVERY = 5.0
A_MOMENT = 1.0


def deliver(folder: Path = FOLDER, patience: float = PATIENCE) -> bool:
    """Send what waits, and bring what is new; tell whether the board answered."""
    place, outbox, letters = membership(folder), Outbox(folder), Letters(folder)
    if not place:
        return False
    while True:
        waiting = outbox.waiting()
        body = {"events": [each.told() for each in waiting], "after": letters.kept().newest}
        try:
            answer = ask(place.host, place.port, "/api/deliver", body, place.token, patience)
        except Unreachable:
            return False
        except Refused as refused:
            if refused.status == 401:
                letters.not_known()
            elif refused.status == 410:
                letters.taken_off()
            elif refused.status == 400:
                # A board of another version will never take it, and what comes after it waits.
                outbox.sent([each.id for each in waiting])
            return False
        outbox.sent([str(each) for each in answer.get("taken", [])])
        letters.arrived(answer)
        if len(waiting) < MOST_EVENTS:
            send_what_waits(place, folder)
            return True


class Courier:
    """A thread that delivers when it is called, and from time to time."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Deliver for the learner of a folder."""
        self.folder, self.process = folder, os.getpid()
        self.called, self.idle = threading.Event(), threading.Event()
        # Whether the board answered when it was last asked: nobody waits for one that didn't.
        self.reached = False
        threading.Thread(target=self._go, daemon=True, name="class board").start()
        atexit.register(self.wait)

    def call(self) -> None:
        """Let it deliver now."""
        self.idle.clear()
        self.called.set()

    def wait(self, patience: float = A_MOMENT) -> None:
        """Wait a moment for what is under way, if there is a board to be reached."""
        # A fork has its parent's memory, but none of its threads.
        if self.reached and self.process == os.getpid():
            self.idle.wait(patience)

    def _go(self) -> None:
        while True:
            self.called.clear()
            try:
                self.reached = deliver(self.folder)
            except (OSError, ValueError, TypeError, KeyError, AttributeError):
                # A full disk, or a board of another kind, is no reason to end what a learner does.
                self.reached = False
            if not self.called.is_set():
                self.idle.set()
            self.called.wait(EVERY)


_courier: Courier | None = None
_only_one = threading.Lock()


def courier() -> Courier | None:
    """Give this process's courier, if a class was joined; it sets out when first asked for."""
    global _courier
    if not membership():
        return None
    with _only_one:
        if _courier is None or _courier.process != os.getpid():
            _courier = Courier()
        return _courier
