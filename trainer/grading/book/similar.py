"""Which answers of different students are alike, and how much: for a person to look at.

All texts of an exercise go into one index of fingerprints. Only who shares rare ones is compared:
the work grows with the number of students, not with that of pairs.
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from itertools import combinations

from trainer.course.csv_table import text_of

# What more than so many have is the usual way to say it, or was said to all.
MOST_HAVE = 10
# Less than so much in common is an accident of two texts, and so is anything where one of them has
# fewer fingerprints of its own: two lines of 1a have up to 18, and a short answer to 4a has 20. The
# very same texts are listed however short they are: see texts.py.
FEWEST, LEAST = 20, 0.7
FEWEST_RARE = 4
MOST_LISTED = 1000

Prints = frozenset[int]


@dataclass(frozen=True)
class Similar:
    """Two students whose answers to an exercise are alike, by so many percent of the shorter."""

    exercise: str
    one: str
    other: str
    percent: int


def similar(exercise: str, prints: Mapping[str, Prints]) -> list[Similar]:
    """List the pairs that are alike; `prints` are the fingerprints of each student's answer."""
    # Who handed in the very same counts once: a class that copied from one has no common way.
    same: dict[Prints, list[str]] = defaultdict(list)
    for student, own in sorted(prints.items()):
        if len(own) >= FEWEST:
            same[own].append(student)
    texts = list(same)
    found = [
        Similar(exercise, one, other, 100)
        for students in same.values()
        for one, other in _in_a_chain(students)
    ]
    for one, other in _candidates(texts):
        share = len(texts[one] & texts[other]) / min(len(texts[one]), len(texts[other]))
        if share >= LEAST:
            first, second = sorted((same[texts[one]][0], same[texts[other]][0]))
            found.append(Similar(exercise, first, second, int(100 * share)))
    return sorted(found, key=lambda each: (-each.percent, each.one, each.other))[:MOST_LISTED]


def _in_a_chain(students: list[str]) -> Iterable[tuple[str, str]]:
    """Pair each with the first: a hundred that are the same are a hundred lines, not 4,950."""
    return ((students[0], other) for other in students[1:])


def _candidates(texts: list[Prints]) -> Iterable[tuple[int, int]]:
    """Find the pairs that share enough of what few have."""
    having: dict[int, list[int]] = defaultdict(list)
    for at, own in enumerate(texts):
        for each in own:
            having[each].append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for several in having.values():
        if len(several) <= MOST_HAVE:
            shared.update(combinations(several, 2))
    return (pair for pair, count in sorted(shared.items()) if count >= FEWEST_RARE)


def to_csv(found: Iterable[Similar]) -> str:
    """Write them as a table."""
    return text_of([[each.name for each in fields(Similar)], *map(astuple, found)])


def from_csv(text: str) -> list[Similar]:
    """Read the table."""
    try:
        _, *lines = csv.reader(io.StringIO(text))
        return [Similar(*names, int(percent)) for *names, percent in lines]
    except (ValueError, TypeError, csv.Error):
        return []
