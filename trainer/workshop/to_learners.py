"""What learners' machines ask of the board: to join, and to deliver what they have."""

from dataclasses import replace

from tornado.web import HTTPError, stream_request_body

from trainer.workshop import course_words
from trainer.workshop.answers import Answer
from trainer.workshop.board import Learner
from trainer.workshop.room import marked
from trainer.workshop.seat.archive import LARGEST
from trainer.workshop.seat.letters import MOST_LINES
from trainer.workshop.seat.words import (
    LONGEST_NAME,
    MOST_EVENTS,
    TAKEN_OFF,
    TOKEN,
    Event,
    Malformed,
    clean,
    event_of,
)


class Join(Answer):
    """The door."""

    async def post(self) -> None:
        """Let in who knows the code; who comes back with the same token is the same learner."""
        given = self.given("code", "name", "token")
        name, token = clean(given.get("name"), LONGEST_NAME), given.get("token")
        sound = isinstance(token, str) and TOKEN.fullmatch(token)
        # Who has joined already knew the code: wrong ones of a neighbour's are not theirs.
        if not sound or marked(token) not in self.room.board.by_token:
            self.slow_down(self.room.guesses.due(self.request.remote_ip))
        if not self.joins(given.get("code")):
            raise HTTPError(403, reason="That is not the code of this class: look at the screen.")
        self.slow_down(self.room.joins.wait(self.request.remote_ip))
        if not name or not sound:
            raise HTTPError(400, reason="A name is missing, or has no letter that can be shown.")
        learner = await self.room.join(name, token)
        if not learner:
            raise HTTPError(409, reason="This class is full.")
        newest = max(self.room.board.lines, default=0)
        room = self.room.ledger.meta("room")
        self.finish({"name": learner.name, "room": room, "newest": newest})


class OfLearner(Answer):
    """An answer to somebody who has joined."""

    def learner(self) -> Learner:
        """Tell who asks: whoever has the token that was agreed on at the door."""
        kind, _, token = self.request.headers.get("Authorization", "").partition(" ")
        learner = self.room.board.by_token.get(marked(token)) if kind == "Bearer" else None
        if not learner:
            raise HTTPError(401, reason="The class does not know you: join it.")
        if learner.off:
            raise HTTPError(410, reason=TAKEN_OFF)
        return learner


class Deliver(OfLearner):
    """The letter box, out and in."""

    async def post(self) -> None:
        """Take what is new, and answer when it is on the disk; give what the class is told."""
        learner = self.learner()
        self.slow_down(self.room.requests.wait(learner.number))
        given = self.given("events", "after")
        came, after = self._events(given.get("events")), given.get("after", 0)
        if isinstance(after, bool) or not isinstance(after, int):
            raise HTTPError(400, reason="not a number of a line")
        # A kit may be newer than the board's, and anybody can make a name up.
        refused = [each for each in came if each.kind == "check" and not _known(each)]
        events = [_said(each) for each in came if each not in refused]
        new = sum(each.id not in learner.known for each in came)
        self.slow_down(self.room.events.wait(learner.number, new))
        await self.room.deliver(learner, events)
        board = self.room.board
        self.finish(
            {
                "taken": [each.id for each in events],
                "refused": {each.id: f"no exercise {each.exercise} here" for each in refused},
                "lines": board.lines_after(after, MOST_LINES),
                "released": board.released,
                "help": learner.asked is not None,
            }
        )

    @staticmethod
    def _events(given: object) -> list[Event]:
        if not isinstance(given, list) or len(given) > MOST_EVENTS:
            raise HTTPError(400, reason=f"events come in a list of at most {MOST_EVENTS}")
        try:
            return [event_of(each) for each in given]
        except Malformed as malformed:
            raise HTTPError(400, reason=str(malformed)) from None


def _known(event: Event) -> bool:
    return event.exercise in course_words.known()


def _said(event: Event) -> Event:
    """Give an event without an exercise that isn't known here: a wish for help is one anyway."""
    return event if _known(event) else replace(event, exercise=None)


@stream_request_body
class HandIn(OfLearner):
    """Where answers are handed in: the one body that may be larger."""

    def prepare(self) -> None:
        """Say who it is before anything is kept; who is refused is told so after the body."""
        self.request.connection.set_max_body_size(LARGEST)
        self.body, self.refused = bytearray(), None
        try:
            self.who = self.learner()
            if self.request.headers.get("Content-Type") != "application/zip":
                raise HTTPError(415, reason="only an archive is understood")
            self.slow_down(self.room.hand_ins.wait(self.who.number))
        except HTTPError as error:
            self.refused = error

    def data_received(self, chunk: bytes) -> None:
        """Take a part of the body."""
        if not self.refused:
            self.body += chunk

    async def post(self) -> None:
        """Take an archive, and answer when it is on the disk."""
        if self.refused:
            raise self.refused
        try:
            at = await self.room.hand_in(self.who, bytes(self.body))
        except Malformed as malformed:
            reason = f"The archive is refused: {malformed}."
            raise HTTPError(400, reason=reason) from None
        except OSError:
            raise HTTPError(503, reason="The board can't keep it just now.") from None
        self.finish({"at": at})
