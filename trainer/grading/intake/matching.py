"""Which exercise a program is for: told by its file's name, and by the functions in it."""

import ast
import difflib
import re
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

from trainer.course.exercise import Exercise, exercises
from trainer.grading.intake.telling_apart import told_apart

# What editors, browsers and mail programs add to a name.
ANY_CASE = re.IGNORECASE | re.DOTALL
PROGRAM = re.compile(r"(?P<base>.+?)\.py(?:w|\.txt)?(?: ?\(\d+\))?", ANY_CASE)
NOTEBOOK = re.compile(r"(?P<base>.+?)\.ipynb(?:\.txt|\.json)?(?: ?\(\d+\))?", ANY_CASE)
TEXT = re.compile(r"(?P<base>.+?)(?:\.txt)?", ANY_CASE)
FUNCTION = re.compile(rb"^def[ \t]+([a-z_]{1,40})[ \t]*\(", re.MULTILINE)
PLACE = re.compile(r"ch0*(\d{1,2})([a-z])")
LIKELY = 0.5
BY_FUNCTION = "by the function in it"
OF_SEVERAL = f"{BY_FUNCTION}, which more than one exercise asks for"
# What people also call a text that holds a program: an answer to whatever exercise it defines.
TEXTS = {"", ".txt", ".text", ".md", ".json", ".bak", ".old", ".orig", ".download"}
COMPILED = (".pyc", ".pyo", ".pyd")
# Words by which people tell versions apart.
OLD = {"old", "alt", "backup", "draft", "archive", "previous", "copy", "kopie", "unused"}
LAST = {"final", "new", "neu", "latest", "last", "submit", "submission"}


@cache
def course() -> tuple[Exercise, ...]:
    """List the exercises once: each file of each student is held against them."""
    return tuple(exercises())


@cache
def functions() -> dict[str, tuple[str, ...]]:
    """Give the exercises of each function: one mostly, but two may ask for the same name."""
    names = dict.fromkeys(each.function for each in course())
    return {name: tuple(e.stem for e in course() if e.function == name) for name in names}


def is_notebook(place: PurePosixPath) -> bool:
    """Tell a notebook by its name."""
    return bool(NOTEBOOK.fullmatch(place.name))


def is_program(place: PurePosixPath) -> bool:
    """Tell a program by its name: `.py`, also in disguise, or the name of an exercise."""
    if PROGRAM.fullmatch(place.name):
        return True
    return bool(TEXT.fullmatch(place.name) and place.suffix in ("", ".txt") and named(place))


def may_hold_one(place: PurePosixPath) -> bool:
    """Tell whether a text that is no program by its name may hold one all the same."""
    name = place.name.lower()
    return place.suffix.lower() in TEXTS or (".py" in name and not name.endswith(COMPILED))


def named(place: PurePosixPath) -> list[str]:
    """Tell for which exercises a file is by its name; of names in one another the longest."""
    if place.name.startswith("test_"):
        return []
    found = {}
    words = "_".join(_words(_base(place)))
    for each in course():
        for name in (each.stem, each.name, each.name.replace("_", "")):
            for match in re.finditer(rf"(?<![a-z0-9]){name}(?![a-z0-9])", words):
                found.setdefault(match.span(), each.stem)
    spans = [one for one in found if not any(_inside(one, other) for other in found)]
    return sorted({found[span] for span in spans}) or _by_place(words)


def _base(place: PurePosixPath) -> str:
    match = PROGRAM.fullmatch(place.name) or NOTEBOOK.fullmatch(place.name)
    return (match or TEXT.fullmatch(place.name))["base"]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def _by_place(words: str) -> list[str]:
    """Tell by the chapter and letter alone: `ch04a`, `ch4a_final`."""
    matches = filter(None, map(PLACE.fullmatch, words.split("_")))
    places = {(int(match[1]), match[2]) for match in matches}
    return [each.stem for each in course() if (each.chapter, each.letter) in places]


