"""Bodies that are too large: read to their end, kept nowhere, and refused in a line.

The library would close the connection, and whoever sends would never hear why.
"""

import json

from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.web import Application

from trainer.workshop.answers import HEADERS
from trainer.workshop.seat import archive
from trainer.workshop.seat.words import LARGEST_BODY

# Where the one body goes that may be larger.
HAND_IN = "/api/hand-in"
# What is larger than this is not even read.
MOST_READ = 16 * 2**20


class Bounded(Application):
    """An application that answers 413 where more is sent than it takes."""

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        """Look at a request before anything else does."""
        return _Bounds(super().start_request(server_conn, request_conn), request_conn)


class _Bounds(HTTPMessageDelegate):
    """Hands a request on, unless it says that its body is too large."""

    def __init__(self, inside: HTTPMessageDelegate, connection: HTTPConnection) -> None:
        self.inside, self.connection, self.too_large = inside, connection, False

    def headers_received(self, start_line: RequestStartLine, headers: HTTPHeaders) -> object:
        length = headers.get("Content-Length", "")
        most = archive.LARGEST if start_line.path == HAND_IN else LARGEST_BODY
        self.too_large = length.isdecimal() and most < int(length) <= MOST_READ
        if not self.too_large:
            return self.inside.headers_received(start_line, headers)
        self.connection.set_max_body_size(MOST_READ)
        self.why = f"{int(length):,} bytes came, expected {most:,} at most: send less."
        return None

    def data_received(self, chunk: bytes) -> object:
        return None if self.too_large else self.inside.data_received(chunk)

    def finish(self) -> None:
        if not self.too_large:
            self.inside.finish()
            return
        told = json.dumps({"why": self.why}).encode()
        kind = {"Content-Type": "application/json", "Content-Length": str(len(told))}
        headers = HTTPHeaders(HEADERS | kind)
        self.connection.write_headers(
            ResponseStartLine("HTTP/1.1", 413, "Payload Too Large"), headers, told
        )
        self.connection.finish()

    def on_connection_close(self) -> None:
        if not self.too_large:
            self.inside.on_connection_close()
