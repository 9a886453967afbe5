"""The sign and the colour of each verdict."""

MARKS = {
    "untouched": ("·", "dim"),
    "edited": ("…", "yellow"),
    "unfinished": ("…", "yellow"),
    "crashed": ("!", "red"),
    "wrong": ("✗", "red"),
    "correct": ("✓", "green"),
}
# On a page, of the same names.
COLOURS = {"dim": "#666", "yellow": "#b8860b", "red": "#c0392b", "green": "#2a7f62"}
