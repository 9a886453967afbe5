"""Colours that can be read: on light pages, and on dark ones."""

import itertools

import pytest

from datagen import style
from trainer.display.palette import DARK, LIGHT, declared, paint

MARKS = ["INK", "GREY", "BLUE", "ORANGE", "GREEN", "PURPLE", "GOLD"]
MARKS += ["STEEL", "LEAF", "PLUM", "BRICK", "AMBER"]
TEXT = ("ink", "dim", "red", "orange", "yellow", "green", "blue", "purple")
BEHIND = ("paper", "soft", "idea", "differs", "news")


def luminance(colour: str) -> float:
    """How bright a colour is, as the WCAG counts it."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(share * each for share, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    darker, brighter = sorted(map(luminance, (one, other)))
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "behind"), list(itertools.product(TEXT, BEHIND)))
def test_text_stands_out(palette, text, behind):
    """At 4.5 to 1 or more, on every ground that text stands on."""
    assert contrast(palette[text], palette[behind]) >= 4.5


@pytest.mark.parametrize("name", MARKS)
def test_marks_in_pictures_stand_out(name):
    """At 3 to 1 or more, from white and from the stripes behind them."""
    assert min(contrast(getattr(style, name), ground) for ground in ("#ffffff", style.PAPER)) >= 3


def test_both_palettes_have_the_same_colours():
    """What is painted on a light page has a colour on a dark one."""
    assert LIGHT.keys() == DARK.keys()


def test_a_painted_colour_can_be_declared_by_the_page():
    """And is the light one where no page declares it."""
    assert paint("ink") == f"var(--trainer-ink,{LIGHT['ink']})"
    assert f"--trainer-ink:{DARK['ink']};" in declared(DARK)
