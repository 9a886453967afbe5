"""The colours of everything that is HTML: a palette for light pages, and one for dark ones.

A piece of HTML says `paint("ink")`, and the page around it says what ink is there: JupyterLab's
theme in `trainer lab`, a reader's own taste on a page of grades. Where nobody says, it is light.
"""

LIGHT = {
    "ink": "#1d2433",
    "dim": "#59606e",
    "paper": "#ffffff",
    "soft": "#f0f2f6",
    "line": "#d4d8e0",
    "idea": "#fff6df",
    "differs": "#ffded9",
    "news": "#dfeafa",
    "red": "#b3261e",
    "orange": "#a84300",
    "yellow": "#7d5700",
    "green": "#1f6b52",
    "blue": "#2b5c91",
    "purple": "#6f4589",
    # What is done to a picture that was drawn on white, and how it meets the page behind it.
    "picture": "none",
    "blend": "normal",
}
DARK = {
    "ink": "#e6e8ee",
    "dim": "#aab1be",
    "paper": "#1e2127",
    "soft": "#33373f",
    "line": "#4a505b",
    "idea": "#3b3420",
    "differs": "#5c2a26",
    "news": "#22384f",
    "red": "#ff9a91",
    "orange": "#ffae70",
    "yellow": "#f0c766",
    "green": "#7fd1b0",
    "blue": "#94c1f2",
    "purple": "#d3aeea",
    # White turns black, which adds nothing to what is behind it; colours stay what they were.
    "picture": "invert(1) hue-rotate(180deg)",
    "blend": "screen",
}


def paint(name: str) -> str:
    """Name a colour of the palette, as a style says it."""
    return f"var(--trainer-{name},{LIGHT[name]})"


def declared(palette: dict[str, str]) -> str:
    """Write a palette as the declarations of a style sheet."""
    return "".join(f"--trainer-{name}:{value};" for name, value in palette.items())
