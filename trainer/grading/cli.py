"""`trainer grade` and `trainer regrade`; `trainer cluster`, where many machines do it."""

import os
from pathlib import Path
from typing import Annotated

import typer

from trainer.grading.sandbox.sandbox import LEVELS

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
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="how many at a time; by default, half as many as there are cores",
        ),
    ] = None,
    on: Annotated[
        str, typer.Option(help="a Spark cluster whose workers judge: spark://host:7077")
    ] = "",
    timeout: Annotated[float, typer.Option(min=1, help="seconds for one submission")] = 300,
    memory: Annotated[float, typer.Option(min=1, help="GB for one submission")] = 3,
    weights: Annotated[
        Path | None,
        typer.Option(
            help="a TOML file: points by exercise and check, what lateness costs, who has more time"
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="points for each check, not all or nothing")
    ] = False,
    feedback: Annotated[str, typer.Option(help="in reports: full, public or none")] = "public",
    format_: Annotated[
        str,
        typer.Option("--format", help="csv, json, junit, gradescope, canvas, moodle, with commas"),
    ] = "csv,json",
    roster: Annotated[
        Path | None, typer.Option(help="CSV: id,name,e-mail,section; says who is who")
    ] = None,
    comments: Annotated[
        Path | None, typer.Option(help="CSV: student,comment; goes beside grades")
    ] = None,
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

    with commands.workplace(on, jobs) as where:
        settings = commands.settings_for(
            submissions=submissions,
            exercises=exercises,
            seed=seed or commands.seed_in(compare or out),
            tests=tests,
            timeout=timeout,
            memory=memory,
            sandbox=where.level(sandbox, require_sandbox),
            weights=weights,
            partial=partial,
            feedback=feedback,
            formats=format_,
            roster=roster,
            comments=comments,
        )
        graded = commands.grade(settings, out, where, compare, yes)
    if not graded:
        raise typer.Exit(1)


def cluster(
    master: Annotated[
        str,
        typer.Argument(metavar="[MASTER]", help="spark://host:7077: be one of its workers"),
    ] = "",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="a worker's: how many at a time; by default, half its cores"),
    ] = None,
    address: Annotated[
        str, typer.Option(help="this machine's, as the others reach it; by default, its name")
    ] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the master's")] = 7077,
    page: Annotated[
        int, typer.Option(min=0, max=65535, help="of the master's page, which shows the workers")
    ] = 8080,
) -> None:
    """Let this machine grade with others: as the master, or as a worker of one. Ends by Ctrl-C.

    `trainer grade … --on spark://host:7077` gives the workers work.
    """
    from trainer.grading.cluster import machine
    from trainer.grading.commands import JOBS

    if master:
        command, environment = machine.worker(master, jobs or JOBS, address)
    else:
        command, environment = machine.master(address, port, page)
    os.execve(command[0], command, environment)


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
