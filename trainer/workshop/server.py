"""The server of a class board.

It is tornado: JupyterLab's own server is made of it, so it is here already, well kept and pinned,
and a page's events are a handler that goes on writing. A framework would bring more packages than
this has pages. No web socket: pages only listen, what they do is a request, and a browser opens a
stream of events again by itself.
"""

import asyncio
import errno
import logging
from collections.abc import Callable

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, StaticFileHandler

from trainer.course.problem import Problem
from trainer.workshop import to_instructors as inside
from trainer.workshop import to_learners as outside
from trainer.workshop.answers import HEADERS, Answer, Nowhere
from trainer.workshop.bodies import Bounded
from trainer.workshop.live import Live
from trainer.workshop.pages import FOLDER, palette
from trainer.workshop.room import Room
from trainer.workshop.seat.words import LARGEST_BODY


class Colours(Answer):
    """The palette."""

    def get(self) -> None:
        """Give it."""
        self.set_header("Content-Type", "text/css")
        self.finish(palette())


class Files(StaticFileHandler):
    """What lies beside the pages."""

    def set_extra_headers(self, path: str) -> None:
        """Let them be as shut in as pages are."""
        for name, value in HEADERS.items():
            self.set_header(name, value)


def application(room: Room, live: Live, address: str) -> Application:
    """Say what is answered where."""
    known = {"room": room, "live": live}
    places = {
        r"/api/join": outside.Join,
        r"/api/deliver": outside.Deliver,
        r"/api/hand-in": outside.HandIn,
        r"/enter": inside.Enter,
        r"/join": inside.HowToJoin,
        r"/(projector|)": inside.Page,
        r"/live": inside.Stream,
        r"/say": inside.Say,
        r"/helped": inside.TickOff,
        r"/off": inside.TakeOff,
        r"/release": inside.Release,
        r"/class\.csv": inside.Export,
        r"/way-in\.svg": inside.Square,
        r"/palette\.css": Colours,
    }
    handlers = [(place, handler, known) for place, handler in places.items()]
    files = (r"/page/([a-z]+\.(?:js|css|svg))", Files, {"path": str(FOLDER)})
    return Bounded(
        [*handlers, files],
        address=address,
        default_handler_class=Nowhere,
        default_handler_args=known,
        log_function=lambda handler: None,
    )


async def serve(
    room: Room, host: str, port: int, shown: str, ready: Callable[[int], object], end: asyncio.Event
) -> None:
    """Serve a class until it is to end; `ready` hears on which port."""
    # What a stranger's odd request is about is nothing for the instructor's terminal.
    for name in ("tornado.access", "tornado.general", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    sockets = _bound(port, host)
    port = sockets[0].getsockname()[1]
    live = Live(room)
    server = HTTPServer(
        application(room, live, f"{shown}:{port}"),
        max_body_size=LARGEST_BODY,
        max_buffer_size=2 * LARGEST_BODY,
        max_header_size=8 * 1024,
        body_timeout=10,
        idle_connection_timeout=60,
    )
    server.add_sockets(sockets)
    news = asyncio.create_task(live.run())
    ready(port)
    await end.wait()
    news.cancel()
    server.stop()
    await server.close_all_connections()


def _bound(port: int, host: str) -> list:
    try:
        return bind_sockets(port, host)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "something else is there already; --port names another"
        else:
            why = f"{error.strerror}; --address names one that this machine has"
        raise Problem(
            f"Can't serve the class at {host or 'every address'}:{port}: {why}."
        ) from None
