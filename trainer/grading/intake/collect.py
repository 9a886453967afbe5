"""Collects what a student handed in: the text of each exercise, however it is named and packed."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path, PurePosixPath

from trainer.course.exercise import Exercise, find
from trainer.grading.intake import matching, notebooks
from trainer.grading.intake.names import (
    SUFFIXES,
    TEXTS,
    UNREAD,
    is_plain_folder,
    of_an_archive,
)
from trainer.grading.intake.packing import packing
from trainer.grading.intake.reading import Reading, cut, is_archive
from trainer.grading.intake.texts import in_utf8
from trainer.grading.intake.unpack import files
from trainer.workshop.seat.archive import ABOUT

# In a clone that was handed in as a whole: answers of the kit's own, and what is no answer at all.
NOT_THEIRS = {
    *(("tests", name) for name in ("misconceptions", "alternatives", "attacks")),
    ("course", "issued"),
}
OF_THE_KIT = {"solutions", "tests", "trainer", "datagen", "bench", "tools", "docs", "data"}
NO_ANSWERS = {"__init__.py", "conftest.py", "setup.py", ABOUT}
MOST_BYTES = 2**19
MOST_UNMATCHED = 10
# What an answer may import that lies beside it.
MOST_MODULES, DEEPEST_MODULE, LONGEST_MODULE = 50, 5, 50
# As it must be written where the answer is no part of a package: it is run by itself.
RELATIVE = re.compile(rb"^([ \t]*from[ \t]+)\.(?=[A-Za-z_])", re.MULTILINE)
FROM_HERE = re.compile(rb"^([ \t]*)from[ \t]+\.[ \t]+(?=import[ \t])", re.MULTILINE)
MORE_THAN_ONCE = " was handed in more than once: "

Texts = Mapping[PurePosixPath, bytes]
Modules = dict[str, tuple[PurePosixPath, bytes]]


@dataclass(frozen=True)
class Submission:
    """What one student handed in, as it is graded, and what was noted.

    `files` are the texts of exercises by stem, `modules` what each imports that lay beside it;
    `unmatched` are places that are for no exercise, each with the one that it is likeliest for,
    and `unread` says of what could not be read, why. `who` is noted of the name, which may be about
    others: it is for instructors alone.
    """

    student: str
    files: dict[str, bytes]
    notes: tuple[str, ...] = ()
    modules: dict[str, dict[str, bytes]] = field(default_factory=dict)
    unmatched: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    packed_at: str = ""

    @property
    def texts(self) -> dict[str, bytes]:
        """All that is graded, by place: an answer, and what it imports in a folder of its own."""
        beside = {
            f"{stem}/{name}": text
            for stem, modules in self.modules.items()
            for name, text in modules.items()
        }
        return {f"{stem}.py": text for stem, text in self.files.items()} | beside

    @property
    def digest(self) -> str:
        """A hash of all that is graded."""
        parts = hashlib.sha256()
        for name, text in sorted(self.texts.items()):
            parts.update(f"{name} {len(text)}\n".encode() + text)
        # Nobody is told today what was true of another archive yesterday.
        parts.update(repr((sorted(self.unmatched.items()), self.unread)).encode())
        return parts.hexdigest()


@dataclass(frozen=True)
class Answer:
    """A text that may be the answer to an exercise, and how that was found, if not plainly."""

    stem: str
    text: bytes
    place: PurePosixPath
    how: str = ""

    @property
    def rank(self) -> tuple:
        """Order answers: a stub last, then what is old; `exercises/` first, depth, then age."""
        return (
            self.text == find(self.stem).issued.read_bytes(),
            matching.is_put_aside(self.place),
            self.place.parent.name != "exercises",
            matching.is_notebook(self.place),
            bool(self.how),
            len(self.place.parts),
            matching.newest_first(self.place),
            str(self.place),
        )


def collect(
    student: str, paths: Iterable[Path], exercises: Sequence[Exercise], who: Sequence[str] = ()
) -> Submission:
    """Collect what one student handed in; whatever is wrong with it becomes a note."""
    paths, reading = list(paths), Reading()
    texts = dict(_texts(paths, reading))
    told = packing(next((text for place, text in texts.items() if place.name == ABOUT), b""))
    theirs = {place: text for place, text in texts.items() if _is_theirs(place, texts)}
    answers = [answer for each in theirs.items() for answer in _answers(*each, reading)]
    answers += _by_elimination(theirs, answers, exercises)
    chosen = {
        each.stem: _choose(each.stem, answers, reading)
        for each in exercises
        if any(answer.stem == each.stem for answer in answers)
    }
    modules = {stem: _modules(answer, theirs) for stem, answer in chosen.items()}
    beside = {name: place for found in modules.values() for name, (place, _) in found.items()}
    used = {answer.place for answer in answers} | {
        place for found in modules.values() for place, _ in found.values()
    }
    unmatched = _unmatched({p: text for p, text in theirs.items() if p not in used}, not answers)
    if not chosen:
        # For an exercise that is not graded now: it is not nothing.
        unmatched |= {cut(str(answer.place)): answer.stem for answer in answers[:MOST_UNMATCHED]}
    if not (chosen or unmatched or reading.unread):
        # Whatever it is, it was handed in.
        for place in reading.passed_over:
            _refuse(place, reading)
    if beside:
        reading.note(f"Graded with what lay beside it: {', '.join(sorted(beside))}.")
    for place, stem in unmatched.items():
        likely = f"likeliest for {stem}" if stem else "nor like one"
        reading.note(f"{place} is for no exercise that is graded ({likely}); it was left out.")
    return _of_bounded_size(
        Submission(
            student,
            {stem: _alone(answer.text) for stem, answer in chosen.items()},
            tuple(sorted(reading.notes, key=_is_harmless)),
            {stem: _texts_of(found) for stem, found in modules.items() if found},
            unmatched,
            tuple(reading.unread),
            (*who, *map(cut, told.doubts(of_an_archive(student, paths), datetime.now(UTC)))),
            cut(told.at),
        )
    )


def _alone(text: bytes) -> bytes:
    """Have an answer import what lies beside it as a program does that is run by itself."""
    return FROM_HERE.sub(rb"\1", RELATIVE.sub(rb"\1", text))


def _texts_of(modules: Modules) -> dict[str, bytes]:
    return {name: text for name, (_, text) in modules.items()}


def _is_harmless(note: str) -> bool:
    """Tell a note that only says how something was found from one that says what was decided."""
    return " is taken for " in note or " is in " in note


def _texts(paths: Sequence[Path], reading: Reading) -> Iterator[tuple[PurePosixPath, bytes]]:
    def wanted(place: PurePosixPath) -> bool:
        if place.name.lower().endswith(UNREAD) and not is_archive(place.name):
            _refuse(place.name if len(place.parts) == 1 else str(place), reading)
            return False
        if matching.is_program(place) or matching.is_notebook(place):
            return True
        if not is_archive(place.name):
            reading.pass_over(str(place))
        return matching.may_hold_one(place)

    for path in paths:
        place = PurePosixPath(path.name)
        known = path.name.lower().endswith((*SUFFIXES, *TEXTS)) or matching.is_program(place)
        if path.is_symlink():
            reading.give_up(f"{path.name} is a link; it was left out.")
        elif not known and not is_plain_folder(path):
            _refuse(path.name, reading)
        else:
            for inside, data in files(path, wanted, reading):
                # Of several, what has the same name inside two is still two.
                yield (place / inside if len(paths) > 1 and inside != place else inside), data


def _refuse(name: str, reading: Reading) -> None:
    reading.give_up(f"{name} is not read; expected {', '.join(SUFFIXES)}.")


def _is_theirs(place: PurePosixPath, texts: Texts) -> bool:
    """Tell whether a file is a student's own, and not one of the kit around it."""
    if NOT_THEIRS & set(pairwise(place.parts[:-1])):
        return False
    for at, part in enumerate(place.parts[:-1]):
        if part in OF_THE_KIT:
            stubs = PurePosixPath(*place.parts[:at], "exercises")
            return not any(other.is_relative_to(stubs) for other in texts)
    return True