def newest_first(place: PurePosixPath) -> tuple:
    """Order versions of one thing as people number them: the last first, `final` before those."""
    words = set(_words(str(place)))
    numbers = tuple(-int(digits[:9]) for digits in re.findall(r"[0-9]+", str(place)))
    return (not LAST & words, *numbers, 0)


def is_put_aside(place: PurePosixPath) -> bool:
    """Tell what its owner has put aside, by a word in its name or a folder's."""
    return bool(OLD & set(_words(str(place))))


def exactly_named(place: PurePosixPath) -> bool:
    """Tell whether a file has the name of a stub, or one that holds it."""
    return place.suffix == ".py" and any(stem in place.stem for stem in named(place))


def defined(text: bytes, around: str = "") -> list[str]:
    """Tell for which exercises a text is by the functions that it defines.

    Of several that ask for a function of that name it is for one, if the text or what stands around
    it, a folder or a heading, tells; else it may be for each of them.
    """
    known = [functions()[name] for name in _defined(text) if name in functions()]
    chosen = [told_apart(stems, text, around) for stems in known]
    return list(dict.fromkeys(stem for stems in chosen for stem in stems))


def bound(stem: str) -> list[str]:
    """Give the name of the function that an exercise asks for."""
    return [name for name, known in functions().items() if stem in known]


def _possible(text: bytes) -> set[str]:
    """Give all exercises that ask for a function of a name that a text defines."""
    return {stem for name in _defined(text) for stem in functions().get(name, ())}


def _defined(text: bytes) -> list[str]:
    tree = parsed(text)
    if tree is None:
        # Python can't read it, and will say so; whose answer it is can be seen all the same.
        return [name.decode() for name in FUNCTION.findall(text)]
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and _may_be_called(node)]
    names = [each.id for node in assigned for each in node.targets if isinstance(each, ast.Name)]
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] + names


def _may_be_called(assigned: ast.Assign) -> bool:
    """Tell what may be a function from rows: `totals = by_hour.agg(…)` is no answer to `totals`."""
    made = assigned.value
    of_something = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
    return not of_something or made.func.attr == "partial"


def parsed(text: bytes | str) -> ast.Module | None:
    """Read a text as Python; nothing where that can't be done."""
    try:
        with warnings.catch_warnings():
            # What Python has to say of their text is not for whoever reads it here.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def meant(place: PurePosixPath, text: bytes) -> tuple[list[str], str]:
    """Tell for which exercises a program is, and how that was found if its name does not say."""
    by_name, possible = named(place), _possible(text)
    if exactly_named(place):
        return by_name, ""
    agreed = [stem for stem in by_name if stem in possible]
    if agreed or not possible:
        return agreed or by_name, "by its name"
    return by_its_function(text, str(place))


def by_its_function(text: bytes, around: str) -> tuple[list[str], str]:
    """Tell for which exercises a text is by its functions, and whether that is sure."""
    found = defined(text, around)
    names = [name for name in functions() if len(set(functions()[name]) & set(found)) > 1]
    return found, OF_SEVERAL if names else BY_FUNCTION


def besides(place: PurePosixPath, text: bytes) -> list[str]:
    """Tell for which exercises a program is besides: by its functions, where its name misleads."""
    by_name, by_function = named(place), defined(text)
    misled = exactly_named(place) and not set(by_name) & set(by_function)
    return by_function if misled else []


def likeliest(place: PurePosixPath, text: bytes) -> str:
    """Guess for which exercise something is that is for none by its name and functions."""
    known = {each.name: each.stem for each in course()}
    known |= {name: stems[0] for name, stems in functions().items()}
    words = ["_".join(_words(_base(place))), *_defined(text)]
    scored = [(_likeness(word, name), known[name]) for word in words for name in known]
    best = max(scored, default=(0, ""))
    return best[1] if best[0] >= LIKELY else ""


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one[:100], other).ratio()


def imported(text: bytes) -> Iterator[str]:
    """Name the modules that a program imports, wherever in it that stands."""
    tree = parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]
