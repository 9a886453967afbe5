"""What the doctor found in one line, which a learner sends before a class."""

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from trainer.course.git import GitFailed, git
from trainer.learner.doctor import Finding


def line(found: Sequence[tuple[str, Finding]]) -> str:
    """Say whether this machine is ready, what it is, what is amiss; the home folder isn't named."""
    fails = [(name, each) for name, each in found if each.verdict == "fail"]
    failed = [f"{name}: {_without_home(each.says)}" for name, each in fails]
    notes = [name for name, each in found if each.verdict == "note"]
    parts = ["NOT READY" if failed else "ready", *failed]
    parts += [each.brief for _, each in found if each.brief]
    parts += [f"notes on {', '.join(notes)}"] if notes else []
    return " | ".join([f"taxi-streams {_which_course()}", *parts])


def _which_course() -> str:
    """Name the commit; a kit without git, the version."""
    try:
        return git("rev-parse", "--short", "HEAD").strip()
    except GitFailed:
        return metadata.version("taxi-streams")


def _without_home(text: str) -> str:
    """Leave out what may be somebody's name."""
    return " ".join(text.replace(str(Path.home()), "~").split())
