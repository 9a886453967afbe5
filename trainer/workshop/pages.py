"""The board's pages: templates, and what lies beside them; nothing comes from any other place."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from trainer.display.palette import DARK, LIGHT, declared

FOLDER = Path(__file__).parent / "page"


def fill(name: str, **values: object) -> str:
    """Fill a page's template; all that goes in is escaped."""
    return _environment().get_template(f"{name}.html.jinja").render(values)


@cache
def _environment() -> Environment:
    return Environment(loader=FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True)


def palette() -> str:
    """Write the course's colours as a style sheet: light or dark, as the browser's owner likes."""
    light, dark = declared(LIGHT), declared(DARK)
    return f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
