"""What a batch says before it runs, and at its end."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, fields
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from trainer.grading.book.beside import Beside
from trainer.grading.book.compare import Change
from trainer.grading.book.grades import ERROR, StudentGrade
from trainer.grading.book.similar import Similar
from trainer.grading.book.texts import Alike, alike
from trainer.grading.intake.collect import MORE_THAN_ONCE, Submission
from trainer.grading.intake.names import Child
from trainer.grading.intake.packing import DOUBT
from trainer.grading.pages.overview_page import ORDER, missed
from trainer.grading.sandbox.sandbox import LEVELS

MOST_NAMED, MOST_LISTED = 3, 10
COLUMNS = tuple(each.name for each in fields(Change))


def say(text: str, console: Console, style: str = "") -> None:
    """Say something: on a terminal words stay whole, elsewhere lines do."""
    console.print(Text(text, style), soft_wrap=not console.is_terminal)


def level(sandbox: str, console: Console) -> None:
    """Say how well submissions are shut in."""
    console.print(f"Sandbox: {sandbox}")
    if sandbox not in LEVELS[:2]:
        what = "Submissions can read files and reach the network. See GRADING.md."
        say(what, console, "yellow")


def collected(
    everyone: Collection[Child],
    left: Sequence[str],
    submissions: Sequence[Submission],
    console: Console,
) -> None:
    """Say what an instructor may want to look into before anything is graded."""
    if left:
        say(f"Nobody's, and left out: {_some(left)}.", console, "yellow")
    if several := [f"{each.student} ({len(each.paths)})" for each in everyone if each.paths[1:]]:
        say(f"Files that are one student's, by their names: {_some(several)}.", console)
    if doubted := [s.student for s in submissions if any(DOUBT in note for note in s.who)]:
        what = "Packed as another's, or at a time yet to come"
        say(f"{what}; the overview says which: {_some(doubted)}.", console, "yellow")
    chosen = sum(any(MORE_THAN_ONCE in note for note in each.notes) for each in submissions)
    if chosen and len(everyone) == 1:
        what = "There is one student only, with several answers to one exercise"
        why = "is it the folder above the class, or an archive that has yet to be unpacked?"
        say(f"{what}: {why}", console, "yellow")
    elif chosen:
        what = "Of several answers to one exercise one was chosen"
        say(f"{what}, for {chosen} of the students; the overview says which.", console)


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - MOST_LISTED} more" if names[MOST_LISTED:] else ""
    return ", ".join(names[:MOST_LISTED]) + more


def summary(grades: Sequence[StudentGrade], out: Path, console: Console) -> None:
    """Say what came of it all."""
    counts = Counter(each.verdict for grade in grades for each in grade.exercises)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ORDER if counts[verdict])
    who = f"{len(grades)} student{'s' * (len(grades) != 1)}, {counts.total()} exercises"
    say(f"{who}: {said}. {out / 'overview.html'} shows it all.", console)
    if found := alike(grades):
        say(f"Handed in alike: {_handed_in_alike(found)}.", console)
    if count := sum(bool(missed(grade)) for grade in grades):
        what = "Handed in something that could not be graded, and is listed there"
        say(f"{what}: {count} student{'s' * (count > 1)}.", console, "yellow")
    if counts[ERROR]:
        what = "An error is the grader's own: no score. The same command tries again."
        say(what, console, "magenta")


def likeness(found: Sequence[Similar], file: Path, console: Console) -> None:
    """Say how many answers are alike, and that this is for a person to judge."""
    if found:
        count = f"{len(found)} pair{'s' * (len(found) != 1)}"
        say(f"Alike, for you to look at and no verdict: {count} of answers, in {file}.", console)


def beside(along: Beside, console: Console) -> None:
    """Say who is nobody of the roster, who of it is missing, and whose lateness is not known."""
    if along.people is not None:
        strangers = [f"{who} ({why})" for who, why in along.matched.strangers.items()]
        absent = [each.name or each.id for each in along.matched.absent]
        for what, who in (("Not in the roster", strangers), ("Handed in nothing", absent)):
            if who:
                say(f"{what}: {_some(who)}.", console, "yellow")
    if along.unheard:
        unheard = [f"{who} ({why})" for who, why in sorted(along.unheard.items())]
        say(f"Commented on, and told to nobody: {_some(unheard)}.", console, "yellow")
    if along.timeless:
        what = "Not known when they handed in, and nothing taken off"
        say(f"{what}: {_some(along.timeless)}.", console, "yellow")
    if along.missing_extended:
        what = "Given more time, and nobody who handed in is named so"
        say(f"{what}: {_some(along.missing_extended)}.", console, "yellow")


def _handed_in_alike(found: Alike) -> str:
    named = [f"{stem} by {', '.join(students)}" for stem, students in found[:MOST_NAMED]]
    more = len(found) - len(named)
    return "; ".join([*named, f"{more} more" if more else ""]).removesuffix("; ")


def comparison(changes: Iterable[Change], console: Console) -> None:
    """Show whose grade changed, and why: on a terminal as wide as it is, else a line for each."""
    changes = list(changes)
    show = _for_a_terminal if console.is_terminal else _in_columns
    show(changes, console)
    count = len(changes)
    console.print(f"{count or 'No'} grade{'s' * (count > 1)} changed.")


def _for_a_terminal(changes: Sequence[Change], console: Console) -> None:
    for each in changes:
        console.print(Text.assemble((each.student, "bold"), "  ", each.exercise))
        said = Text.assemble(each.before, (" → ", "dim"), (each.after, "bold"), "\n", each.why)
        console.print(Padding(said, (0, 0, 0, 4)))


def _in_columns(changes: Sequence[Change], console: Console) -> None:
    lines = [COLUMNS, *map(astuple, changes)] if changes else []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        say("  ".join(cells).rstrip(), console)
