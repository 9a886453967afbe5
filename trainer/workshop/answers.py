"""How the board answers: pages that are shut in, bodies read with care, errors in a line."""

import hmac
import http.client
import json
import math

from tornado.web import HTTPError, RequestHandler

from trainer.workshop.live import Live
from trainer.workshop.room import Room
from trainer.workshop.seat.words import LARGEST_BODY

OWN = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
NONE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": f"{OWN}; {NONE}",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Server": "class board",
}
COOKIE = "class_board"


class TooMuch(HTTPError):
    """More came than may come from one place; it may come later."""

    def __init__(self, seconds: float) -> None:
        """Say how much later."""
        super().__init__(429, reason="Too much at once: wait a little.")
        self.seconds = seconds


class Answer(RequestHandler):
    """What all answers have in common."""

    def initialize(self, room: Room, live: Live) -> None:
        """Know the class."""
        self.room, self.live = room, live

    def set_default_headers(self) -> None:
        """Let a page load nothing from elsewhere, and be part of no other."""
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **more: object) -> None:
        """Say in a line what is wrong, and nothing of how it came about."""
        error = more.get("exc_info", (None, None))[1]
        why = error.reason if isinstance(error, HTTPError) else None
        if isinstance(error, TooMuch):
            self.set_header("Retry-After", str(math.ceil(error.seconds)))
        self.finish({"why": why or http.client.responses.get(status_code, "?")})

    def given(self, *names: str) -> dict:
        """Read a request's body: an object, with these fields and no others."""
        kind = self.request.headers.get("Content-Type", "")
        # No form on some other page can send this.
        if kind.split(";")[0].strip() != "application/json":
            raise HTTPError(415, reason="only JSON is understood")
        try:
            body = json.loads(self.request.body[:LARGEST_BODY])
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict) or not body.keys() <= {*names}:
            raise HTTPError(400, reason="not as agreed on: another version of the kit?")
        return body

    def joins(self, code: object) -> bool:
        """Tell whether this is the code that joins, and count it if it isn't."""
        known = same(code, self.room.ledger.meta("code"))
        if not known:
            self.room.guesses.wait(self.request.remote_ip)
        return known

    def slow_down(self, seconds: float) -> None:
        """Refuse, for some seconds, where there is something to wait for."""
        if seconds:
            raise TooMuch(seconds)


class Nowhere(Answer):
    """Where nothing is."""

    def prepare(self) -> None:
        """Say so, however it was asked for."""
        raise HTTPError(404, reason="There is nothing here: / is the class board.")


def same(one: object, other: str) -> bool:
    """Compare a secret in a time that tells nothing about it."""
    return isinstance(one, str) and hmac.compare_digest(one.encode(), other.encode())
