"""What is new goes to the pages that are open, a few times a second, as server-sent events."""

import asyncio
import json
import time
from collections import deque

from trainer.workshop.room import Room
from trainer.workshop.shown import by_name, overall, row

# Often enough to be live, and seldom enough for a flood of checks to be sent together.
TICK = 0.3
# So often even if nothing came: who is stuck is a matter of time as well.
AT_LEAST = 5.0
MOST_KEPT = 50
VIEWS = ("board", "projector")


class Live:
    """The news of a room, numbered; each page takes what it has not seen, at its own pace."""

    def __init__(self, room: Room) -> None:
        """Tell of a room."""
        self.room = room
        self.number = 0
        self._told: deque[tuple[int, dict[str, str]]] = deque(maxlen=MOST_KEPT)
        self._new = asyncio.Event()
        self._stale = True

    def touch(self) -> None:
        """Say that something is new that is no learner's: a line, or what was released."""
        self._stale = True

    async def run(self) -> None:
        """Tell the news, again and again."""
        told = 0.0
        while True:
            await asyncio.sleep(TICK)
            board = self.room.board
            if board.changed or self._stale or time.monotonic() - told > AT_LEAST:
                changed, board.changed = board.changed, set()
                self._stale, told = False, time.monotonic()
                there = board.learners
                self._tell([there[each] for each in sorted(changed) if each in there])

    def _tell(self, changed: list) -> None:
        self.number += 1
        self._told.append((self.number, {view: self._message(view, changed) for view in VIEWS}))
        self._new.set()
        self._new = asyncio.Event()

    def _message(self, view: str, learners: list, *, all_of_them: bool = False) -> str:
        now = time.time()
        told = overall(self.room, now)
        if view == "board":
            told |= by_name(self.room, now)
            told |= {"rows": [row(each) for each in learners], "all": all_of_them}
        return f"data: {json.dumps(told)}\n\n"

    def whole(self, view: str) -> str:
        """Give what a page needs that has seen nothing yet."""
        return self._message(view, [*self.room.board.learners.values()], all_of_them=True)

    async def after(self, number: int, view: str) -> tuple[int, str]:
        """Wait for what comes after a number, and give it with the number it has."""
        while self.number <= number:
            await self._new.wait()
        if self._told[0][0] > number + 1:
            # The page was too slow to follow: it begins again.
            return self.number, self.whole(view)
        new = [messages[view] for at, messages in self._told if at > number]
        return self.number, "".join(new)
