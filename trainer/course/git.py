"""Git, as the trainer runs it on the clone: never asking, and told in one line where it fails."""

import os
import subprocess
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.problem import Problem

# Set by git itself for its hooks; here they would lead to another repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
_QUIET = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}


class GitFailed(Problem):
    """Git said no; the message is the line in which it says why."""


def git(*arguments: str, paths: list[str] | None = None, at: Path = ROOT) -> str:
    """Run git in a clone and give what it prints; `paths` are handed to it as they are."""
    listed = [] if paths is None else ["--pathspec-from-file=-", "--pathspec-file-nul"]
    as_they_are = [] if paths is None else ["--literal-pathspecs"]
    environment = {key: text for key, text in os.environ.items() if key not in _ELSEWHERE}
    try:
        ran = subprocess.run(
            ["git", *as_they_are, *arguments, *listed],
            cwd=at,
            env=environment | _QUIET,
            input="\0".join(paths or []).encode("utf-8", "surrogateescape"),
            capture_output=True,
        )
    except FileNotFoundError:
        raise GitFailed("git is not installed here") from None
    if ran.returncode:
        raise GitFailed(_why(ran.stderr.decode("utf-8", "replace")))
    return ran.stdout.decode("utf-8", "surrogateescape")


def holds(*arguments: str, at: Path = ROOT) -> bool:
    """Ask git something that it answers by whether it succeeds."""
    try:
        git(*arguments, at=at)
    except GitFailed:
        return False
    return True


def names(*arguments: str, at: Path = ROOT) -> list[str]:
    """Give the file names that git lists, each ended by a zero."""
    return [name for name in git(*arguments, "-z", at=at).split("\0") if name]


def text(commit: str, path: str, at: Path = ROOT) -> str | None:
    """Give a file's text as it was in a commit; None where there was none."""
    try:
        return git("show", f"{commit}:{path}", at=at)
    except GitFailed:
        return None


def _why(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines or ["no word"]
    return told[0].removeprefix("fatal:").removeprefix("error:").strip().rstrip(".")
