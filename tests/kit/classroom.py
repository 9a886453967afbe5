"""A class board, and seats in front of it, as tests use them."""

import asyncio
import contextlib
import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trainer.workshop.plan import Part
from trainer.workshop.room import Room, opened
from trainer.workshop.seat.archive import packed
from trainer.workshop.seat.courier import deliver
from trainer.workshop.seat.joining import join
from trainer.workshop.seat.membership import membership
from trainer.workshop.seat.outbox import Outbox
from trainer.workshop.seat.post import send
from trainer.workshop.server import serve

PATIENCE = 60
TOKEN = "t" * 40
WRONG = {"exercise": "ch01a_ride_cleansing", "verdict": "wrong"}
CORRECT = WRONG | {"verdict": "correct"}


@dataclass
class Class:
    """A class that is open."""

    room: Room
    port: int
    folder: Path
    cookie: str = ""

    @property
    def code(self) -> str:
        """The code that joins."""
        return self.room.ledger.meta("code")

    @property
    def instructor(self) -> str:
        """The code that instructs."""
        return self.room.ledger.meta("instructor")

    def seat(self, name: str) -> "Seat":
        """Let a learner join, by what runs on a learner's machine."""
        folder = self.folder / name.replace("/", "_")
        join(f"127.0.0.1:{self.port}", self.code, name, folder)
        return Seat(folder)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> "Answer":
        """Ask the server something, as anybody can."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            sent["Cookie"] = self.cookie
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if data is not None:
            sent = {"Content-Type": "application/json"} | sent
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        with contextlib.closing(connection):
            return Answer(answer.status, answer.read().decode(), dict(answer.getheaders()))

    def post(self, path: str, body: object, token: str = "") -> "Answer":
        """Post something, with a learner's token or without."""
        return self.ask("POST", path, body, Authorization=f"Bearer {token}")

    def instruct(self) -> None:
        """Enter as the instructor does."""
        answer = self.ask("POST", "/enter", {"code": self.instructor})
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def live(self, view: str = "board") -> dict:
        """Give what a page is told first."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/live?view={view}", headers={"Cookie": self.cookie})
        with contextlib.closing(connection):
            return json.loads(connection.getresponse().readline().removeprefix(b"data: "))


@dataclass
class Answer:
    """What a server answered."""

    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def told(self) -> dict:
        """Give it as what it says."""
        return json.loads(self.text)


@dataclass(frozen=True)
class Seat:
    """A learner's folder."""

    folder: Path

    def put(self, outcome: dict, *, ago: float = 0) -> None:
        """Let a check have come out, some seconds ago."""
        Outbox(self.folder).put("check", **outcome)
        if ago:
            newest = sorted((self.folder / "outbox").glob("*.json"))[-1]
            kept = json.loads(newest.read_text())
            newest.write_text(json.dumps(kept | {"at": kept["at"] - ago}))

    def check(self, outcome: dict, *, ago: float = 0) -> None:
        """Let a check have come out, and deliver it."""
        self.put(outcome, ago=ago)
        assert deliver(self.folder)

    def hand_in(self) -> None:
        """Hand in an answer."""
        place, texts = membership(self.folder), {"exercises/ch01a_ride_cleansing.py": b"x = 1"}
        send(place.host, place.port, "/api/hand-in", packed(texts, {}), place.token, PATIENCE)


@contextlib.contextmanager
def open_class(
    folder: Path, port: int = 0, plan: list[Part] | None = None, file: Path | None = None
) -> Iterator[Class]:
    """Serve a class in a thread of this process."""
    room = opened(file or folder / "board.sqlite", plan or [])
    loop, ready, end = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    ports: list[int] = []

    def told(port: int) -> None:
        ports.append(port)
        ready.set()

    def run() -> None:
        loop.run_until_complete(serve(room, "127.0.0.1", port, "127.0.0.1", told, end))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield Class(room, ports[0], folder)
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(PATIENCE)
        room.ledger.close()


def event(**told: object) -> dict:
    """Make an event as it is sent, a wrong answer unless other fields say otherwise."""
    return {"id": uuid.uuid4().hex, "kind": "check", "age": 0} | WRONG | told


def until(holds: Callable[[], object]) -> object:
    """Wait for something to hold, and give it."""
    ends = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.02)
    return found
