"""`trainer grade` and `trainer regrade`."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trainer.grading import plan as plans
from trainer.grading import points
from trainer.grading.plan import Plan, Settings
from trainer.grading.sandbox import LEVELS, choose
from trainer.grading.showing import require_level
from trainer.problem import Problem

FORMATS = ("csv", "json", "junit", "gradescope")
NEXT = ".next"
JOBS = max(1, (os.cpu_count() or 2) // 2)
console = Console(highlight=False)

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
    settings = Settings(
        submissions=str(submissions.resolve()),
        exercises=tuple(filter(None, exercises.split(","))),
        seed=seed or plans.seed_in(compare or out),
        tests=str(tests.resolve()) if tests else None,
        timeout=timeout,
        memory=int(memory * 2**30),
        sandbox=choose(sandbox, require_sandbox),
        weights=str(weights.resolve()) if weights else None,
        partial=partial,
        feedback=require_level(feedback),
        formats=_formats(format_),
    )
    made = plans.plan(settings)
    in_place = compare is not None and compare.resolve() == out.resolve()
    target = out / NEXT if in_place else out
    failed = _grade(made, target, jobs, compare)
    if in_place:
        _take_over(target, out, yes)
    if failed:
        raise typer.Exit(1)


def _formats(text: str) -> tuple[str, ...]:
    names = tuple(filter(None, text.split(",")))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise Problem(f"No format {unknown[0]!r}; expected {', '.join(FORMATS)}, with commas.")
    return names


def _points(made: Plan) -> points.Points:
    weights = Path(made.settings.weights) if made.settings.weights else None
    names = {stem: [check.name for check in checks] for stem, checks in made.checks.items()}
    return points.read(weights, made.settings.partial, names)


def _grade(made: Plan, out: Path, jobs: int, compare: Path | None) -> bool:
    """Grade all; say whether the grader failed for anyone."""
    # Not needed, and not loaded, by other commands.
    from trainer.grading import batch, telling
    from trainer.grading.compare import changes
    from trainer.grading.place import all_saved, claimed

    worth = _points(made)
    if compare and not (compare / plans.FILE).exists():
        raise Problem(f"--compare {compare}: no batch was graded into it.")
    handed_in = batch.submissions(made)
    telling.level(made.settings.sandbox, console)
    with _interruptible(), claimed(out):
        made.settings.save(out)
        places = [out, compare] if compare else [out]
        grades = {
            student: batch.worth(worth, grade)
            for student, grade in batch.done_before(made, handed_in, places).items()
        }
        _copy_pictures(places)
        todo = [each for each in handed_in if each.student not in grades]
        with telling.Progress(len(handed_in), len(grades), console) as progress:
            grades |= batch.judge_all(made, todo, out, worth, jobs, progress.tell)
        in_order = [grades[each.student] for each in handed_in]
        batch.publish(made, in_order, out)
    telling.summary(in_order, out, console)
    if compare:
        telling.comparison(changes(all_saved(compare), grades), console)
    return any(each.failed for each in in_order)


def _copy_pictures(places: list[Path]) -> None:
    target, *others = (place / "pictures" for place in places)
    for other in others:
        if other.is_dir():
            shutil.copytree(other, target, dirs_exist_ok=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let an end from outside be as tidy as Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        console.print("Interrupted; all that ran was ended. The same command goes on from here.")
        raise typer.Exit(130) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _take_over(fresh: Path, out: Path, yes: bool) -> None:
    """Put new grades in the place of old ones, if the instructor agrees."""
    if not (yes or (console.is_terminal and typer.confirm(f"Overwrite the grades in {out}?"))):
        console.print(f"Nothing in {out} was overwritten. --yes does it.", soft_wrap=True)
        return
    shutil.copytree(fresh, out, dirs_exist_ok=True)
    shutil.rmtree(fresh)
    console.print(f"The grades in {out} are the new ones.", soft_wrap=True)


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
    from trainer.grading import batch, telling
    from trainer.grading.compare import changes
    from trainer.grading.place import all_saved, claimed, saved

    settings = plans.settings_in(out)
    made = plans.plan(replace(settings, sandbox=choose(settings.sandbox, False)))
    worth, old = _points(made), saved(out, student)
    handed_in = batch.submissions(made, student)
    telling.level(settings.sandbox, console)
    target = out if write else out / NEXT
    with _interruptible(), claimed(out):
        with telling.Progress(1, 0, console) as progress:
            new = batch.judge_all(made, handed_in, target, worth, 1, progress.tell)
        if write:
            batch.publish(made, list((all_saved(out) | new).values()), out)
        else:
            shutil.rmtree(target)
    found = list(changes({student: old} if old else {}, new))
    telling.comparison(found, console)
    if found:
        raise typer.Exit(1)
