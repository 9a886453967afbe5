"""Asks the board something: one request, no proxy on the way, and no patience."""

import http.client
import json

from trainer.workshop.seat.words import LARGEST_BODY

PATIENCE = 3.0


class Unreachable(Exception):
    """The board did not answer, or is too busy: the same may be asked again later."""


class Refused(Exception):
    """The board said no; the message says why."""

    def __init__(self, status: int, why: str) -> None:
        """Remember the answer's number."""
        super().__init__(why)
        self.status = status


def ask(
    host: str, port: int, path: str, body: dict, token: str = "", patience: float = PATIENCE
) -> dict:
    """Post something to the board, and give its answer."""
    data = json.dumps(body).encode()
    return _post(host, port, path, data, "application/json", token, patience)


def send(host: str, port: int, path: str, archive: bytes, token: str, patience: float) -> dict:
    """Send the board an archive, and give its answer."""
    return _post(host, port, path, archive, "application/zip", token, patience)


def _post(
    host: str, port: int, path: str, data: bytes, kind: str, token: str, patience: float
) -> dict:
    # Not urllib: a school's proxy, which that would ask, doesn't know the room's own machines.
    connection = http.client.HTTPConnection(host, port, timeout=patience)
    headers = {"Content-Type": kind, "Authorization": f"Bearer {token}"}
    try:
        connection.request("POST", path, data, headers)
        answer = connection.getresponse()
        status, text = answer.status, answer.read(LARGEST_BODY)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(str(error)) from None
    finally:
        connection.close()
    return _read(status, text)


def _read(status: int, text: bytes) -> dict:
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise Unreachable("what answers there is no class board")
    if status == 429 or status >= 500:
        raise Unreachable(str(told.get("why")))
    if status != 200:
        raise Refused(status, str(told.get("why"))[:200])
    return told
