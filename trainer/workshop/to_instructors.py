"""What the instructor's browser asks of the board: pages, what is live on them, and what to do."""

import asyncio
import io

import segno
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError

from trainer.workshop import course_words
from trainer.workshop.answers import COOKIE, Answer, same
from trainer.workshop.export import table
from trainer.workshop.live import VIEWS
from trainer.workshop.pages import fill
from trainer.workshop.seat.words import LONGEST_LINE, clean


class Inside(Answer):
    """What only the instructor may see."""

    def prepare(self) -> None:
        """Ask for the code whoever hasn't given it."""
        instructs = same(self.get_cookie(COOKIE), self.room.ledger.meta("session"))
        if not instructs and not (self.for_the_wall() and self._joins()):
            if self.request.method == "GET" and "html" in self.request.headers.get("Accept", ""):
                self.redirect("/enter")
                return
            raise HTTPError(403, reason="The instructor's code is asked for at /enter.")

    def for_the_wall(self) -> bool:
        """Tell whether nobody is named here: the code that joins, which stands there, is enough."""
        return False

    def _joins(self) -> bool:
        code = self.get_query_argument("code", "")
        if code:
            self.slow_down(self.room.guesses.due(self.request.remote_ip))
        return bool(code) and self.joins(code.strip().upper())

    def of_learner(self) -> int:
        """Read the number of a learner."""
        number = self.given("number").get("number")
        if type(number) is not int or number not in self.room.board.learners:
            raise HTTPError(404, reason="No such learner.")
        return number


class Enter(Answer):
    """The instructor's door."""

    def get(self) -> None:
        """Ask for the code."""
        self.finish(fill("enter"))

    def post(self) -> None:
        """Let in who knows it."""
        code = self.given("code").get("code")
        code = code.strip().upper() if isinstance(code, str) else code
        if not same(code, self.room.ledger.meta("instructor")):
            # The right one counts at any time: it is too long to be found by trying, and whoever
            # sends wrong ones must lock nobody out.
            self.slow_down(self.room.instructing.wait(self.request.remote_ip))
            raise HTTPError(403, reason="That is not the instructor's code.")
        # Not sent along from any other page, and out of reach of scripts.
        session = self.room.ledger.meta("session")
        self.set_cookie(COOKIE, session, httponly=True, samesite="Strict", expires_days=2)
        self.finish({})


class Page(Inside):
    """The board, or the view of it for the wall."""

    def for_the_wall(self) -> bool:
        """Tell the view without names."""
        return "projector" in self.path_args

    def get(self, view: str) -> None:
        """Give the page; what is on it comes by itself."""
        view = view or "board"
        self.finish(
            fill(
                view,
                address=self.settings["address"],
                code=self.room.ledger.meta("code"),
                chapters=course_words.chapters(),
                plan=self.room.plan,
                most=LONGEST_LINE,
            )
        )


class Stream(Inside):
    """What is live."""

    def for_the_wall(self) -> bool:
        """Tell the view without names."""
        return self.get_query_argument("view", "") == "projector"

    async def get(self) -> None:
        """Give all that there is, then what is new, until the page is closed."""
        view = self.get_query_argument("view", "")
        if view not in VIEWS:
            raise HTTPError(404)
        self.set_header("Content-Type", "text/event-stream")
        number = self.live.number
        self.write(self.live.whole(view))
        try:
            await self.flush()
            while not self.gone.is_set():
                number, told = await self.live.after(number, view)
                self.write(told)
                # A page that is slow to read is waited for, and alone.
                await self.flush()
        except StreamClosedError:
            return

    def initialize(self, **given: object) -> None:
        """Know when the page is closed."""
        super().initialize(**given)
        self.gone = asyncio.Event()

    def on_connection_close(self) -> None:
        """Let go of a page that is closed."""
        self.gone.set()


class Say(Inside):
    """A line to everybody."""

    async def post(self) -> None:
        """Tell it."""
        text = clean(self.given("text").get("text"), LONGEST_LINE)
        if not text:
            raise HTTPError(400, reason="There is nothing to say.")
        await self.room.say(text)
        self.live.touch()
        self.finish({})


class TickOff(Inside):
    """Help that was given."""

    async def post(self) -> None:
        """Note it."""
        await self.room.tick_off(self.of_learner())
        self.finish({})


class TakeOff(Inside):
    """A learner who is no part of the class."""

    async def post(self) -> None:
        """Take them off it, and say what of theirs stays."""
        self.finish({"left": await self.room.take_off(self.of_learner())})


class Release(Inside):
    """Hints or a solution, for the class."""

    async def post(self) -> None:
        """Open them."""
        given = self.given("kind", "exercise")
        kind, exercise = given.get("kind"), given.get("exercise")
        if kind not in ("hints", "solution") or exercise not in course_words.known():
            raise HTTPError(404, reason="No such exercise.")
        await self.room.release(kind, exercise)
        self.live.touch()
        self.finish({})


class Export(Inside):
    """All checks, as a table for a spreadsheet."""

    def get(self) -> None:
        """Give it."""
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.set_header("Content-Disposition", 'attachment; filename="class.csv"')
        self.finish(table(self.room.board))


class Square(Inside):
    """The way in, for the camera of a phone."""

    def for_the_wall(self) -> bool:
        """Say nothing but that code."""
        return True

    def get(self) -> None:
        """Draw it, dark on light whatever the page's colours: not every camera can do otherwise."""
        drawn = io.BytesIO()
        where = f"http://{self.settings['address']}/join#{self.room.ledger.meta('code')}"
        segno.make(where, error="m").save(drawn, kind="svg", scale=6, border=3, light="#fff")
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(drawn.getvalue())


class HowToJoin(Answer):
    """What to type, for whoever came by the square."""

    def get(self) -> None:
        """Say it; the code stands behind the address's #, and is not known to this page."""
        self.finish(fill("join", address=self.settings["address"]))
