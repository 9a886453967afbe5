"""A class that is open: its file, its board, and what is written to both."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from trainer.workshop import collected, course_words
from trainer.workshop.board import Board, Happened, Learner
from trainer.workshop.ledger import Ledger
from trainer.workshop.pace import Pace
from trainer.workshop.plan import Part
from trainer.workshop.seat.words import Event

MOST_LEARNERS = 1000
OPEN = {"hints": "Open to all are the hints", "solution": "Open to all is the solution"}
KEEP_EVENT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
KEEP_LINE = "INSERT INTO lines VALUES (?, ?, ?)"
KEEP_RELEASED = "INSERT OR IGNORE INTO released VALUES (?, ?, ?)"
KEEP_LEARNER = """
INSERT INTO learners VALUES (?, ?, ?, ?) ON CONFLICT (token) DO UPDATE SET name = excluded.name
"""
ANNOUNCED = "SELECT number FROM lines WHERE at IN (SELECT at FROM released)"


@dataclass
class Room:
    """What the server's pages and answers are made of."""

    ledger: Ledger
    plan: list[Part] = field(default_factory=list)
    board: Board = field(default_factory=Board)
    # For each learner; a laptop that was offline all day has some to send at once.
    events: Pace = field(default_factory=lambda: Pace(burst=100, a_second=0.5))
    requests: Pace = field(default_factory=lambda: Pace(burst=40, a_second=4))
    # An archive is unpacked and packed again.
    hand_ins: Pace = field(default_factory=lambda: Pace(burst=6, a_second=0.1))
    in_turn: dict[int, asyncio.Lock] = field(default_factory=dict)
    # For each address: who joins, and who tries codes that are wrong. A whole class may stand
    # behind one; at this pace it takes years to find the code that joins.
    joins: Pace = field(default_factory=lambda: Pace(burst=60, a_second=2))
    guesses: Pace = field(default_factory=lambda: Pace(burst=40, a_second=1))
    instructing: Pace = field(default_factory=lambda: Pace(burst=10, a_second=0.2))

    async def join(self, name: str, token: str) -> Learner | None:
        """Let somebody join, or change a name; None where the class is full."""
        mark, board = marked(token), self.board
        known = board.by_token.get(mark)
        if not known and len(board.learners) >= MOST_LEARNERS:
            return None
        name, now = board.free(name, mark), time.time()
        # On the board before it is in the file: the number and the name are taken at once.
        learner = board.joined(max(board.everyone, default=0) + 1, mark, name, now)
        await self.ledger.write((KEEP_LEARNER, (learner.number, mark, name, now)))
        if learner.off:
            await self._note(learner, "back")
        return learner

    async def deliver(self, learner: Learner, events: list[Event]) -> None:
        """Keep what a learner's machine tells, and show it once it is on the disk."""
        now = time.time()
        told = [
            (each.id, Happened(now - each.age, now, *_outcome(each)))
            for each in events
            if each.id not in learner.known
        ]
        if told:
            await self.ledger.write(*(_kept(learner, name, event) for name, event in told))
        for name, event in told:
            self.board.happened(learner.number, name, event)

    async def hand_in(self, learner: Learner, data: bytes) -> str:
        """Keep what a learner handed in, and tell since when it is there."""
        folder = collected.folder_of(self.ledger.file)
        async with self.in_turn.setdefault(learner.number, asyncio.Lock()):
            at = await asyncio.to_thread(collected.keep, folder, learner.number, learner.name, data)
        self.board.handed_in(learner.number, collected.seconds(at))
        return at

    async def tick_off(self, number: int) -> None:
        """Note that a learner was helped."""
        await self._note(self.board.learners[number], "fine")

    async def take_off(self, number: int) -> str:
        """Take a learner off the class; name the file of what they handed in, which stays."""
        await self._note(self.board.learners[number], "off")
        there = collected.there(collected.folder_of(self.ledger.file), number)
        return there[0].name if there else ""

    async def _note(self, learner: Learner, kind: str) -> None:
        await self.deliver(learner, [Event(id=secrets.token_hex(16), kind=kind, age=0)])

    async def say(self, text: str) -> None:
        """Tell a line to everybody."""
        await self.ledger.write((KEEP_LINE, (self._next_line(text), time.time(), text)))

    def _next_line(self, text: str) -> int:
        number = max(self.board.lines, default=0) + 1
        # Taken at once: another line may come while this one is written.
        self.board.lines[number] = text
        return number

    async def release(self, kind: str, exercise: str) -> None:
        """Open the hints or the solution of an exercise to everybody, and tell them."""
        if exercise in self.board.released[kind]:
            return
        self.board.released[kind].append(exercise)
        command = "hint" if kind == "hints" else "solution"
        name = course_words.known()[exercise].name
        number = self._next_line(text := f"{OPEN[kind]} of {exercise}: trainer {command} {name}")
        self.board.announced.add(number)
        # Both have the same time: so it is known what a line was about when the file is read.
        now = time.time()
        await self.ledger.write(
            (KEEP_RELEASED, (kind, exercise, now)), (KEEP_LINE, (number, now, text))
        )


def opened(file: Path, plan: list[Part]) -> Room:
    """Open a class's file, and make of it what the board was when it was closed, or killed."""
    ledger = Ledger(file)
    collected.tidy(folder := collected.folder_of(file))
    board = board_of(ledger.rows)
    for number, at in collected.times(folder).items():
        if number in board.everyone:
            board.handed_in(number, at)
    return Room(ledger, plan, board)


def board_of(rows: Callable[[str], Iterable[tuple]]) -> Board:
    """Make a board of what is stored."""
    board = Board()
    for number, mark, name, at in rows("SELECT * FROM learners"):
        board.joined(number, mark, name, at)
    for learner, name, *event in rows("SELECT * FROM events ORDER BY rowid"):
        board.happened(learner, name, Happened(*event))
    board.lines |= dict(rows("SELECT number, text FROM lines"))
    board.announced |= {each for (each,) in rows(ANNOUNCED)}
    for kind, exercise in rows("SELECT kind, exercise FROM released ORDER BY at"):
        board.released[kind].append(exercise)
    return board


def marked(token: str) -> str:
    """Give what is kept of a token: who reads the file can write as nobody."""
    return hashlib.sha256(token.encode()).hexdigest()


def _outcome(event: Event) -> tuple:
    return event.kind, event.exercise, event.verdict, event.rule, event.idea


def _kept(learner: Learner, name: str, event: Happened) -> tuple[str, tuple]:
    values = (event.at, event.came, *_outcome(event))
    return KEEP_EVENT, (learner.number, name, *values)
