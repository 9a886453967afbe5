"""How long until the instructor sees a check, with a large class and the page open three times?

uv run python -m bench.class_board
uv run python -m bench.class_board --seconds 60 --learners 300 --every 20 --kill

Each learner has an address of their own and a connection for each check, as learners' machines do.
Seen is an update when a real browser, Chromium, has drawn it. What the server acknowledged is
looked for in its file at the end; `--kill` kills it by SIGKILL halfway, and starts it again.
"""

import argparse
import asyncio
import contextlib
import json
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from playwright.async_api import Page, async_playwright
from rich.console import Console
from rich.table import Table

from trainer.course.exercise import exercises
from trainer.workshop.seat.courier import EVERY

PAGES = 3
OUTCOMES = (("wrong", "test_a_rule", "an_idea"), ("crashed", None, None), ("correct", None, None))
STEMS = [each.stem for each in exercises()]
# Notes when a page has drawn which check: each row that is put into the table is looked at.
WATCH = """() => {
  window.seen = {};
  new MutationObserver((changes) => {
    const now = Date.now() / 1000;
    for (const { addedNodes } of changes) for (const row of addedNodes) {
      const name = row.querySelector("th").title;
      row.querySelectorAll("td").forEach((cell, at) => {
        const checks = /, (\\d+) checks?\\./.exec(cell.title);
        if (checks) window.seen[`${name} ${at} ${checks[1]}`] ??= now;
      });
    }
  }).observe(document.getElementById("learners"), { childList: true });
}"""


@dataclass
class Learner:
    """Somebody who checks again and again, and sends again what was not acknowledged."""

    number: int
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    checks: dict[int, int] = field(default_factory=dict)
    waiting: list[dict] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As the page has it."""
        return f"Learner {self.number:03}"

    @property
    def address(self) -> str:
        """One of this machine's own addresses."""
        return f"127.1.{self.number // 250}.{self.number % 250 + 1}"


@dataclass
class Measured:
    """What was sent, when, and what became of it."""

    sent: dict[str, float] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)
    answered: list[float] = field(default_factory=list)


