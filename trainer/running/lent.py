"""A checkpoint that is lent to an answer which reads it: as short of its past as Spark may leave
it, and looked over when it comes back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trainer.running.answer import ContractError

Files = dict[Path, tuple[int, int]]


@contextmanager
def lent(checkpoint: Path, batch_id: int | None) -> Iterator[None]:
    """Lend a checkpoint for a question about a micro-batch, or about the last one for None."""
    commits = (int(path.name) for path in checkpoint.glob("commits/[0-9]*"))
    asked = max(commits) if batch_id is None else batch_id
    with _without_its_past(checkpoint, asked):
        before = _files(checkpoint)
        yield
        _require_the_same(before, _files(checkpoint))


@contextmanager
def _without_its_past(checkpoint: Path, asked: int) -> Iterator[None]:
    """Take away, for a while, what Spark deletes of a query that has run for long."""
    aside = checkpoint.with_name("past")
    gone = {path: aside / path.relative_to(checkpoint) for path in _past(checkpoint, asked)}
    for path, place in gone.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        path.rename(place)
    try:
        yield
    finally:
        for path, place in gone.items():
            place.rename(path)


def _past(checkpoint: Path, asked: int) -> Iterator[Path]:
    """List files of micro-batch 0, once a question is about one well after it."""
    if asked > 1:
        yield from checkpoint.glob("offsets/0")
        yield from checkpoint.glob("commits/0")
        # What it changed. What was in state after it lies beside that, as a whole.
        yield from checkpoint.glob("state/*/*/1.changelog")


def _files(checkpoint: Path) -> Files:
    """List the files with their size and time; in `state` Spark may clear up at any moment."""
    parts = (path for path in checkpoint.rglob("*") if path.is_file())
    there = ((path.relative_to(checkpoint), path.stat()) for path in parts)
    return {
        path: (stat.st_size, stat.st_mtime_ns) for path, stat in there if path.parts[0] != "state"
    }


def _require_the_same(before: Files, after: Files) -> None:
    changed = sorted(path for path in before | after if before.get(path) != after.get(path))
    if changed:
        path = changed[0]
        did = "changed" if path in before and path in after else "wrote"
        did = did if path in after else "deleted"
        raise ContractError(
            f"Your function {did} {path} in the checkpoint; expected you to read, and no more."
        )