def _answers(place: PurePosixPath, data: bytes, reading: Reading) -> Iterator[Answer]:
    text, encoding = in_utf8(data)
    if matching.is_notebook(place) or _looks_like_a_notebook(text):
        yield from _in_notebook(place, text, reading)
        return
    if matching.is_program(place):
        stems, how = matching.meant(place, text)
    else:
        stems, how = matching.by_its_function(text, str(place))
    if stems and not text.strip():
        reading.give_up(f"{place} is empty.")
        return
    if stems and encoding:
        reading.note(f"{place} is in {encoding}; it was read as that.")
    for stem in stems:
        yield Answer(stem, text, place, how)
    for stem in matching.besides(place, text):
        yield Answer(stem, text, place, f"{matching.BY_FUNCTION}, and not by its name")


def _looks_like_a_notebook(text: bytes) -> bool:
    return text.lstrip()[:1] == b"{" and b'"cells"' in text


def _in_notebook(place: PurePosixPath, data: bytes, reading: Reading) -> Iterator[Answer]:
    """Give each exercise's last cell; of those with the magic, if there is one."""
    found: dict[str, Answer] = {}
    try:
        for stem, text, how in notebooks.answers(data):
            if stem in found and bool(found[stem].how) < bool(how):
                continue
            if stem in found and bool(found[stem].how) == bool(how):
                reading.note(f"{place} has several cells for {stem}; the last one counts.")
            found[stem] = Answer(stem, text.encode("utf-8", "replace"), place, how)
    except notebooks.NoNotebook:
        reading.give_up(f"{place} is no notebook that can be read.")
    except Exception as error:
        # Whatever is the matter with it, what lies beside it is as it is.
        reading.give_up(f"{place} can't be read to its end ({type(error).__name__}).")
    yield from found.values()


