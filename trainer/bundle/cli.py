"""The command line of bundles: `trainer bundle`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trainer.bundle.platforms import PLATFORMS, PYTHONS
from trainer.display.prose import say

console = Console(highlight=False)
Out = Annotated[
    Path, typer.Argument(help="a folder, or an archive if it ends in .zip, .tar, .tar.gz or .tgz")
]
ForPlatforms = Annotated[
    list[str] | None,
    typer.Option("--platform", help=f"one, or several times; {', '.join(PLATFORMS)}; default all"),
]
ForPythons = Annotated[
    list[str] | None,
    typer.Option("--python", help=f"one, or several times; {', '.join(PYTHONS)}; default all"),
]
LEFT_OUT = """\
Left out: Python itself, which is not published where the packages are: each machine needs its own,
  {pythons}. On a Mac put python.org's installer beside the bundle.
Left out: Windows itself, on which Spark's streaming doesn't run (WSL takes the Linux of its
  machine), and what only those who develop the kit need (browser tests, linters).
Left out: the course's history in git. `trainer update` wants a clone, and a network."""
NO_PASSWORD = """\
Left out on macos-x86_64: argon2-cffi, which is not published for it in the pinned version. Only a
  JupyterLab with a password of its own wants it."""


def bundle(out: Out, platform: ForPlatforms = None, python: ForPythons = None) -> None:
    """Make a bundle that sets the course up on machines without a network: for a stick, or a room.

    It holds the kit as committed, all packages with Java and uv among them, and ./install. What
    was downloaded once is kept, so that the next bundle is quick.
    """
    from trainer.bundle.kit import state
    from trainer.bundle.making import make
    from trainer.bundle.platforms import chosen, chosen_pythons
    from trainer.bundle.store import Store

    began = time.monotonic()
    platforms, pythons = chosen(platform or []), chosen_pythons(python or [])
    with console.status("") as status:

        def tell(step: str) -> None:
            status.update(step)
            # Where nobody watches, a line for each step, not for each file.
            if not console.is_terminal and ".whl" not in step:
                say(f"  {step}", console)

        made = make(out, platforms, pythons, Store(), tell)
    took = time.monotonic() - began
    say(
        f"{made.out}: {_megabytes(made.size)}, made in {took:.0f} s. The kit is {state()}.", console
    )
    for name, size in made.sets.items():
        say(f"  {name:<20} {_megabytes(size)} to copy", console)
    say(LEFT_OUT.format(pythons=", ".join(pythons)), console)
    if any(each.name == "macos-x86_64" for each in platforms):
        say(NO_PASSWORD, console)
    say("`./install` in it sets the course up; its README.md says how to hand it out.", console)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
