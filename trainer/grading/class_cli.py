"""`trainer class grade`: what a class handed in is graded."""

from collections import Counter
from collections.abc import Callable, Sequence
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

    All other options are those of `trainer grade`; the exit code is 1 also if a file was left out.
    """
    folder, whole = collect(file, also or [])
    arguments = ["grade", str(folder), "--out", str(out), *context.args]
    command = context.find_root().command
    code = command.main(arguments, prog_name="trainer", standalone_mode=False)
    raise typer.Exit(code or int(not whole))


def collect(file: Path | None, also: Sequence[Path]) -> tuple[Path, bool]:
    """Give the folder of what was handed in, and whether that is all; say who is missing."""
    from trainer.workshop import collected, stored
    from trainer.workshop.opening import FILE

    file = file or FILE
    folder = collected.folder_of(file)
    count, missing = stored.class_and_missing(file)
    odd = [each for place in also for each in collected.add(folder, place)]
    for each in odd:
        say(f"{each}", console)
    otherwise = collected.came_otherwise(folder)
    missing = _still(missing, otherwise, collected.unnumbered)
    if len(missing) == count and not otherwise:
        raise Problem(f"None of the {count} in the class has handed in anything yet.")
    say(f"{count - len(missing)} of the {count} in the class handed in; in {folder}.", console)
    if missing:
        say(f"Not yet: {', '.join(missing)}.", console)
    if left := stored.left_behind(file):
        say(
            f"Taken off the class, but what they handed in lies there too: {', '.join(left)}.",
            console,
        )
    return folder, all(each.taken for each in odd)


def _still(
    missing: Sequence[str], otherwise: Sequence[str], called: Callable[[str], str]
) -> list[str]:
    """Leave out of those who are missing whose file came another way: one for each such file."""
    there, still = Counter(map(str.casefold, otherwise)), []
    for name in missing:
        file = called(name).casefold()
        if not there[file]:
            still.append(name)
        there[file] -= 1
    return still
