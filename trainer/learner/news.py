"""What an update brought, told to a learner."""

import difflib
import re
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from trainer.course.git import git, text
from trainer.display.prose import say
from trainer.learner.aside import is_answer, is_notebook
from trainer.learner.progress import Progress
from trainer.learner.update import Update

MOST_LINES = 20
PACKAGES = {"pyproject.toml", "constraints.txt", "environment.yml"}
COLOURS = {"+": "green", "-": "red", "@": "dim"}


def tell(update: Update, console: Console) -> None:
    """Say what is new, which tasks changed, and where what was in the way is kept."""
    say(Text(_headline(update), "bold green"), console)
    for line in _changelog(update):
        say(line, console)
    chapters = [path for path in update.changed if is_notebook(path)]
    if chapters:
        say(f"Chapters that changed: {', '.join(map(_name, chapters))}.", console)
        say("In a JupyterLab that is open: File, Reload Notebook from Disk.", console)
    for path in filter(is_answer, update.changed):
        _tell_task(path, update, console)
    for path in update.kept:
        say(f"Your {_name(path)} is kept as {path}; the course's is in its place.", console)
    if PACKAGES & {*update.changed}:
        say("Packages changed: the next `uv run` fetches them, which takes a network.", console)


def forget_old_verdicts(update: Update, progress: Progress) -> list[str]:
    """Let exercises whose task or checks changed count as not checked; name them."""
    ours = r"(?:exercises/|tests/exercises/test_)(ch\w+)\.py"
    found = (re.fullmatch(ours, path) for path in update.changed)
    stems = sorted({match[1] for match in found if match})
    checked = [stem for stem in stems if progress.of(stem).verdict != "untouched"]
    for stem in checked:
        progress.started_over(stem)
    return checked


def _headline(update: Update) -> str:
    span = f"{update.base}..{update.after}"
    count = int(git("rev-list", "--count", span, at=update.root))
    date = git("show", "-s", "--format=%cs", update.after, at=update.root).strip()
    return f"The course is now that of {date}: {count} change{'s' * (count != 1)}."


def _changelog(update: Update) -> Sequence[str]:
    """Give the lines that the changelog has more."""
    old, new = (each or "" for each in _both("CHANGELOG.md", update))
    known = {*old.splitlines()}
    lines = [line for line in new.splitlines() if line.strip() and line not in known]
    rest = len(lines) - MOST_LINES
    more = [f"… and {rest} more line{'s' * (rest != 1)} in CHANGELOG.md"] if rest > 0 else []
    return [*lines[:MOST_LINES], *more]


def _tell_task(path: str, update: Update, console: Console) -> None:
    """Say what changed in a stub, and that the answer to it stays as it is."""
    old, new = _both(path, update)
    if old is None:
        say(f"New: {path}", console)
    elif new is None:
        say(f"Gone from the course: {path}", console)
    elif (update.root / path).read_text(encoding="utf-8", errors="replace") == new:
        say(f"{path} changed; you had written nothing in it.", console)
    else:
        say(f"{path}: your answer is as you wrote it. What is asked for changed:", console)
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=2, lineterm="")
        for line in [*lines][2:]:
            console.print(Text(f"  {line}", COLOURS.get(line[:1], "none")), soft_wrap=True)


def _both(path: str, update: Update) -> tuple[str | None, str | None]:
    return text(update.base, path, at=update.root), text(update.after, path, at=update.root)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
