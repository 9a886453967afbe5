"""`trainer class grade`: what a class handed in is graded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trainer.course.problem import Problem
from trainer.display.prose import say

console = Console(highlight=False)
Also = Annotated[
    list[Path] | None,
    typer.Option(help="a name.taxi.zip that came another way, or a folder of them; repeatable"),
]
Stored = Annotated[
    Path | None, typer.Option("--file", help="the SQLite file of the class, as of `class start`")
]
Out = Annotated[Path, typer.Option("--out", help="where grades and reports go")]


def grade(context: typer.Context, out: Out, also: Also = None, file: Stored = None) -> None:
    """Grade what the class handed in, and say who handed in nothing.

    All other options are those of `trainer grade`.
    """
    folder = collect(file, also or [])
    arguments = ["grade", str(folder), "--out", str(out), *context.args]
    context.find_root().command.main(arguments, prog_name="trainer")


def collect(file: Path | None, also: Sequence[Path]) -> Path:
    """Give the folder of all that was handed in; say who is missing."""
    from trainer.workshop import collected, stored
    from trainer.workshop.opening import FILE

    file = file or FILE
    folder = collected.folder_of(file)
    for place in also:
        collected.add(folder, place)
    count, missing = stored.class_and_missing(file)
    if len(missing) == count and not also:
        raise Problem(f"None of the {count} in the class has handed in anything yet.")
    say(f"{count - len(missing)} of the {count} in the class handed in; in {folder}.", console)
    if missing:
        say(f"Not yet: {', '.join(missing)}.", console)
    if left := stored.left_behind(file):
        say(
            f"Taken off the class, but what they handed in lies there too: {', '.join(left)}.",
            console,
        )
    return folder
