"""Who handed in what: each child of a folder is a student, or one of the files of a student."""

import hashlib
import os
import re
import stat
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from trainer.course.problem import Problem
from trainer.grading.intake.gradescope import FILE as GRADESCOPE
from trainer.grading.intake.matching import FUNCTION, functions, is_program, named
from trainer.grading.intake.reading import ARCHIVES, cut, plain
from trainer.grading.intake.texts import in_utf8

SUFFIXES = (*ARCHIVES, ".py", ".ipynb", ".py.txt", ".ipynb.txt", ".ipynb.json")
# Somebody handed these in, but they are not read.
UNREAD = (
    *(".rar", ".7z", ".gz", ".bz2", ".xz", ".doc", ".docx", ".odt", ".rtf", ".pdf"),
    *(".html", ".htm", ".pages", ".jpg", ".jpeg", ".png"),
)
TEXTS = (".txt",)
ANY_CASE = re.IGNORECASE | re.DOTALL
# As learning platforms name what they give out: whose it is, and what its owner called it.
MOODLE = re.compile(r"(?P<who>.+_\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)", ANY_CASE)
CANVAS = re.compile(
    r"(?P<who>[^\W\d].*?_(?:late_)?\d{3,})(?P<late>_late)?(?P<number>_\d{3,})?_(?P<rest>.*\D.*)",
    ANY_CASE,
)
D2L = re.compile(
    r"(?P<who>\d+-\d+ - .+?) - [A-Z][a-z]{2,8} \d{1,2}, \d{4} \d{3,4} [AP]M - (?P<rest>.+)",
    re.DOTALL,
)
BLACKBOARD = re.compile(r"(?P<who>.+)_attempt_(?:\d+-){5}\d+(?P<rest>_.+|\.txt)", ANY_CASE)
# What a platform adds where its owner has handed in two of the same name.
NUMBERED = re.compile(r"([ _-]*(\(\d+\)|v?\d+))?(\.[a-z]+)*$", ANY_CASE)
# As `trainer submit` names it, and a class's board with a number.
TAXI = re.compile(r"(?P<who>.+?)(?:\.\d+)?\.taxi\.zip", ANY_CASE)
OTHERS = (MOODLE, D2L, BLACKBOARD)
GLANCE = 2**16
# What any answer has, or what is left of a notebook; a list of marks or a remark has none of it.
CODE = re.compile(rb'\b(?:def|lambda|import|return)\b|"cells"|[.]\w+\(')
# Letters that count as printable, and that nobody sees.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
# What is put behind a name to tell it from others; a name of its own accord gets it, too.
MARKED = re.compile(r"~[0-9a-f]{10}$")


@dataclass(frozen=True)
class Child:
    """What one student handed in: one place, or some; and what there is to note of the name."""

    student: str
    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    # Canvas's own number of the student, where Canvas named the files.
    canvas: str = ""


@dataclass
class _Group:
    who: str
    paths: list[Path] = field(default_factory=list)
    from_platform: bool = False
    canvas: str = ""


def children(folder: Path) -> dict[str, Child]:
    """Find the students, by name; no two are one, and no one's work takes another's place."""
    if not folder.is_dir():
        raise Problem(f"There is no folder {folder}. It should hold one child for each student.")
    there = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__")))
    groups = [*_of_platforms(there).values()]
    taken = {path for group in groups for path in group.paths}
    groups += _one_each(path for path in there if path not in taken and may_be_one(path))
    if not groups:
        kinds = ", ".join(SUFFIXES)
        raise Problem(f"Nobody is in {folder}: expected folders, or files that end in {kinds}.")
    found = sorted(_told_apart(groups), key=lambda child: child.student)
    return {child.student: child for child in found}


def may_be_one(path: Path) -> bool:
    """Tell whether a child is somebody's: a folder, or a file of a kind that people hand in."""
    known = path.name.lower().endswith((*SUFFIXES, *UNREAD)) or is_program(_place(path))
    text = path.name.lower().endswith(TEXTS) and _may_be_an_answer(path)
    return is_plain_folder(path) or path.is_symlink() or known or text


def _may_be_an_answer(path: Path) -> bool:
    """Tell a text in which somebody answers from an instructor's notes that lie there, too."""
    if named(_place(path)) or not os.access(path, os.R_OK):
        return True
    return bool(CODE.search(in_utf8(_glance(path))[0]))


def is_plain_folder(path: Path) -> bool:
    """Tell a folder; a link is none, wherever it leads: it is never followed."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _place(path: Path) -> PurePosixPath:
    return PurePosixPath(path.name)


def left_out(folder: Path, taken: Iterable[Child]) -> list[str]:
    """Name the children of a folder that are nobody's, for an instructor to look at."""
    used = {path for child in taken for path in child.paths} | {folder / GRADESCOPE}
    there = (path for path in folder.iterdir() if path not in used)
    # What a system hides there is none of anyone's, unless it is of a kind that people hand in.
    told = (p.name for p in there if p.name[0] != "." or p.name.lower().endswith(SUFFIXES))
    return sorted(map(cut, told))


