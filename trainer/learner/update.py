"""Brings the course up to date, and leaves what the learner wrote as it is."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trainer.course.git import GitFailed, git, holds, names, text
from trainer.course.problem import Problem
from trainer.learner.aside import Aside, cut_short, is_answer, is_notebook, new_folder, sources

LOCK = Path(".git", "trainer-update.lock")
UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")


@dataclass(frozen=True)
class Update:
    """What changed between two commits, and which of the learner's files lie apart."""

    root: Path
    base: str
    after: str
    changed: Sequence[str]
    kept: Sequence[str]


def update(root: Path) -> Update | None:
    """Bring a clone up to date; None where there was nothing new."""
    _require_a_clone(root)
    with _alone(root):
        if unfinished := cut_short(root):
            # A merge that was begun then is no one's but the update's.
            holds("merge", "--abort", at=root)
            unfinished.put_back()
        _require_rest(root)
        upstream = _fetch(root)
        head = _commit("HEAD", root)
        if holds("merge-base", "--is-ancestor", upstream, head, at=root):
            return None
        base = _merge_base(head, upstream, root)
        theirs = names("diff", "--name-only", "--no-renames", base, upstream, at=root)
        ours = names("diff", "--name-only", "--no-renames", base, head, at=root)
        in_the_way = list(_in_the_way(theirs, root))
        written = [path for path in in_the_way if not _is_in(upstream, path, root)]
        ran = [path for path in written if _only_run(path, root)]
        aside = Aside(root, new_folder(root), head, written, ran)
        try:
            aside.put_aside()
            _clear(in_the_way, root)
            committed = _bring(upstream, sorted({*ours} & {*theirs}), aside.folder, root)
        except GitFailed as failed:
            raise Problem(f"The course is as it was, git said: {failed}.") from None
        finally:
            kept = aside.put_back()
    return Update(root, base, upstream, theirs, [*kept, *committed])


def _require_a_clone(root: Path) -> None:
    if not (root / ".git").is_dir():
        raise Problem(
            f"{root} was not cloned with git (is it a zip file's?), so it can't be updated. "
            "`git clone` the course anew, and copy exercises/, mine/ and progress.json there."
        )


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    import fcntl

    with (root / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Problem("The course is being updated already, in another terminal.") from None
        yield


def _require_rest(root: Path) -> None:
    if any((root / ".git" / name).exists() for name in UNDER_WAY):
        raise Problem(
            "A merge or a rebase is under way in this clone. End it first: `git status` says how."
        )


def _fetch(root: Path) -> str:
    """Get the course's news; give its newest commit."""
    try:
        git("rev-parse", "--verify", "-q", "@{upstream}", at=root)
    except GitFailed:
        raise Problem(
            "This clone follows no other: `git branch --set-upstream-to=origin/main` says which "
            "one holds the course."
        ) from None
    try:
        git("fetch", "--quiet", at=root)
    except GitFailed as failed:
        raise Problem(f"Could not reach the course ({failed}); nothing was changed.") from None
    return _commit("@{upstream}", root)


def _commit(name: str, root: Path) -> str:
    return git("rev-parse", "--verify", f"{name}^{{commit}}", at=root).strip()


def _merge_base(head: str, upstream: str, root: Path) -> str:
    try:
        return git("merge-base", head, upstream, at=root).strip()
    except GitFailed:
        raise Problem(
            "This clone and the course have no commit in common: `git clone` the course anew, and "
            "copy exercises/, mine/ and progress.json there."
        ) from None


def _in_the_way(theirs: Sequence[str], root: Path) -> Iterator[str]:
    """Give the files that the course changes and that are not as they were committed."""
    edited = {*names("diff", "--name-only", "--no-renames", "HEAD", at=root)}
    edited |= {*names("diff", "--name-only", "--no-renames", "--cached", at=root)}
    tracked = {*names("ls-tree", "-r", "--name-only", "HEAD", at=root)}
    for path in theirs:
        if path in edited or (path not in tracked and os.path.lexists(root / path)):
            yield path


def _only_run(path: str, root: Path) -> bool:
    """Tell whether a notebook is the course's, with other outputs."""
    if not is_notebook(path) or not (root / path).is_file():
        return False
    there = sources((root / path).read_text(encoding="utf-8", errors="replace"))
    return there is not None and there == sources(text("HEAD", path, at=root))


def _is_in(commit: str, path: str, root: Path) -> bool:
    """Tell whether a file is as it is in a commit: an update that was killed got so far."""
    try:
        there = (root / path).read_bytes()
    except OSError:
        return False
    return text(commit, path, at=root) == there.decode("utf-8", "surrogateescape")


def _clear(paths: Sequence[str], root: Path) -> None:
    """Let these files be as they were committed, or not be there."""
    if not paths:
        return
    git("reset", "-q", "HEAD", paths=list(paths), at=root)
    tracked = {*names("ls-tree", "-r", "--name-only", "HEAD", at=root)}
    if committed := [path for path in paths if path in tracked]:
        git("checkout", "-q", "HEAD", paths=committed, at=root)
    for path in {*paths} - tracked:
        (root / path).unlink(missing_ok=True)


def _bring(upstream: str, both: Sequence[str], folder: str, root: Path) -> list[str]:
    """Go to the course's newest commit; where the learner has commits of their own, merge it."""
    if holds("merge-base", "--is-ancestor", "HEAD", upstream, at=root):
        git("merge", "-q", "--ff-only", upstream, at=root)
        return []
    try:
        holds("merge", "-q", "--no-ff", "--no-commit", upstream, at=root)
        clashing = names("diff", "--name-only", "--diff-filter=U", at=root)
        if code := [path for path in clashing if not (is_answer(path) or is_notebook(path))]:
            raise GitFailed(f"your commits and the course both change {', '.join(code)}")
        kept = [kept for path in both if (kept := _settle(path, upstream, folder, root))]
        git("commit", "-q", "--no-edit", at=root)
    except BaseException:
        holds("merge", "--abort", at=root)
        raise
    return kept


def _settle(path: str, upstream: str, folder: str, root: Path) -> str | None:
    """Let a committed answer stay as it is, and a chapter be the course's; name a copy kept."""
    mine, theirs = text("HEAD", path, at=root), text(upstream, path, at=root)
    if mine is None or not (is_answer(path) or is_notebook(path)) or mine == theirs:
        return None
    if is_answer(path) and theirs is not None:
        git("checkout", "-q", "HEAD", paths=[path], at=root)
        return None
    copy = root / folder / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(mine, encoding="utf-8", errors="surrogateescape")
    if theirs is None:
        git("rm", "-q", "-f", paths=[path], at=root)
    else:
        git("checkout", "-q", upstream, paths=[path], at=root)
    return f"{folder}/{path}"
