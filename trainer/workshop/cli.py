"""The command line of a class: `trainer class`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trainer.course.exercise import find
from trainer.display.prose import say
from trainer.workshop.seat.words import PORT

app = typer.Typer(
    no_args_is_help=False,
    invoke_without_command=True,
    help="A class: the instructor's live page, and joining it. Alone, says which class you are in.",
)
console = Console(highlight=False)
StoredIn = Annotated[
    Path | None,
    typer.Option(
        "--file", help="the SQLite file of the class; by default one in this kit's .class/"
    ),
]


@app.callback()
def class_(context: typer.Context) -> None:
    """A class: the instructor's live page, and joining it. Alone, says which class you are in."""
    if context.invoked_subcommand is None:
        from trainer.workshop.seat.courier import settle
        from trainer.workshop.seat.joining import told_of_the_class

        settle()
        say(told_of_the_class(), console)


@app.command()
def start(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free")] = PORT,
    address: Annotated[
        str, typer.Option(help="serve at this address of this machine alone; by default, at all")
    ] = "0.0.0.0",
    file: StoredIn = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            help="the plan of the day: one of the guide, as one-day, or lines as `09:30 Watermarks`"
        ),
    ] = None,
) -> None:
    """Serve the page of a class on this machine, the instructor's: who is where, live.

    It also says who has handed in; who joined by mistake is taken off the class there.
    What is stored lies in one file; started again, the class goes on where it was.
    """
    from trainer.workshop.opening import FILE, open_board

    open_board(file or FILE, address, port, plan, console)


@app.command()
def join(
    address: Annotated[str, typer.Argument(help="as the screen shows it: 192.168.1.20:8765")],
    code: Annotated[str, typer.Argument(help="as the screen shows it")],
    name: Annotated[str, typer.Option(help="by which the instructor knows you")],
) -> None:
    """Join a class, once: from then on the instructor sees what comes out of your checks.

    Told are exercise, verdict, the rule that failed, the idea behind it, and when; never your code.
    """
    from trainer.workshop.seat.joining import join, welcome

    say(welcome(join(address, code, name), name), console)


@app.command("help")
def help_(
    name: Annotated[
        str | None, typer.Argument(metavar="[EXERCISE]", help="what it is about")
    ] = None,
    fine: Annotated[bool, typer.Option("--fine", help="you got on by yourself")] = False,
) -> None:
    """Ask the instructor over; --fine takes it back."""
    from trainer.workshop.seat.joining import help_told

    say(help_told(find(name).stem if name else None, fine=fine), console)


@app.command()
def leave() -> None:
    """Leave the class: from now on nothing is told to it."""
    from trainer.workshop.seat.joining import leave

    say(f"You have left the class at {leave().address}.", console)


@app.command()
def export(
    out: Annotated[Path | None, typer.Option(help="by default, the screen")] = None,
    file: StoredIn = None,
) -> None:
    """Write all checks of the class as CSV."""
    from trainer.workshop.opening import FILE
    from trainer.workshop.stored import exported

    text = exported(file or FILE)
    out.write_text(text, encoding="utf-8") if out else print(text, end="")


@app.command()
def forget(
    file: StoredIn = None,
    yes: Annotated[bool, typer.Option("--yes", help="don't ask")] = False,
) -> None:
    """Delete all that is stored of the class: names, checks, codes, lines."""
    from trainer.workshop.opening import FILE
    from trainer.workshop.stored import forget

    file = file or FILE
    if not yes:
        typer.confirm(f"Delete all that {file} holds of the class?", abort=True)
    forget(file)
    say(f"Forgotten: {file} is gone.", console)