def _of_platforms(there: Sequence[Path]) -> dict[str, _Group]:
    """Put together what a platform gave out as a student's, in a file or folder each."""
    found: dict[str, _Group] = {}
    numbers: dict[str, list[str]] = defaultdict(list)
    rests: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for path in there:
        other = next(filter(None, (each.fullmatch(path.name) for each in OTHERS)), None)
        canvas = CANVAS.fullmatch(path.name)
        if other:
            who = other["who"]
        elif canvas and not is_plain_folder(path) and (canvas["number"] or _is_late(canvas)):
            who = re.sub(r"_late(?=_\d)", "", canvas["who"], flags=ANY_CASE)
            numbers[who].append(canvas["number"] or "")
            rests[who].append((path, canvas["rest"]))
        else:
            continue
        number = "" if other else who.rpartition("_")[2]
        group = found.setdefault(who, _Group(who, from_platform=True, canvas=number))
        group.paths.append(path)
    # A platform gives each file a number; who numbers some alike is no platform.
    twice = {
        who for who, given in numbers.items() if len({*given} - {""}) < len(given) - given.count("")
    }
    twice |= {who for who, given in rests.items() if not _one_person_s(given)}
    return {who: group for who, group in found.items() if who not in twice}


def _one_person_s(given: Sequence[tuple[Path, str]]) -> bool:
    """Tell whether all may be one person's: two answers to one exercise are not, nor two archives.

    An instructor's own way to name files can look like a platform's, with a course for the student.
    """
    seen: dict[str, set[str]] = {}
    for path, rest in given:
        archive = ["an archive"] if rest.lower().endswith(ARCHIVES) else []
        for what in named(PurePosixPath(rest)) or archive or _functions(path):
            seen.setdefault(what, set()).add(NUMBERED.sub("", rest.lower()))
    names = [rest for _, rest in given]
    return len(set(names)) == len(names) and all(len(each) == 1 for each in seen.values())


def _functions(path: Path) -> list[str]:
    """Name the functions in a text, as far as a glance tells; whatever it is, it is not run."""
    found = (name.decode() for name in FUNCTION.findall(_glance(path)))
    return [name for name in found if name in functions()]


def _glance(path: Path) -> bytes:
    """Read how a file begins, if it is one; neither a link is followed, nor a pipe waited for."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(number, "rb") as file:
            return file.read(GLANCE) if path.is_file() else b""
    except OSError:
        return b""


def _is_late(canvas: re.Match) -> bool:
    return bool(canvas["late"]) or "_late_" in canvas["who"].lower()


def _one_each(there: Iterable[Path]) -> list[_Group]:
    there = list(there)
    short = Counter(_short(path) for path in there)
    return [
        _Group(path.name if short[_short(path)] > 1 else _short(path), [path]) for path in there
    ]


def _short(path: Path) -> str:
    if is_plain_folder(path):
        return path.name
    if of_the_kit := TAXI.fullmatch(path.name):
        return of_the_kit["who"]
    endings = sorted((*SUFFIXES, *UNREAD, *TEXTS), key=len, reverse=True)
    suffix = next((each for each in endings if path.name.lower().endswith(each)), "")
    return path.name[: len(path.name) - len(suffix)] or path.name


def _told_apart(groups: Sequence[_Group]) -> Iterable[Child]:
    """Give each a name that no other has, nor looks like; who had to get another is told why."""
    alike = defaultdict(list)
    for group in groups:
        for look in _looks(group.who):
            alike[look].append(group)
    for group in groups:
        twins = [each for look in _looks(group.who) for each in alike[look] if each is not group]
        name, first, notes = readable(group.who), group.paths[0], []
        if twins or MARKED.search(name):
            raw = first.name.encode("utf-8", "surrogateescape")
            name = f"{name}~{hashlib.sha256(raw).hexdigest()[:10]}"
        if twins:
            other = min(each.paths[0].name for each in twins)
            notes.append(f"{first.name!r} and {other!r} look alike: they are two students.")
        elif not group.from_platform and group.who != _short(first):
            notes.append(f"Others are called {_short(first)} too: each of them is a student.")
        if len(group.paths) > 1:
            notes.append(f"{len(group.paths)} files are one student's, by their names.")
        yield Child(name, tuple(group.paths), tuple(map(cut, notes)), group.canvas)


def of_an_archive(student: str, paths: Sequence[Path]) -> set[str]:
    """Say by which name of a file from `trainer submit` a student goes: none, where not by it."""
    kit = TAXI.fullmatch(paths[0].name) if len(paths) == 1 else None
    if not kit or MARKED.sub("", student) not in (readable(kit["who"]), readable(paths[0].name)):
        return set()
    # Digits may be a number of a board, and part of the name as well.
    return {kit["who"], paths[0].name[: -len(".taxi.zip")]}


def readable(name: str) -> str:
    """Make a name of a file, which may be any bytes, one that can be written anywhere."""
    return "".join(letter if letter.isprintable() else "_" for letter in plain(name))


def _looks(name: str) -> set[str]:
    """Give what a name looks like: as it is written down, and with what nobody sees left out."""
    seen = "".join(letter for letter in name if letter.isprintable() or letter.isspace())
    seen = " ".join(INVISIBLE.sub("", seen).split())
    return {_folded(readable(name)), _folded(seen), _skeleton(readable(name)), _skeleton(seen)}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _skeleton(text: str) -> str:
    """Put one letter for all that look like it, as Unicode's list of confusables has them."""
    return "".join(map(_prototype, unicodedata.normalize("NFKD", text))).casefold()


@cache
def _prototype(letter: str) -> str:
    # Not needed, and not loaded, where nothing is collected.
    from confusable_homoglyphs.confusables import confusables_data

    # Of a letter's look-alikes the list names all; of a look-alike only the letter.
    others = [each["c"].strip("\u200e") for each in confusables_data.get(letter, ())]
    if len(others) != 1:
        return letter
    back = confusables_data.get(others[0], ())
    return min(letter, others[0]) if len(back) == 1 else others[0]
