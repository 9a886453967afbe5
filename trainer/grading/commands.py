"""What `trainer grade` and `trainer regrade` do."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console

from trainer.course import safe_file
from trainer.course.problem import Problem
from trainer.grading import batch, likeness
from trainer.grading.book import out_folder, points, similar
from trainer.grading.book.beside import beside
from trainer.grading.book.compare import changes
from trainer.grading.book.out_folder import LOCK, Lost, all_saved, claimed, saved
from trainer.grading.book.terms import FILE, Settings, Terms, seed_in, settings_in, terms
from trainer.grading.handed_in import submissions
from trainer.grading.intake.names import children, left_out
from trainer.grading.pages import bars, telling
from trainer.grading.pages.showing import require_level
from trainer.grading.sandbox.sandbox import choose, require_secrecy
from trainer.grading.workplace import Here, Workplace

__all__ = ["grade", "regrade", "seed_in", "settings_for", "workplace"]

FORMATS = ("csv", "json", "junit", "gradescope", "canvas", "moodle")
GRADEBOOKS = {"canvas", "moodle"}
JOBS = max(1, (os.cpu_count() or 2) // 2)
NEXT, AGAIN = ".next", ".again"
console = Console(highlight=False)


def workplace(on: str, jobs: int | None) -> AbstractContextManager[Workplace]:
    """Say where submissions are judged: on this machine, or on those of a cluster."""
    if not on:
        return nullcontext(Here(jobs or JOBS))
    from trainer.grading.cluster.cluster import Cluster

    return Cluster.at(on, jobs)


def settings_for(
    *,
    submissions: Path,
    exercises: str,
    tests: Path | None,
    memory: float,
    weights: Path | None,
    feedback: str,
    formats: str,
    roster: Path | None = None,
    comments: Path | None = None,
    **others: object,
) -> Settings:
    """Turn what was typed into settings."""
    chosen = _formats(formats)
    if GRADEBOOKS & {*chosen} and not roster:
        raise Problem(f"--format {min(GRADEBOOKS & {*chosen})} needs a --roster: id,name,e-mail.")
    return Settings(
        submissions=str(submissions.resolve()),
        exercises=tuple(filter(None, exercises.split(","))),
        tests=str(tests.resolve()) if tests else None,
        memory=int(memory * 2**30),
        weights=str(weights.resolve()) if weights else None,
        feedback=require_level(feedback),
        formats=chosen,
        roster=str(roster.resolve()) if roster else None,
        comments=str(comments.resolve()) if comments else None,
        **others,
    )


def _formats(text: str) -> tuple[str, ...]:
    names = tuple(filter(None, text.split(",")))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise Problem(f"No format {unknown[0]!r}; expected {', '.join(FORMATS)}, with commas.")
    return names


def grade(settings: Settings, out: Path, where: Workplace, compare: Path | None, yes: bool) -> bool:
    """Grade a folder of submissions; say whether the grader did its work for all."""
    _require_apart(out, Path(settings.submissions))
    made = terms(settings, out, compare)
    if compare is None or compare.resolve() != out.resolve():
        return not _grade(made, out, where, compare)
    # Nobody else writes there meanwhile.
    with claimed(out):
        failed = _grade(made, out / NEXT, where, compare)
        _take_over(out / NEXT, out, yes)
    return not failed


def _require_apart(out: Path, folder: Path) -> None:
    """Refuse to write among submissions: what is written there would be somebody's."""
    if out.resolve().is_relative_to(folder.resolve()):
        raise Problem(f"--out {out} lies in the folder of submissions; give one outside of it.")


def _points(made: Terms) -> points.Points:
    weights = Path(made.settings.weights) if made.settings.weights else None
    names = {stem: [check.name for check in checks] for stem, checks in made.checks.items()}
    return points.read(weights, made.settings.partial, names)


