"""A chapter's slides as one page of HTML, with all that it needs in it."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from trainer.course import safe_file
from trainer.course.clone import lessons
from trainer.course.problem import Problem
from trainer.display.palette import DARK, LIGHT, declared
from trainer.slides.cells import sections
from trainer.slides.packing import Slide, laid_out

PAGE = Path(__file__).parent / "page"


def write(chapter: str, folder: Path) -> Iterator[tuple[Path, int]]:
    """Write a chapter's slides into a folder, or those of all; give each page, and how many."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for notebook in notebooks(chapter):
            slides = read(notebook)
            file = folder / f"{notebook.stem}.html"
            safe_file.write(file, deck(slides))
            yield file, len(slides)
    except OSError as error:
        raise Problem(f"Slides can't be written into {folder} ({error.strerror}).") from None


def notebooks(chapter: str) -> list[Path]:
    """Find a chapter's notebook by its number, 5, 05 or ch05; or those of all."""
    found = lessons()
    number = chapter.removeprefix("ch").zfill(2)
    chosen = [path for path in found if chapter == "all" or path.stem[:2] == number]
    if not chosen:
        last = int(found[-1].stem[:2]) if found else 0
        raise Problem(f"No chapter {chapter!r}: they are 0 to {last}, as in `trainer slides 5`.")
    return chosen


def read(notebook: Path) -> list[Slide]:
    """Read the slides of a notebook."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))
        return [slide for section in sections(cells) for slide in laid_out(section)]
    except (ValueError, KeyError, TypeError, SyntaxError) as error:
        raise Problem(f"{notebook.name} is no notebook that can be read ({error}).") from None


def deck(slides: list[Slide]) -> str:
    """Write slides as a page."""
    return (
        _environment()
        .get_template("deck.html.jinja")
        .render(
            title=slides[0].title,
            slides=slides,
            style=Markup((PAGE / "deck.css").read_text(encoding="utf-8")),
            script=Markup((PAGE / "deck.js").read_text(encoding="utf-8")),
            light=Markup(declared(LIGHT)),
            dark=Markup(declared(DARK)),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader("trainer.slides", "page"), autoescape=True)
