"""The command line: `trainer`."""

import sys

import typer
from rich.console import Console
from rich.text import Text

from trainer.problem import Problem
from trainer.session import require_a_supported_system

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A hands-on course in stream processing. `trainer lab` opens it.",
)
console = Console(highlight=False)
COLOURS = {"ok": "green", "note": "yellow", "fail": "bold red"}


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(context: typer.Context) -> None:
    """Open the course in JupyterLab, at the first chapter.

    All other arguments are JupyterLab's, for instance --no-browser or --port 9999.
    """
    from trainer.lab import open_lab

    open_lab(context.args, console)


@app.command()
def doctor() -> None:
    """Check that this machine can run the course: one line a check, and what to do."""
    from trainer.doctor import examine

    failed = False
    with console.status("") as status:
        for name, finding in examine(lambda name: status.update(f"{name} …")):
            line = Text.assemble(
                (f"{finding.verdict:>4}  ", COLOURS[finding.verdict]),
                (f"{name:<13}", "bold"),
                finding.says,
            )
            console.print(line, soft_wrap=True)
            failed |= finding.verdict == "fail"
    if failed:
        raise typer.Exit(1)
    console.print("Ready. `uv run trainer lab` opens the course.")


def main() -> None:
    """Run the command line; what a user can mend is one line, never a traceback."""
    try:
        require_a_supported_system()
        app()
    except Problem as problem:
        Console(stderr=True).print(Text(f"trainer: {problem}", "red"), soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