def _by_elimination(
    theirs: Texts, answers: Sequence[Answer], exercises: Sequence[Exercise]
) -> Iterator[Answer]:
    """Where one exercise is graded and one file was handed in, that is what it must be."""
    programs = [place for place in theirs if matching.is_program(place)]
    if len(exercises) == 1 and len(programs) == 1 and not answers:
        text, _ = in_utf8(theirs[programs[0]])
        yield Answer(exercises[0].stem, text, programs[0], "as the only file")


def _choose(stem: str, answers: Sequence[Answer], reading: Reading) -> Answer:
    taken, *others = sorted((each for each in answers if each.stem == stem), key=lambda a: a.rank)
    others = [each.place for each in others if each.text != taken.text]
    if others:
        more = f" (and {len(others) - 1} more)" if others[1:] else ""
        reading.note(f"{stem}{MORE_THAN_ONCE}{taken.place} counts, not {others[0]}{more}.")
    if taken.how:
        reading.note(f"{taken.place} is taken for {stem}: found {taken.how}.")
    return taken


def _modules(answer: Answer, texts: Texts) -> Modules:
    """Find what an answer imports that lies beside it or above, and what that imports in turn."""
    found: Modules = {}
    waiting = [(answer.place, _alone(answer.text))]
    while waiting:
        place, text = waiting.pop()
        for name in sorted(set(matching.imported(text))):
            for known, other in _named(name, place, texts):
                if known not in found and len(found) < MOST_MODULES and other != answer.place:
                    found[known] = other, in_utf8(texts[other])[0]
                    waiting.append(found[known])
    return found


def _named(name: str, place: PurePosixPath, texts: Texts) -> list[tuple[str, PurePosixPath]]:
    """Find a module, or all of a package, in the nearest folder that has one of that name."""
    for folder in place.parents:
        there = [folder / f"{name}.py"] if folder / f"{name}.py" in texts else []
        if not there:
            package = folder / name
            there = [each for each in texts if each.is_relative_to(package)]
        known = [(str(each.relative_to(folder)), each) for each in there]
        if found := [each for each in known if _is_importable(each[0])]:
            return found
    return []


def _is_importable(name: str) -> bool:
    """Tell whether Python can import it, and every file system hold it."""
    parts = name.removesuffix(".py").split("/")
    plain = all(part.isidentifier() and len(part) <= LONGEST_MODULE for part in parts)
    return plain and name.endswith(".py") and len(parts) <= DEEPEST_MODULE


def _unmatched(texts: Texts, alone: bool) -> dict[str, str]:
    """Name what is for no exercise, though it may be meant for one: never a silent zero."""
    found = {}
    for place, text in sorted(texts.items()):
        if len(found) < MOST_UNMATCHED and _may_be_meant(place, text, alone):
            found[cut(str(place))] = matching.likeliest(place, in_utf8(text)[0])
    return found


def _may_be_meant(place: PurePosixPath, text: bytes, alone: bool) -> bool:
    if matching.is_notebook(place):
        return notebooks.holds_functions(in_utf8(text)[0])
    if not (matching.is_program(place) or alone or b"\ndef " in text):
        return False
    aside = place.name in NO_ANSWERS or place.name.startswith("test_")
    return bool(text.strip()) and not aside


def _of_bounded_size(submission: Submission) -> Submission:
    """Refuse texts that are together larger than any honest ones."""
    if sum(map(len, submission.texts.values())) <= MOST_BYTES:
        return submission
    why = f"All answers together are larger than {MOST_BYTES // 2**10} kB; they were left out."
    notes = (*submission.notes, why)
    return replace(submission, files={}, modules={}, notes=notes, unread=(why,))
