"""What was downloaded is kept, with a note of what it was for, so that it is fetched once."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

from trainer.bundle.pins import Pin
from trainer.spark import quick_start


class Store:
    """A folder of wheels, and of notes that say which wheels answer a wish."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep it in the cache folder, where no other is named."""
        self.folder = folder or quick_start.folder() / "bundle"
        self.folder.mkdir(parents=True, exist_ok=True)

    def fitting(self, pin: Pin, tags: set[Tag]) -> Path | None:
        """Give a wheel of this pin that is here already, takes one of the tags, and is whole."""
        name, version = pin.wanted.name.replace("-", "_"), str(pin.wanted.specifier)[2:]
        for wheel in sorted(self.folder.glob(f"{name}-{version}-*.whl")):
            fits = parse_wheel_filename(wheel.name)[3] & tags
            if fits and f"sha256:{sum_of(wheel)}" in pin.hashes:
                return wheel
        return None

    def kept(self, wish: Sequence[str]) -> list[Path] | None:
        """Give the wheels that answer this wish; None where one is missing or damaged."""
        note = self._note(wish)
        if not note.exists():
            return None
        sums = json.loads(note.read_text())
        wheels = {self.folder / name: expected for name, expected in sums.items()}
        if all(file.exists() and sum_of(file) == expected for file, expected in wheels.items()):
            return [*wheels]
        return None

    def keep(self, wish: Sequence[str], wheels: Sequence[Path]) -> list[Path]:
        """Take wheels in, and note what they are for."""
        taken = [file.replace(self.folder / file.name) for file in wheels]
        sums = {file.name: sum_of(file) for file in taken}
        self._note(wish).write_text(json.dumps(sums))
        return taken

    def _note(self, wish: Sequence[str]) -> Path:
        key = hashlib.sha256("\n".join(wish).encode()).hexdigest()[:16]
        return self.folder / f"{key}.json"


def sum_of(file: Path) -> str:
    """Give a file's SHA-256 sum."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
