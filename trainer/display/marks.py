"""The sign and the colour of each verdict."""

from trainer.display.palette import paint

MARKS = {
    "untouched": ("·", "dim"),
    "edited": ("…", "yellow"),
    "unfinished": ("…", "yellow"),
    "crashed": ("!", "red"),
    "wrong": ("✗", "red"),
    "correct": ("✓", "green"),
}
# On a page, of the same names.
COLOURS = {name: paint(name) for name in ("dim", "yellow", "red", "green")}
