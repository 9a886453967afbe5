"""What lies in a submission: the files of a folder or of an archive, read with limits.

Nothing is ever unpacked to disk. What could lead elsewhere (links, devices, `..`) is left out, and
what is too large ends the reading, each with a note.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from trainer.grading.intake.members import BROKEN, members
from trainer.grading.intake.reading import Reading, TooMuch, is_archive, limited

SKIPPED = {"__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".venv", "node_modules"}

Wanted = Callable[[PurePosixPath], bool]


def files(path: Path, wanted: Wanted, reading: Reading) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Give the wanted files of a folder, an archive or a single file, those in archives too."""
    try:
        if path.is_dir():
            yield from _in_folder(path, wanted, reading)
        else:
            yield from _opened(PurePosixPath(path.name), _read(path, reading), wanted, reading, 2)
    except TooMuch as error:
        reading.note(f"{path.name}: not all of it was read: {error}.")
    except OSError as error:
        reading.note(f"{path.name} cannot be read ({error.strerror or error}).")


def _in_folder(
    path: Path, wanted: Wanted, reading: Reading
) -> Iterator[tuple[PurePosixPath, bytes]]:
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if name not in SKIPPED)
        for name in sorted(names):
            reading.count()
            file = Path(folder, name)
            place = PurePosixPath(file.relative_to(path).as_posix())
            if not (wanted(place) or is_archive(name)) or _is_junk(place):
                continue
            if not stat.S_ISREG(file.lstat().st_mode):
                reading.note(f"{place} is no plain file; it was left out.")
                continue
            yield from _opened(place, _read(file, reading), wanted, reading, 1)


def _read(file: Path, reading: Reading) -> bytes | None:
    # A link or a pipe in the place of a file that was there a moment ago is not followed.
    number = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(number, "rb") as source:
        return limited(source, file.name, reading)


def _opened(
    place: PurePosixPath, data: bytes | None, wanted: Wanted, reading: Reading, depth: int
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Give a file as it is, or what is in it if it is an archive."""
    if data is None:
        return
    if not is_archive(place.name):
        yield place, data
        return
    if depth == 0:
        reading.note(f"{place} is an archive in an archive in an archive; it was left out.")
        return
    try:
        for name, read in members(place.name, data, reading):
            reading.count()
            inside = _safe(name, reading)
            if inside is None or _is_junk(inside):
                continue
            if wanted(inside) or is_archive(inside.name):
                yield from _opened(inside, read(), wanted, reading, depth - 1)
    except BROKEN as error:
        what = str(error) or type(error).__name__
        reading.note(f"{place.name} is broken, or no archive at all ({what[:80]}).")


def _safe(name: str, reading: Reading) -> PurePosixPath | None:
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or "\0" in name:
        reading.note(f"{name[:80]!r} leads out of the archive; it was left out.")
        return None
    return place


def _is_junk(place: PurePosixPath) -> bool:
    return place.name.startswith("._") or bool(SKIPPED & set(place.parts))
