"""Watches the stubs: whoever saves one sees within seconds what is right and what is not."""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from trainer.course.exercise import Exercise, exercises
from trainer.course.problem import Problem
from trainer.display.prose import say, tell
from trainer.learner import overview
from trainer.learner.hints import next_hint
from trainer.learner.in_terminal import check_one, tell_lines
from trainer.learner.keys import Keys, one_by_one
from trainer.learner.meanwhile import heard
from trainer.learner.progress import Progress
from trainer.spark.session import session
from trainer.workshop.seat import reporting

WORDS = {"h": "[h]int", "n": "[n]ext", "l": "[l]ist", "c": "[c]heck again", "q": "[q]uit"}
KEYS = "  ".join(WORDS.values())
TICK = 0.2


class Watch:
    """One warm session, the stubs as they were last seen, and the exercise at hand."""

    def __init__(self, console: Console, progress: Progress, only: Exercise | None = None) -> None:
        """Begin at the exercise last worked on, or, if that is solved, at the next; or at one."""
        self.console, self.progress = console, progress
        self.watched = [only] if only else exercises()
        self.seen = look()
        self.keys: Keys | None = None
        self.waiting: list[str] = []
        self.exercise = only or overview.at_hand(progress) or exercises()[0]

    def run(self) -> None:
        """Watch until the learner quits."""
        with self.console.status("starting Spark …"):
            session()
        self.tell(self.exercise)
        self.prompt()
        reporting.begun()
        with one_by_one(sys.stdin.fileno()) as self.keys:
            while self.obey(self.pressed()):
                for exercise in self.saved():
                    self.exercise = exercise
                    self.check()
                    self.prompt()
                if tell_lines(self.console):
                    self.prompt()

    def pressed(self) -> list[str]:
        """Give the keys that were pressed; first of all the last one during a check."""
        waiting, self.waiting = self.waiting, []
        return waiting or self.keys.pressed(TICK)

    def obey(self, keys: Iterable[str]) -> bool:
        """Do what each key asks for; False if one says that it is enough."""
        for key in keys:
            if key == "q":
                return False
            if action := self.actions.get(key):
                action()
                self.prompt()
        return True

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What the keys do."""
        return {"h": self.hint, "n": self.show_next, "l": self.list, "c": self.check}

    def saved(self) -> list[Exercise]:
        """Give the exercises whose stub was saved, once the files have come to rest."""
        before, now = self.seen, look()
        while now != before and now != self.seen:
            self.seen = now
            time.sleep(TICK)
            now = look()
        return [each for each in self.watched if now[each] != before[each]]

    def check(self) -> None:
        """Check the exercise at hand."""
        self.console.rule(self.exercise.stem, style="dim")
        with heard(self.keys, WORDS, self.put_off) as last:
            check_one(self.exercise, self.progress, self.console)
        self.waiting = last or self.waiting

    def put_off(self, key: str) -> None:
        """Say that a key was heard during a check, and counts unless another one follows."""
        say(Text(f"{WORDS[key]}: as soon as this check is done", "dim"), self.console)

    def hint(self) -> None:
        """Give the next hint for the exercise at hand."""
        before = self.progress.of(self.exercise.stem).hints
        read, left = next_hint(self.exercise, self.progress)
        # One, or what is new where a class may read them all.
        for number in range(min(before, len(read) - 1), len(read)):
            tell(read[number], self.console, title=f"Hint {number + 1}:")
        say(f"({left} left)", self.console)

    def show_next(self) -> None:
        """Go on to the next exercise that is not solved."""
        following = overview.next_exercise(self.progress, self.exercise)
        self.tell(following)
        self.exercise = following or self.exercise
        # Whoever goes on from the one exercise that was asked for wants to be told of the next.
        self.watched = [*self.watched, self.exercise]

    def tell(self, exercise: Exercise | None) -> None:
        """Say what an exercise is about, and where it is."""
        overview.tell_next(exercise, self.progress, self.console)

    def list(self) -> None:
        """Show how far one has come."""
        self.console.print(overview.table(self.progress, self.console.width))

    def prompt(self) -> None:
        """Say what the keys do."""
        say(Text(KEYS, "dim"), self.console)


def look() -> dict[Exercise, tuple[int, int] | None]:
    """Note when each stub was last written, and its size; None for one that is gone."""
    return {exercise: _stamp(exercise.stub) for exercise in exercises()}


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size


def watch(console: Console, progress: Progress, only: Exercise | None = None) -> None:
    """Watch the stubs in this terminal, or one of them."""
    if not sys.stdin.isatty():
        raise Problem(
            "`trainer watch` wants a terminal, to read keys; here, use `trainer check EXERCISE`."
        )
    try:
        Watch(console, progress, only).run()
    except KeyboardInterrupt:
        console.print()
    except EOFError:
        pass  # Nobody is there any more to press a key, or to read.
