"""What a learner wrote, put aside while the course is brought up to date, and put back."""

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from trainer.course import safe_file
from trainer.course.git import git, text

# Beside git's own files: it belongs to this clone, and no checkout touches it.
NOTE = Path(".git", "trainer-update.json")


@dataclass(frozen=True)
class Aside:
    """A clone's files that are put aside: which, where to, and at which commit it was."""

    root: Path
    folder: str
    before: str
    paths: Sequence[str]
    # Notebooks of which nothing but outputs differs from the course's: running makes them again.
    only_run: Sequence[str] = field(default=())

    def put_aside(self) -> None:
        """Note what will happen, so that it can be ended by another; then move the files."""
        note = asdict(self) | {"root": str(self.root)}
        safe_file.write(self.root / NOTE, json.dumps(note))
        for path in self.paths:
            if os.path.lexists(self.root / path):
                self._kept(path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).replace(self._kept(path))

    def put_back(self) -> list[str]:
        """Put back what belongs in its place; name the files that stay in the folder.

        Answers always do. Where the course was not updated after all, everything does.
        """
        stays = []
        arrived = git("rev-parse", "HEAD", at=self.root).strip() != self.before
        for path in self.paths:
            if not os.path.lexists(self._kept(path)):
                continue
            if not arrived or (is_answer(path) and text("HEAD", path, at=self.root) is not None):
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                self._kept(path).replace(self.root / path)
            elif path in self.only_run:
                self._kept(path).unlink()
            else:
                stays.append(self._kept(path).relative_to(self.root).as_posix())
        _drop_empty(self.root / self.folder)
        (self.root / NOTE).unlink(missing_ok=True)
        return stays

    def _kept(self, path: str) -> Path:
        return self.root / self.folder / path


def cut_short(root: Path) -> Aside | None:
    """Give what an update left behind that was ended from outside."""
    try:
        noted = json.loads((root / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Aside(**noted | {"root": root})


def new_folder(root: Path) -> str:
    """Name a folder that is not there yet."""
    folder = f"mine/update-{datetime.now():%Y%m%d-%H%M%S}"
    return folder if not (root / folder).exists() else f"{folder}-{os.getpid()}"


def _drop_empty(folder: Path) -> None:
    inside = [inner for inner, _, _ in os.walk(folder, topdown=False)]
    for inner in (*inside, folder.parent):
        with contextlib.suppress(OSError):
            Path(inner).rmdir()


def is_answer(path: str) -> bool:
    """Tell whether a path is a stub's, which holds a learner's answer."""
    return path.startswith("exercises/") and path.endswith(".py")


def is_notebook(path: str) -> bool:
    """Tell whether a path is a chapter's."""
    return path.startswith("notebooks/") and path.endswith(".ipynb")


def sources(notebook: str | None) -> list[tuple[str, str]] | None:
    """Give the cells of a notebook without what running them adds; None where it is none."""
    try:
        cells = json.loads(notebook or "")["cells"]
        return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except (ValueError, TypeError, KeyError):
        return None
