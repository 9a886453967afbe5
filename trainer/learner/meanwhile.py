"""Keys that are pressed while something else is under way: heard at once, done afterwards."""

import threading
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress

from trainer.learner.keys import Keys

TICK = 0.1


@contextmanager
def heard(keys: Keys, known: Container[str], tell: Callable[[str], None]) -> Iterator[list[str]]:
    """Listen for known keys; tell of each at once, and give the last: what counts afterwards."""
    last: list[str] = []
    done = threading.Event()

    def listen() -> None:
        # Of a terminal that is gone hears whoever asks next.
        with suppress(EOFError):
            while not done.is_set():
                for key in filter(known.__contains__, keys.pressed(TICK)):
                    if [key] != last:
                        tell(key)
                    last[:] = [key]

    listener = threading.Thread(target=listen, daemon=True, name="keys")
    listener.start()
    try:
        yield last
    finally:
        done.set()
        listener.join()
