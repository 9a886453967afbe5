"""Files that stand still: a copy of one is read in its place, under its own name."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trainer.spark import scratch

_originals: dict[Path, Path] = {}


@contextmanager
def snapshot(path: Path) -> Iterator[Path]:
    """Copy a file, so that all who read the copy read one text; give it as it is where it isn't."""
    with tempfile.TemporaryDirectory(dir=scratch.claim()) as folder:
        copy = Path(folder).resolve() / path.name
        try:
            shutil.copyfile(path, copy)
        except OSError:
            # Whoever wants to read it says best what is wrong with it.
            yield path
            return
        _originals[copy] = path.resolve()
        try:
            yield copy
        finally:
            del _originals[copy]


def original(path: Path) -> Path:
    """Name the file that a copy was made of; any other file is its own original."""
    return _originals.get(path, path)
