"""The command line: `trainer`."""

import sys
import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from trainer.bundle import cli as bundling
from trainer.course import stub
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, exercises, find, find_all
from trainer.course.problem import Problem
from trainer.display.prose import say, tell, tell_code
from trainer.grading import class_cli
from trainer.grading import cli as grading
from trainer.learner import overview
from trainer.learner.aside import cut_short
from trainer.learner.hints import next_hint
from trainer.learner.hints import solution as reference
from trainer.learner.in_class import in_class
from trainer.learner.progress import Progress
from trainer.spark.session import require_a_supported_system
from trainer.workshop import cli as workshop


class Format(StrEnum):
    """How reports are written."""

    TEXT = "text"
    JUNIT = "junit"


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A hands-on course in stream processing. `trainer lab` opens it.",
)
console = Console(highlight=False)
# What is left of a command line is for the program behind it.
REST = {"allow_extra_args": True, "ignore_unknown_options": True}
COLOURS = {"ok": "green", "note": "yellow", "fail": "bold red"}
CUT_SHORT = "An update was cut short: `trainer update` ends it; what you wrote is in mine/."
WAYS = "hourly_tips, 4a, ch04a_hourly_tips or its file"
MaybeName = Annotated[
    str | None,
    typer.Argument(metavar="[EXERCISE]", help=f"{WAYS}; by default, the last you worked on"),
]


@app.command(context_settings=REST)
def lab(context: typer.Context) -> None:
    """Open the course in JupyterLab, at the first chapter.

    All other arguments are JupyterLab's, for instance --no-browser or --port 9999.
    """
    from trainer.learner.lab import open_lab

    open_lab(context.args, console)


@app.command()
def doctor(
    report: Annotated[
        bool, typer.Option("--report", help="all of it in one line, to send before a class")
    ] = False,
) -> None:
    """Check that this machine can run the course: one line a check, and what to do."""
    from trainer.learner.doctor import examine
    from trainer.learner.doctor_line import line as one_line

    if report:
        found = [*examine()]
        print(one_line(found))
        raise typer.Exit(any(finding.verdict == "fail" for _, finding in found))
    failed = False
    with console.status("") as status:
        for name, finding in examine(lambda name: status.update(f"{name} …")):
            line = Text.assemble(
                (f"{finding.verdict:>4}  ", COLOURS[finding.verdict]),
                (f"{name:<13}", "bold"),
                finding.says,
            )
            say(line, console)
            failed |= finding.verdict == "fail"
    if failed:
        raise typer.Exit(1)
    console.print("Ready. `uv run trainer lab` opens the course.")


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EXERCISE]…", help=f"{WAYS}; ch04 or 4 for a chapter; or all"),
    ] = None,
    format: Annotated[Format, typer.Option(help="junit: as XML, for a build server")] = Format.TEXT,
    out: Annotated[Path | None, typer.Option(help="write that XML to a file")] = None,
) -> None:
    """Check your answers: the verdict, and where it is wrong, the idea and the smallest case.

    The exit code is 0 only if all that are named are correct.
    """
    from trainer.learner.in_terminal import check_all

    chosen = list(dict.fromkeys(each for name in names or [] for each in find_all(name)))
    # Where the XML goes to the screen, the rest goes elsewhere.
    shown = Console(stderr=True, highlight=False) if format is Format.JUNIT and not out else console
    reports = check_all(chosen or exercises(), Progress(), shown)
    if format is Format.JUNIT:
        from trainer.display.junit import junit

        text = junit(reports)
        out.write_text(text, encoding="utf-8") if out else print(text, end="")
    if not all(report.correct for report in reports):
        raise typer.Exit(1)


@app.command()
def watch(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help=f"{WAYS}: this one alone; by default, all"),
    ] = None,
) -> None:
    """Check an exercise whenever you save it; keys give a hint, the next exercise, the list."""
    from trainer.learner.watch import watch

    watch(console, Progress(), find(name) if name else None)


@app.command("list")
def list_() -> None:
    """Show the chapters and their exercises, with the last verdict on each."""
    console.print(overview.table(Progress(), console.width))


@app.command("next")
def next_() -> None:
    """Say which exercise comes next after the one you last worked on, and which you skipped."""
    overview.tell_next(overview.next_exercise(Progress()), Progress(), console)


