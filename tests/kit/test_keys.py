"""Keys on a real terminal: each counts at once, and only letters are letters."""

import contextlib
import os
import pty
import termios
import time
from collections.abc import Iterator

import pytest

from trainer.learner.keys import Keys, one_by_one

PATIENCE = 10


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A terminal: the end where keys are pressed, and the end where they are read."""
    ends = pty.openpty()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


@pytest.fixture
def keys(terminal) -> Iterator[Keys]:
    """The keys of that terminal."""
    with one_by_one(terminal[1]) as keys:
        yield keys


@pytest.fixture
def press(terminal):
    """Press keys, by what a terminal sends for them."""
    return lambda text: os.write(terminal[0], text.encode())


def test_keys_pressed_at_once_are_all_there(keys, press):
    """The second doesn't wait for a third."""
    press("hn")
    assert keys.pressed(PATIENCE) == ["h", "n"]


def test_a_capital_is_the_same_key(keys, press):
    """Whoever has Caps Lock on can quit, too."""
    press("Q")
    assert keys.pressed(PATIENCE) == ["q"]


@pytest.mark.parametrize(
    "sent",
    ["\x1b[A", "\x1bOA", "\x1b[H", "\x1b[1;5C", "\x1b[15~", "\x1b[[C", "\x1bh", "\x1b\x1b[C"],
    ids=[
        "up",
        "up for programs",
        "home",
        "ctrl right",
        "F5",
        "F3 on a console",
        "alt h",
        "alt right",
    ],
)
def test_a_key_that_is_no_letter_is_passed_over(keys, press, sent):
    """None of the signs that stand for it is taken for a key; those around it are keys."""
    press(f"n{sent}l")
    assert keys.pressed(PATIENCE) == ["n", "l"]


def test_an_arrow_that_comes_in_pieces_is_passed_over(keys, press):
    """On a slow line its signs are read one after the other."""
    for piece in ("\x1b", "[", "1;5", "C"):
        press(piece)
        assert keys.pressed(PATIENCE) == []
    press("c")
    assert keys.pressed(PATIENCE) == ["c"]


def test_escape_by_itself_keeps_no_later_key_back(keys, press):
    """Once nothing has followed it, the next key is one of its own."""
    press("\x1b")
    assert keys.pressed(PATIENCE) == []
    assert keys.pressed(0) == []
    press("h")
    assert keys.pressed(PATIENCE) == ["h"]


def test_a_sign_of_several_bytes_is_one_key(keys, terminal):
    """Even if its bytes come one by one; a byte that is none is nothing."""
    for byte, expected in ((b"\xc3", []), (b"\xb1h", ["ñ", "h"]), (b"\xff", []), (b"n", ["n"])):
        os.write(terminal[0], byte)
        assert keys.pressed(PATIENCE) == expected


def test_where_no_key_is_pressed_it_waits_no_longer_than_it_may(keys):
    """A moment later it can look at the files."""
    began = time.monotonic()
    assert keys.pressed(0.1) == []
    assert 0.1 <= time.monotonic() - began < PATIENCE


def test_a_terminal_that_is_closed_is_told_from_one_that_is_silent(keys, terminal):
    """Else one would ask it again and again, without a pause, for ever."""
    os.close(terminal[0])
    with pytest.raises(EOFError):
        keys.pressed(PATIENCE)


def test_the_terminal_is_left_as_it_was(terminal):
    """Whatever happens in between."""
    before = termios.tcgetattr(terminal[1])
    with pytest.raises(KeyError), one_by_one(terminal[1]):
        assert termios.tcgetattr(terminal[1]) != before
        raise KeyError
    assert termios.tcgetattr(terminal[1]) == before
