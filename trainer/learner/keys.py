"""Keys as they are pressed, read from a terminal's bytes; arrows and the like are no letters."""

import codecs
import os
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# A terminal sends several signs for a key that is no letter: an arrow, F5, Alt with a letter. What
# has only begun may go on in what is read next.
_NEXT = re.compile(
    r"(?P<sequence>\x1b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b\[O]))"
    r"|(?P<begun>\x1b(?:\[[0-?]*[ -/]*|O)?\Z)"
    r"|(?P<key>[^\x1b])"
    r"|\x1b",
    re.DOTALL,
)


class Keys:
    """The keys of a terminal, of which no buffer holds any back."""

    def __init__(self, descriptor: int) -> None:
        """Read from this file descriptor."""
        self.descriptor = descriptor
        self._decoder, self._begun = codecs.getincrementaldecoder("utf-8")("ignore"), ""

    def pressed(self, seconds: float) -> list[str]:
        """Wait so long for a key; give all that were pressed, in lower case."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            self._begun = ""  # It was no more than the key Esc.
            return []
        return list(self._keys(self._begun + self._decoder.decode(self._read())))

    def _read(self) -> bytes:
        try:
            data = os.read(self.descriptor, 1024)
        except OSError:  # what Linux says of a terminal that is gone
            data = b""
        if not data:
            raise EOFError("The terminal was closed.")
        return data

    def _keys(self, text: str) -> Iterator[str]:
        self._begun = ""
        for part in _NEXT.finditer(text):
            self._begun = part["begun"] or ""
            if part["key"]:
                yield part["key"].lower()


@contextmanager
def one_by_one(descriptor: int) -> Iterator[Keys]:
    """Let a terminal hand on keys as they are pressed, and leave it as it was."""
    # Not on Windows, where this module must load all the same: to say what works there.
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield Keys(descriptor)
    finally:
        with suppress(termios.error):  # It may be gone.
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