@app.command()
def hint(name: MaybeName = None) -> None:
    """Give a hint, one step further each time, and say how many are left."""
    exercise = _named(name)
    read, left = next_hint(exercise, Progress())
    if not name:
        say(Text(f"For {exercise.stem}, which you last worked on:", "dim"), console)
    for number, text in enumerate(read, 1):
        style = "bold" if number == len(read) else "dim"
        tell(text, console, title=f"{number}.", style=style)
    more = f"{left} left" if left else f"no more; `trainer solution {exercise.name}` shows it all"
    say(f"({more})", console)


@app.command()
def solution(
    name: MaybeName = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="Show it, solved or not.")] = False,
) -> None:
    """Show the reference solution: when you have solved it, or read all hints, or with --spoil."""
    tell_code(reference(_named(name), Progress(), spoil=spoil), console)


def _named(name: str | None) -> Exercise:
    exercise = find(name) if name else overview.last_exercise(Progress())
    if exercise is None:
        raise Problem("Which exercise? You have checked none yet. `trainer list` shows them all.")
    return exercise


@app.command()
def reset(
    name: Annotated[str | None, typer.Argument(metavar="EXERCISE", help=WAYS)] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Bring back what was kept last.")] = False,
) -> None:
    """Put an exercise back as it was issued; what you wrote is kept in mine/."""
    if name is None:
        # Nothing is put back that wasn't named.
        raise Problem(
            f"Which exercise? Name it, as in `trainer reset hourly_tips{' --undo' * undo}`."
        )
    exercise = find(name)
    kept = stub.undo_reset(exercise) if undo else stub.reset(exercise)
    Progress().started_over(exercise.stem)
    now = "holds again what was kept last" if undo else "is as it was issued"
    mine = f" What you wrote is in {kept.relative_to(ROOT)}." if kept else ""
    back = f" `trainer reset {exercise.name} --undo` brings it back." if kept and not undo else ""
    then = f" `trainer check {exercise.name}` says how good it is." if undo else ""
    say(f"{exercise.stub.relative_to(ROOT)} {now}.{mine}{back}{then}", console)


@app.command()
def submit(
    name: Annotated[
        str | None, typer.Option(help="whose answers they are, where no class was joined")
    ] = None,
    file: Annotated[
        bool, typer.Option("--file", help="make a file to send, though a class was joined")
    ] = False,
) -> None:
    """Hand in all your answers: to the class you joined, or as one file to send.

    Handed in again they replace what was there. Without a network they wait, and go by themselves.
    """
    from trainer.workshop.seat.handing_in import submit

    say(submit(name, as_file=file), console)


@app.command()
def update() -> None:
    """Get what is new in the course; your answers, notes and progress stay as they are."""
    # All that it needs is loaded at once: the files it is made of change while it runs.
    from trainer.learner.news import forget_old_verdicts, tell
    from trainer.learner.update import update

    brought = update(ROOT)
    if brought is None:
        console.print("The course is up to date.")
        return
    tell(brought, console)
    if again := forget_old_verdicts(brought, Progress()):
        say(f"Their checks changed, so check again: {', '.join(again)}.", console)


@app.command()
def slides(
    chapter: Annotated[str, typer.Argument(help="5, or ch05; or all")],
    out: Annotated[
        Path | None, typer.Option(help="the folder for the pages; by default, slides/")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="open the first in the browser")] = False,
) -> None:
    """Make slides of a chapter's notebook: one page, which needs no network and no server.

    Arrow keys walk through; behind a question things come one by one. O lists the sections.
    """
    from trainer.slides.deck import write

    written = [*write(chapter, out or ROOT / "slides")]
    for file, number in written:
        say(f"{number:3} slides in {file}", console)
    if show:
        webbrowser.open(written[0][0].resolve().as_uri())


workshop.app.command(context_settings=REST)(class_cli.grade)
app.add_typer(workshop.app, name="class")
app.command()(bundling.bundle)
app.command()(grading.grade)
app.command()(grading.regrade)
app.command()(grading.cluster)


def main() -> None:
    """Run the command line; what a user can mend is one line, never a traceback."""
    with in_class(_tell_of_the_class):
        try:
            require_a_supported_system()
            if cut_short(ROOT) and sys.argv[1:2] != ["update"]:
                say(Text(CUT_SHORT, "yellow"), Console(stderr=True))
            app()
        except Problem as problem:
            say(Text(f"trainer: {problem}", "red"), Console(stderr=True))
            sys.exit(2)


def _tell_of_the_class(line: str) -> None:
    # Not among what a command gives: that may go to a file.
    say(Text(line, "bold blue"), Console(stderr=True, highlight=False))


if __name__ == "__main__":
    main()