async def post(port: int, learner: Learner, path: str, body: dict) -> tuple[int, dict]:
    """Post something from a learner's address, by a connection of its own."""
    local = (learner.address, 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
    try:
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
            f"Authorization: Bearer {learner.token}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        answer = await reader.read()
    finally:
        writer.close()
    head, _, text = answer.partition(b"\r\n\r\n")
    if not head:
        raise ConnectionError("no answer")
    return int(head.split()[1]), json.loads(text)


async def check(port: int, learner: Learner, measured: Measured) -> None:
    """Let one check come out, and deliver it with whatever else waits."""
    at = random.randrange(min(6, len(STEMS)))
    learner.checks[at] = learner.checks.get(at, 0) + 1
    verdict, rule, idea = random.choice(OUTCOMES)
    told = {"exercise": STEMS[at], "verdict": verdict, "rule": rule, "idea": idea}
    told = {name: value for name, value in told.items() if value}
    name, began = uuid.uuid4().hex, time.time()
    measured.sent[f"{learner.name} {at} {learner.checks[at]}"] = began
    learner.waiting.append({"id": name, "kind": "check", "age": 0, **told})
    await deliver(port, learner, measured)
    measured.answered.append(time.time() - began)


async def deliver(port: int, learner: Learner, measured: Measured) -> None:
    """Send what waits; what is refused or unanswered waits on."""
    body = {"events": learner.waiting[:50], "after": 0}
    with contextlib.suppress(OSError, ValueError, IndexError):
        status, answer = await post(port, learner, "/api/deliver", body)
        if status == 200:
            taken = {*answer["taken"]}
            measured.acknowledged |= taken
            learner.waiting = [each for each in learner.waiting if each["id"] not in taken]


async def learn(port: int, learner: Learner, measured: Measured, every: float, end: float) -> None:
    """Check again and again."""
    await asyncio.sleep(random.random() * every)
    while time.time() < end:
        await check(port, learner, measured)
        again = time.time() + every * random.uniform(0.8, 1.2)
        while time.time() < again:
            await asyncio.sleep(min(EVERY, max(0, again - time.time())))
            if learner.waiting:
                await deliver(port, learner, measured)


class Server:
    """The board, in a process of its own, as `trainer class start` serves it."""

    def __init__(self, folder: Path) -> None:
        """Keep its file in a folder."""
        self.file, self.port = folder / "board.sqlite", 0
        self.spent = 0.0

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        command = [sys.executable, "-m", "trainer.cli", "class", "start", "--file", str(self.file)]
        command += ["--address", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = [next(self.process.stdout) for _ in range(4)]
        found = re.search(r":(\d+)/enter#(\S+)", lines[0])
        self.port, self.instructor = int(found[1]), found[2]
        self.code = re.search(r"join \S+ (\S+)", " ".join(lines))[1]

    def end(self, by: signal.Signals) -> None:
        """End it, by force or not, and add up what it cost."""
        times = psutil.Process(self.process.pid).cpu_times()
        self.spent += times.user + times.system
        self.process.send_signal(by)
        self.process.wait()

    def kept(self) -> list[str]:
        """Give the events in its file."""
        with contextlib.closing(sqlite3.connect(self.file)) as stored:
            return [name for (name,) in stored.execute("SELECT id FROM events")]


@contextlib.contextmanager
def board() -> Iterator[Server]:
    """Serve a board."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.process.kill()
            server.process.wait()


async def opened(browser: object, server: Server) -> Page:
    """Open the instructor's page in a browser of its own."""
    page = await (await browser.new_context()).new_page()
    await page.goto(f"http://127.0.0.1:{server.port}/enter#{server.instructor}")
    await page.get_by_text("live").wait_for()
    await page.evaluate(WATCH)
    return page


async def measure(server: Server, arguments: argparse.Namespace) -> dict:
    """Let a class check for a while; give what the table shows."""
    learners = [Learner(number) for number in range(arguments.learners)]
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    async with async_playwright() as playwright:
        started = [
            await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for _ in range(PAGES)
        ]
        pages = [await opened(each, server) for each in started]
        for learner in learners:
            body = {"code": server.code, "name": learner.name, "token": learner.token}
            status, answer = await post(server.port, learner, "/api/join", body)
            assert status == 200, answer
        measured, end = Measured(), time.time() + arguments.seconds
        work = [learn(server.port, each, measured, arguments.every, end) for each in learners]
        killing = [kill(server, arguments.seconds / 2)] if arguments.kill else []
        await asyncio.gather(*work, *killing)
        for learner in learners:
            while learner.waiting:
                await deliver(server.port, learner, measured)
        await asyncio.sleep(3)
        seen = [await page.evaluate("window.seen") for page in pages]
        for each in started:
            await each.close()
    server.end(signal.SIGTERM)
    return summed(measured, seen, server, arguments)


async def kill(server: Server, after: float) -> None:
    """Kill the server in the middle, and start it again."""
    await asyncio.sleep(after)
    server.end(signal.SIGKILL)
    await asyncio.to_thread(server.start)


def summed(
    measured: Measured, seen: Sequence[dict], server: Server, arguments: argparse.Namespace
) -> dict:
    """Sum up what was measured."""
    kept = server.kept()
    # A row shows its newest check: of two that were drawn together only the last is seen.
    delays = [
        at - measured.sent[check]
        for page in seen
        for check, at in page.items()
        if check in measured.sent
    ]
    return {
        "learners": arguments.learners,
        "checks": len(measured.sent),
        "acknowledged": len(measured.acknowledged),
        "acknowledged and lost": len(measured.acknowledged - {*kept}),
        "kept twice": len(kept) - len({*kept}),
        "drawn, in three pages": len(delays),
        "answered, median": told(statistics.median(measured.answered)),
        "answered, 99th percentile": told(percentile(measured.answered)),
        "seen, median": told(statistics.median(delays)),
        "seen, 99th percentile": told(percentile(delays)),
        "seen, the last": told(max(delays)),
        "server, share of a core": f"{server.spent / arguments.seconds:.0%}",
    }


def percentile(values: Sequence[float], share: float = 0.99) -> float:
    """Give what so large a share of the values stays below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def told(seconds: float) -> str:
    """Write a time."""
    return f"{seconds * 1000:.0f} ms"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=300)
    parser.add_argument("--every", type=float, default=20, help="seconds between checks of one")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kill", action="store_true", help="kill the server halfway")
    arguments = parser.parse_args()
    with board() as server:
        found = asyncio.run(measure(server, arguments))
    table = Table("what", "measured", title="class board")
    for name, value in found.items():
        table.add_row(name, str(value))
    Console().print(table)


if __name__ == "__main__":
    main()
