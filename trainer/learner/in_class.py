"""What each command does besides for who joined a class: deliver what waits, tell what is new."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trainer.workshop.seat.courier import settle
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER, membership


@contextmanager
def in_class(tell: Callable[[str], object], folder: Path = FOLDER) -> Iterator[None]:
    """Let something be done, however it ends, and then deliver and tell, line by line."""
    try:
        yield
    finally:
        # Neither a full disk nor impatience is about what was done.
        with suppress(OSError, KeyboardInterrupt):
            settle(folder)
            for line in Letters(folder).news() if membership(folder) else ():
                tell(line)
