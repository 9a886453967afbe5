"""Which of several exercises that ask for a function of one name a text is for."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from trainer.course.exercise import find

WORD = re.compile(r"[a-z_][a-z0-9_]{2,}")
# So many words of one exercise's own more than of another's, or it is chance.
CLEARLY = 3


def told_apart(stems: Sequence[str], text: bytes, around: str = "") -> tuple[str, ...]:
    """Choose by what is named around it, in it, and by the words of the stubs; else give all.

    `around` is a place, with its folders, or the heading above a cell.
    """
    if len(stems) < 2:
        return tuple(stems)
    plain = text.decode("utf-8", "replace")
    for chosen in (_most(stems, lambda stem: _named(stem, around)), _by_text(stems, plain)):
        if len(chosen) == 1:
            return chosen
    return tuple(stems)


def _by_text(stems: Sequence[str], text: str) -> tuple[str, ...]:
    """Choose the exercise that is named in a text, or else whose own words it has."""
    by_name = _most(stems, lambda stem: _named(stem, text))
    words = set(WORD.findall(text.lower()))
    counts = sorted((len(words & _own_words(stem, tuple(stems))), stem) for stem in stems)
    (second, _), (most, likeliest) = counts[-2:]
    by_words = (likeliest,) if most - second >= CLEARLY else ()
    return by_name if len(by_name) == 1 else by_words


def _most(stems: Sequence[str], tell: Callable[[str], int]) -> tuple[str, ...]:
    """Give those of which most is told, if anything is."""
    told = {stem: tell(stem) for stem in stems}
    most = max(told.values())
    return tuple(stem for stem in stems if most and told[stem] == most)


def _named(stem: str, text: str) -> int:
    """Tell how plainly a text names an exercise: 2 by itself, 1 by its chapter, 0 not at all."""
    words = "_".join(re.findall(r"[a-z0-9]+", text.lower()))
    for plain, names in ((2, _names(stem)), (1, _chapter(stem))):
        if any(re.search(rf"(?<![a-z0-9])(?:{name})(?![a-z0-9])", words) for name in names):
            return plain
    return 0


def _names(stem: str) -> Iterator[str]:
    exercise = find(stem)
    yield from (stem, exercise.name, exercise.name.replace("_", ""))
    yield rf"(?:ch(?:apter)?_?)?0?{exercise.chapter}_?{exercise.letter}"


def _chapter(stem: str) -> Iterator[str]:
    yield rf"(?:ch(?:apter)?_?0?|0){find(stem).chapter}"


@cache
def _own_words(stem: str, stems: tuple[str, ...]) -> frozenset[str]:
    """Give the words that stand in the stub of one of these exercises alone."""
    texts = {each: find(each).issued.read_text(encoding="utf-8").lower() for each in stems}
    others = {word for each in stems if each != stem for word in WORD.findall(texts[each])}
    return frozenset(WORD.findall(texts[stem])) - others
