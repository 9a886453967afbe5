"""What notebooks and grades are shown as HTML: templates, and how text and tables go into them."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from trainer.display.tables import Grid

# A notebook in a dark theme would give it the theme's colours.
CODE = "background:#eee;color:#222;padding:0 .25em;border-radius:3px"


def fill(template: str, **values: object) -> str:
    """Fill a template of `trainer/display/templates/`; all that goes in is escaped."""
    return _environment().get_template(f"{template}.html.jinja").render(values)


@cache
def _environment() -> Environment:
    environment = Environment(loader=PackageLoader("trainer.display"), autoescape=True)
    environment.filters |= {"code": code, "table": table}
    return environment


def table(grid: Grid) -> Markup:
    """Write a table."""
    return Markup(fill("grid", grid=grid))


def code(text: str) -> Markup:
    """Show `what stands in backticks` as code and *what stands in stars* as stressed."""
    text = re.sub(r"`([^`]+)`", rf"<code style='{CODE}'>\1</code>", str(escape(text)))
    return Markup(re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", text))