def _grade(made: Terms, out: Path, where: Workplace, compare: Path | None) -> bool:
    """Grade all; say whether the grader failed for anyone."""
    worth = _points(made)
    if compare and not (compare / FILE).exists():
        raise Problem(f"--compare {compare}: no batch was graded into it.")
    along = beside(made.settings, worth.late)
    require_secrecy(made.settings.sandbox, made.secret)
    everyone = children(Path(made.settings.submissions))
    along.match(everyone)
    with bars.Collecting(len(everyone), console) as progress:
        handed_in = submissions(made, tell=progress.tell)
    along.left = left_out(Path(made.settings.submissions), everyone.values())
    telling.collected(everyone.values(), along.left, handed_in, console)
    telling.level(made.settings.sandbox, console)
    with _interruptible(), claimed(out):
        made.settings.save(out)
        places = [out, compare] if compare else [out]
        lost = _graded_again()
        grades = {
            student: batch.worth(worth, grade)
            for student, grade in batch.done_before(made, handed_in, places, lost).items()
        }
        _copy_pictures(places)
        todo = [each for each in handed_in if each.student not in grades]
        work = {each.student: batch.to_run(made, each) for each in todo}
        with bars.Grading([*everyone], work, where.places(), console) as progress:
            grades |= batch.judge_all(made, todo, out, worth, where, progress)
        in_order = [along.on(grades[each.student], everyone[each.student]) for each in handed_in]
        with bars.Collecting(len(handed_in), console, "Comparing answers") as progress:
            found = likeness.compared(made, handed_in, progress.tell)
        out_folder.write(out / batch.SIMILAR, similar.to_csv(found))
        batch.publish(made, worth, in_order, along, out)
    telling.summary(in_order, out, console)
    telling.beside(along, console)
    telling.likeness(found, out / batch.SIMILAR, console)
    if compare:
        telling.comparison(changes(all_saved(compare, lost), grades), console)
    return any(each.failed for each in in_order)


def _graded_again() -> Lost:
    """Say once of each grade that can't be read what becomes of it."""
    said = set()

    def lost(student: str, why: str) -> None:
        if why not in said:
            telling.say(f"{why}; {student} is graded again.", console)
        said.add(why)

    return lost


def _left_out(student: str, why: str) -> None:
    what = f"{student} is left out of the tables until `trainer grade` runs again"
    telling.say(f"{why}; {what}.", console)


def _copy_pictures(places: list[Path]) -> None:
    target, *others = (place / "pictures" for place in places)
    for other in others:
        if other.is_dir():
            shutil.copytree(other, target, dirs_exist_ok=True, copy_function=safe_file.copy)


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
    kept = shutil.ignore_patterns(LOCK)
    shutil.copytree(fresh, out, dirs_exist_ok=True, copy_function=safe_file.copy, ignore=kept)
    shutil.rmtree(fresh)
    console.print(f"The grades in {out} are the new ones.", soft_wrap=True)


def regrade(student: str, out: Path, write: bool) -> bool:
    """Grade one student again, by the recorded settings; say whether the grade is the same."""
    settings = settings_in(out)
    made = terms(replace(settings, sandbox=choose(settings.sandbox, False)), out)
    worth = _points(made)
    along = beside(made.settings, worth.late)
    named = children(Path(settings.submissions))
    along.match(named)
    along.left = left_out(Path(settings.submissions), named.values())
    require_secrecy(made.settings.sandbox, made.secret)
    handed_in = submissions(made, student)
    student = handed_in[0].student
    old = saved(out, student, _graded_again())
    telling.level(settings.sandbox, console)
    target = out if write else out / AGAIN
    with _interruptible(), claimed(out):
        work = {each.student: batch.to_run(made, each) for each in handed_in}
        with bars.Grading([student], work, 1, console) as progress:
            new = batch.judge_all(made, handed_in, target, worth, Here(1), progress)
        if write:
            merged = all_saved(out, _left_out) | new
            known = [along.on(merged[each], named[each]) for each in named if each in merged]
            batch.publish(made, worth, known, along, out)
        else:
            shutil.rmtree(target)
    found = list(changes({student: old} if old else {}, new))
    telling.comparison(found, console)
    return not found
