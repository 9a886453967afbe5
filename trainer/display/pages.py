"""What notebooks and grades are shown as HTML: templates, and how text and tables go into them."""

from functools import cache

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from trainer.display.palette import DARK, LIGHT, declared, paint
from trainer.display.spans import spans, unstressed
from trainer.display.tables import Grid

CODE = f"background:{paint('soft')};color:{paint('ink')};padding:0 .25em;border-radius:3px"
# Whole pages are light or dark as their reader likes it.
PAGE = (
    f":root{{color-scheme:light dark;{declared(LIGHT)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{declared(DARK)}}}}}"
    f"body{{color:{paint('ink')};background:{paint('paper')}}}a{{color:{paint('blue')}}}"
    f".dim{{color:{paint('dim')}}}"
    f"img{{max-width:100%;filter:{paint('picture')};mix-blend-mode:{paint('blend')}}}"
)


def fill(template: str, **values: object) -> str:
    """Fill a template of `trainer/display/templates/`; all that goes in is escaped."""
    return _environment().get_template(f"{template}.html.jinja").render(values)


@cache
def _environment() -> Environment:
    environment = Environment(loader=PackageLoader("trainer.display"), autoescape=True)
    environment.filters |= {"code": code, "table": table, "unstressed": unstressed}
    environment.globals |= {"paint": paint, "page_style": Markup(PAGE)}
    return environment


def table(grid: Grid) -> Markup:
    """Write a table."""
    return Markup(fill("grid", grid=grid))


def code(text: str) -> Markup:
    """Show `what stands in backticks` as code and *what stands in stars* as stressed."""
    return Markup("").join(_span(piece, kind) for piece, kind in spans(text))


def _span(piece: str, kind: str) -> Markup:
    if kind == "code":
        return Markup(f"<code style='{CODE}'>{escape(piece[1:-1])}</code>")
    return Markup("<em>{}</em>").format(piece) if kind else escape(piece)
