"""Hints in a terminal and in a notebook: prose is wrapped, code is not."""

import io

import pytest
from rich.console import Console

from trainer.display.prose import markdown, say, tell, tell_code

CODE = "rides.filter(" + " & ".join(f'is_in_nyc("lon_{n}", "lat_{n}")' for n in range(5)) + ")"
HINT = f"Two places, so you need\n`is_in_nyc` twice:\n```\n{CODE}\n    more\n```\nThen go on."


def printed(show, width, terminal):
    """Give what a console of this width prints."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=terminal, no_color=True, highlight=False
    )
    show(console)
    return console.file.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("width", [30, 80])
def test_code_in_a_hint_stands_whole_on_its_own_lines(width, terminal):
    """However narrow the terminal, a line of code is a line; the prose around it is wrapped."""
    text = printed(lambda console: tell(HINT, console, title="1."), width, terminal)
    lines = [line.rstrip() for line in text.splitlines()]
    assert f"     {CODE}" in lines and "         more" in lines
    assert lines[0].startswith("1. Two places")
    assert all(len(line) <= width for line in lines if CODE not in line)
    assert "```" not in text


def test_the_items_of_a_list_stand_on_lines_of_their_own():
    """As in a notebook; what comes after the list, too."""
    text = printed(
        lambda console: tell(
            "Mind:\n\n- a START\n  twice;\n- an END.\n\nThat is all.", console, title="2."
        ),
        80,
        False,
    )
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines == ["2. Mind:", "   - a START twice;", "   - an END.", "   That is all."]


def test_code_is_plain_where_nobody_looks():
    """What a pipe gets is the file's text, sign for sign."""
    assert printed(lambda console: tell_code(f"{CODE}\n", console), 80, False) == f"{CODE}\n"


def test_code_in_a_terminal_is_the_same_but_for_colours():
    """Lines end where they end in the file, and no spaces fill them."""
    assert printed(lambda console: tell_code(f"{CODE}\n\n\nx = 1\n", console), 30, True) == (
        f"{CODE}\n\n\nx = 1\n"
    )


def test_a_sentence_is_broken_between_words():
    """Never in the middle of 13:00; and not at all where a program reads."""
    sentence = "Ride 2 started at 12:58 and the hour ends at 13:00."
    for width in range(10, 60):
        text = printed(lambda console: say(sentence, console), width, True)
        assert text.split() == sentence.split()
        assert printed(lambda console: say(sentence, console), width, False) == f"{sentence}\n"


def test_a_notebook_gets_code_as_python():
    """The fence says so."""
    assert markdown(HINT).splitlines()[2:6] == ["```python", CODE, "    more", "```"]
