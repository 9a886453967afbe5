"""What lies in a submission: the files of a folder or of an archive, read with limits.

Nothing is ever unpacked to disk. What could lead elsewhere (links, devices, `..`) is left out, and
what is too large ends the reading, each with a note. In a folder each step is taken from the one
before it, which is held open: what is put in a step's place leads nowhere.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from trainer.grading.intake.members import members
from trainer.grading.intake.reading import Reading, TooMuch, Wanted, is_archive, limited, plain

SKIPPED = {"__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".venv", "node_modules"}
# Neither a link is followed, nor a pipe waited for.
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
DEEPEST, DEEPEST_ARCHIVE = 40, 3
LONGEST_NAME = 1000

Files = Iterator[tuple[PurePosixPath, bytes]]


def files(path: Path, wanted: Wanted, reading: Reading) -> Files:
    """Give the wanted files of a folder, an archive or a single file, those in archives too."""
    try:
        with _opened(path) as (number, kind):
            if kind == stat.S_IFDIR:
                yield from _in_folder(number, PurePosixPath(), wanted, reading)
            elif kind == stat.S_IFREG:
                place = PurePosixPath(path.name)
                data = _read(number, place, reading)
                yield from _given(place, data, wanted, reading, DEEPEST_ARCHIVE, PurePosixPath())
            else:
                reading.give_up(f"{path.name} is no plain file; it was left out.")
    except TooMuch as error:
        reading.give_up(f"{path.name}: not all of it was read: {error}.")
    except OSError as error:
        reading.give_up(f"{path.name} cannot be read ({error.strerror or error}).")


@contextmanager
def _opened(name: Path | str, folder: int | None = None) -> Iterator[tuple[int, int]]:
    """Open something in a folder that is open; give its number, and what it is."""
    number = os.open(name, OPEN, dir_fd=folder)
    try:
        yield number, stat.S_IFMT(os.fstat(number).st_mode)
    finally:
        os.close(number)


def _in_folder(folder: int, place: PurePosixPath, wanted: Wanted, reading: Reading) -> Files:
    if len(place.parts) > DEEPEST:
        raise TooMuch(f"it has folders more than {DEEPEST} deep")
    kinds = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            reading.count()
            kinds[entry.name] = stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode)
    below = sorted(name for name, kind in kinds.items() if kind == stat.S_IFDIR)
    for name in sorted(kinds.keys() - set(below)):
        inside = place / plain(name)
        if (wanted(inside) or is_archive(name)) and not _is_junk(inside):
            if kinds[name] != stat.S_IFREG:
                reading.give_up(f"{inside} is no plain file; it was left out.")
            else:
                yield from _file(folder, name, inside, wanted, reading)
    for name in below:
        if name not in SKIPPED:
            yield from _folder(folder, name, place / plain(name), wanted, reading)


def _file(folder: int, name: str, place: PurePosixPath, wanted: Wanted, reading: Reading) -> Files:
    try:
        with _opened(name, folder) as (number, kind):
            data = _read(number, place, reading) if kind == stat.S_IFREG else None
    except OSError as error:
        reading.give_up(f"{place} cannot be read ({error.strerror or error}).")
        return
    yield from _given(place, data, wanted, reading, DEEPEST_ARCHIVE, place)


def _folder(
    folder: int, name: str, place: PurePosixPath, wanted: Wanted, reading: Reading
) -> Files:
    try:
        with _opened(name, folder) as (number, kind):
            if kind == stat.S_IFDIR:
                yield from _in_folder(number, place, wanted, reading)
    except OSError as error:
        reading.give_up(f"{place} cannot be read ({error.strerror or error}).")


def _read(number: int, place: PurePosixPath, reading: Reading) -> bytes | None:
    with os.fdopen(os.dup(number), "rb") as source:
        return limited(source, str(place), reading)


def _given(
    place: PurePosixPath,
    data: bytes | None,
    wanted: Wanted,
    reading: Reading,
    depth: int,
    above: PurePosixPath,
) -> Files:
    """Give a file as it is, or what is in it if it is an archive: in a folder of that name."""
    if data is None:
        return
    if not is_archive(place.name):
        yield place, data
        return
    if depth == 0:
        deep = f"in more than {DEEPEST_ARCHIVE} archives, one in the other"
        reading.give_up(f"{place} lies {deep}; it was left out.")
        return
    try:
        for name, read in members(place.name, data, reading):
            inside = _safe(name, reading)
            if inside is None or _is_junk(inside):
                continue
            inside = above / inside
            if wanted(inside) or is_archive(inside.name):
                data = _member(inside, read, reading)
                yield from _given(inside, data, wanted, reading, depth - 1, inside)
    except TooMuch:
        raise
    except Exception as error:
        reading.give_up(f"{place.name} is broken, or no archive at all ({_said(error)}).")


def _member(place: PurePosixPath, read: Callable, reading: Reading) -> bytes | None:
    """Read a member; one that can't be read leaves those behind it as they are."""
    try:
        return read()
    except TooMuch:
        raise
    except Exception as error:
        reading.give_up(f"{place} is broken ({_said(error)}).")
        return None


def _said(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:80]


def _safe(name: str, reading: Reading) -> PurePosixPath | None:
    if len(name) > LONGEST_NAME:
        reading.note(f"{name[:80]!r}… is longer than any name; it was left out.")
        return None
    place = PurePosixPath(plain(name).replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or "\0" in name or not place.name:
        reading.note(f"{name[:80]!r} leads out of the archive; it was left out.")
        return None
    return place


def _is_junk(place: PurePosixPath) -> bool:
    return place.name.startswith("._") or bool(SKIPPED & set(place.parts))
