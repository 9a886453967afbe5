"""A class board, opened in the instructor's terminal."""

import asyncio
import signal
from pathlib import Path

from rich.console import Console
from rich.text import Text

from trainer.course import safe_file
from trainer.display.prose import say
from trainer.workshop import plan
from trainer.workshop.addresses import addresses, others, shown
from trainer.workshop.room import Room, opened
from trainer.workshop.seat.membership import FOLDER
from trainer.workshop.server import serve

FILE = FOLDER / "board.sqlite"


def open_board(file: Path, host: str, port: int, planned: Path | None, console: Console) -> None:
    """Serve the class's page until it is stopped."""
    parts = plan.read(planned) if planned else []
    if file == FILE:
        safe_file.make_folder(file.parent, 0o700)
    room = opened(file, parts)
    try:
        asyncio.run(_until_told_to_end(room, host, port, console))
    finally:
        room.ledger.close()
    say(f"Stopped. The class is kept in {file}; `trainer class start` goes on with it.", console)


async def _until_told_to_end(room: Room, host: str, port: int, console: Console) -> None:
    end, address = asyncio.Event(), shown(host)
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, end.set)
    await serve(room, host, port, address, lambda port: tell(room, host, port, console), end)


def tell(room: Room, host: str, port: int, console: Console) -> None:
    """Say where the page is, and what learners type."""
    address = shown(host)
    code, mine = room.ledger.meta("code"), room.ledger.meta("instructor")
    own = "127.0.0.1" if address in ("127.0.0.1", *addresses()) else address
    typed = f"uv run trainer class join {address}:{port} {code} --name NAME"
    lines = (
        ("Your page", f"http://{own}:{port}/enter#{mine}"),
        ("To project", f"http://{own}:{port}/projector?code={code}"),
        ("They type", typed),
        ("Your code", f"{mine}  (for you alone: who has it sees names, and speaks to all)"),
        ("Other addresses", ", ".join(others(host))),
    )
    for name, text in lines:
        if text:
            say(Text.assemble((f"{name:<16}", "bold"), text), console)
    say(Text("Names and verdicts cross the room's network as plain text.", "dim"), console)
    say("Ctrl-C stops it; what is known of the class stays.", console)
