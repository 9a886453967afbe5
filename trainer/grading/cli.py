"""`trainer grade` and `trainer regrade`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from trainer.grading.sandbox.sandbox import LEVELS, choose

JOBS = max(1, (os.cpu_count() or 2) // 2)

Folder = Annotated[Path, typer.Argument(help="a folder with one child for each student")]
Out = Annotated[Path, typer.Option("--out", help="where grades and reports go")]


def grade(
    submissions: Folder,
    out: Out,
    exercises: Annotated[str, typer.Option(help="names, with commas; by default, all")] = "",
    seed: Annotated[
        str, typer.Option(envvar="TRAINER_SEED", help="secret; by default, drawn and kept in --out")
    ] = "",
    tests: Annotated[
        Path | None, typer.Option(help="your own graders: files test_STEM.py, run in addition")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="how many at a time")] = JOBS,
    timeout: Annotated[float, typer.Option(min=1, help="seconds for one submission")] = 300,
    memory: Annotated[float, typer.Option(min=1, help="GB for one submission")] = 3,
    weights: Annotated[
        Path | None, typer.Option(help="a TOML file: points by exercise and by check")
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="points for each check, not all or nothing")
    ] = False,
    feedback: Annotated[str, typer.Option(help="in reports: full, public or none")] = "public",
    format_: Annotated[
        str, typer.Option("--format", help="csv, json, junit, gradescope, with commas")
    ] = "csv,json",
    sandbox: Annotated[
        str | None, typer.Option(help=f"one of {', '.join(LEVELS)}; by default, the best here")
    ] = None,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="refuse anything less than the best")
    ] = False,
    compare: Annotated[
        Path | None, typer.Option(help="the --out of an earlier batch: show what changes")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="with --compare: overwrite without asking")
    ] = False,
) -> None:
    """Grade a folder of submissions, each in a sandbox; a batch that was cut short goes on.

    The exit code is 0 if all was graded, 1 if the grader itself failed for someone.
    """
    # Not needed, and not loaded, by other commands.
    from trainer.grading import commands

    if not commands.grade(
        commands.settings_for(
            submissions=submissions,
            exercises=exercises,
            seed=seed or commands.seed_in(compare or out),
            tests=tests,
            timeout=timeout,
            memory=memory,
            sandbox=choose(sandbox, require_sandbox),
            weights=weights,
            partial=partial,
            feedback=feedback,
            formats=format_,
        ),
        out,
        jobs,
        compare,
        yes,
    ):
        raise typer.Exit(1)


def regrade(
    student: Annotated[str, typer.Argument(help="as in grades.csv")],
    out: Out,
    write: Annotated[
        bool, typer.Option("--write", help="put the new grade in the old one's place")
    ] = False,
) -> None:
    """Grade one student again, by the recorded seed and settings, and show what differs.

    The exit code is 0 if the grade is the same.
    """
    from trainer.grading import commands

    if not commands.regrade(student, out, write):
        raise typer.Exit(1)
