"""What learners handed in: an archive for each in a folder, as `trainer grade` takes it.

What came over the network is never kept as it came: its texts are packed anew, with the time by
the board's clock.
"""

import contextlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trainer.course import safe_file
from trainer.course.problem import Problem
from trainer.workshop.seat import archive
from trainer.workshop.seat.archive import SUFFIX
from trainer.workshop.seat.words import Malformed

# A name that looks like a learning platform's would put two learners' files together.
PLAIN = re.compile(r"[^\w .@+'-]|_")
# Of a file that an instructor was sent, and that nobody made who knows what fits.
MOST_AS_IT_CAME = 20 * 2**20


def folder_of(file: Path) -> Path:
    """Name the folder that belongs to the file of a class."""
    return file.with_suffix(".handed-in")


def keep(folder: Path, number: int, name: str, data: bytes) -> str:
    """Keep what a learner handed in, in the place of what was there; tell since when it is there.

    Once this comes back it is on the disk, whole. What is handed in again unchanged stays as it
    is, with its time: an answer of the board may have been lost on its way.
    """
    texts, about = archive.unpacked(data)
    before, file = there(folder, number), folder / f"{file_name(name)}.{number}{SUFFIX}"
    at = next((then for known, then in map(_kept, before) if known == texts), _now())
    told = {"name": name, "at": at, "clock": "board", "packed": about.get("at", "")[:40]}
    safe_file.make_folder(folder, 0o700)
    safe_file.write(file, archive.packed(texts, told), 0o600)
    _drop(each for each in before if each != file)
    return at


def _kept(file: Path) -> tuple[archive.Texts, str]:
    try:
        texts, about = archive.unpacked(file.read_bytes())
        return texts, about["at"]
    except (Malformed, OSError, KeyError):
        return {}, ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Odd:
    """A file that came another way and is not what `trainer submit` makes; `taken` all the same."""

    file: Path
    why: str
    taken: bool

    def __str__(self) -> str:
        """Say what is the matter with it, and what becomes of it."""
        if not self.taken:
            return f"{self.file} is left out: {self.why}."
        what = f"{self.file} is nothing that `trainer submit` made: {self.why}."
        return f"{what} It is graded for what can be read of it."


def add(folder: Path, place: Path) -> list[Odd]:
    """Put beside it what came another way: a file that `trainer submit` made, or a folder of them.

    Such a file says itself when it was made, and whose it is by its name. One that is broken goes
    there as it came: who grades reads it within limits, and notes what is wrong with it.
    """
    if not place.exists():
        raise Problem(f"There is no {place}; --also takes a name{SUFFIX}, or a folder of them.")
    files = sorted(place.glob("*.zip")) if place.is_dir() else [place]
    if place.is_dir() and not any(file.name.endswith(SUFFIX) for file in files):
        raise Problem(f"There is no file that ends in {SUFFIX} in {place}.")
    return [odd for file in files if (odd := _add(folder, file, found=file != place))]


def _add(folder: Path, file: Path, found: bool) -> Odd | None:
    """Put one file there; tell what is odd about it. Of what was only found no link is followed."""
    if found and not file.name.endswith(SUFFIX):
        return Odd(file, f"its name does not end in {SUFFIX}", taken=False)
    if not file.is_file() or (found and file.is_symlink()):
        return Odd(file, "it is no plain file", taken=False)
    try:
        with file.open("rb") as whole:
            data = whole.read(MOST_AS_IT_CAME + 1)
    except OSError as error:
        return Odd(file, error.strerror or str(error), taken=False)
    if len(data) > MOST_AS_IT_CAME:
        return Odd(file, f"it is larger than {MOST_AS_IT_CAME // 2**20} MB", taken=False)
    odd = None
    try:
        texts, about = archive.unpacked(data)
        told = {"name": about.get("name", "")[:40], "at": about.get("at", "")[:40]}
        data = archive.packed(texts, told | {"clock": "learner"})
    except Malformed as error:
        odd = Odd(file, str(error), taken=True)
    safe_file.make_folder(folder, 0o700)
    name = unnumbered(file.name.removesuffix(SUFFIX))
    safe_file.write(folder / f"{name}{SUFFIX}", data, 0o600)
    return odd


def unnumbered(name: str) -> str:
    """Make of a name one for a file that came another way: digits at its end would be a number."""
    return re.sub(r"\.(?=\d+$)", "-", file_name(name))


def came_otherwise(folder: Path) -> list[str]:
    """Name what lies there and is no learner's by a number, as `unnumbered` names it."""
    names = [file.name.removesuffix(SUFFIX) for file in sorted(folder.glob(f"*{SUFFIX}"))]
    return [name for name in names if not re.search(r"\.\d+$", name)]


def there(folder: Path, number: int) -> list[Path]:
    """Find what a learner handed in: one file, whatever name they had then."""
    return sorted(folder.glob(f"*.{number}{SUFFIX}"))


def times(folder: Path) -> dict[int, float]:
    """Tell since when there is what each learner handed in, by their numbers."""
    found = {}
    for number, files in _by_number(folder).items():
        # What is broken, or says no time, was not written here.
        with contextlib.suppress(ValueError):
            found[number] = seconds(_kept(files[-1])[1])
    return found


def seconds(at: str) -> float:
    """Give a time that this wrote as the board counts it."""
    return datetime.fromisoformat(at).timestamp()


def tidy(folder: Path) -> None:
    """Take away what a board that was killed left: drafts, and what was about to be replaced."""
    _drop(folder.glob(safe_file.DRAFTS))
    for *old, _ in _by_number(folder).values():
        _drop(old)


def _by_number(folder: Path) -> dict[int, list[Path]]:
    """Find the files of each learner, the newest last."""
    found: dict[int, list[Path]] = {}
    for file in sorted(folder.glob(f"*.*{SUFFIX}"), key=lambda file: file.stat().st_mtime_ns):
        number = file.name.removesuffix(SUFFIX).rpartition(".")[2]
        if number.isdecimal():
            found.setdefault(int(number), []).append(file)
    return found


def file_name(name: str) -> str:
    """Make of a learner's name one for a file, by which nobody is taken for anybody else."""
    plain = PLAIN.sub("-", unicodedata.normalize("NFC", name)).strip(" .-")
    return plain or "learner"


def _drop(files: Iterable[Path]) -> None:
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
