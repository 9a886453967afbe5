"""Answers that are alike: what hides it, what doesn't, and what is not counted."""

import ast
import random
import re
from types import SimpleNamespace

import pytest

from tests.kit import grades as made
from trainer.course.clone import ROOT
from trainer.course.exercise import exercises, find
from trainer.grading import likeness
from trainer.grading.book import similar as book
from trainer.grading.book.similar import FEWEST, LEAST, MOST_HAVE, from_csv, similar, to_csv
from trainer.grading.intake.collect import Submission
from trainer.grading.intake.prints import prints, tokens
from trainer.grading.pages import overview_page

EXERCISE = find("popular_places")
STUB = EXERCISE.issued.read_bytes()
SOLUTION = EXERCISE.solution.read_text()
ALIKE = {
    "comments": re.sub(r"(?<=\))$", "  # mine", SOLUTION, flags=re.MULTILINE),
    "layout": ast.unparse(ast.parse(SOLUTION)),
    "names": re.sub(r"\brides\b", "taxi_stream", SOLUTION),
}
PLAIN = 'def f(a):\n    b = a.where("x")\n    return b.groupBy(window).count()\n'
LAID_OUT = """def f(a):
  '''Mine.'''
  b = (a
    .where('x'))  # mine

  return (b.groupBy(window).count())"""


def own(text: str) -> frozenset[int]:
    """Give the fingerprints of an answer."""
    return prints(text.encode(), STUB)


def share(one: frozenset[int], other: frozenset[int]) -> float:
    """Tell how alike two are."""
    return len(one & other) / max(1, min(len(one), len(other)))


def test_comments_and_layout_hide_nothing():
    """Nor do docstrings, quotes and parentheses: the tree is the same."""
    assert tokens(PLAIN.encode()) == tokens(LAID_OUT.encode())


def test_renamed_variables_hide_nothing():
    """Variables, parameters, functions, aliases of modules; Spark's own words stay."""
    one = "import a as F\ndef f(x):\n    y = F.col(x)\n    return y.where(y > 3).dropDuplicates()\n"
    other = re.sub(r"\b([Fxyf])\b", r"my_\1", one)
    assert tokens(one.encode()) == tokens(other.encode())
    assert tokens(one.encode()) != tokens(one.replace("where", "limit").encode())


@pytest.mark.parametrize("what", ALIKE)
def test_a_copy_is_found(what):
    """Whatever was done to its looks."""
    assert ALIKE[what] != SOLUTION
    assert share(own(SOLUTION), own(ALIKE[what])) > 0.95


def test_answers_thought_of_apart_are_not_alike():
    """The solution and what was written another way, for every exercise."""
    for exercise in exercises():
        stub = exercise.issued.read_bytes()
        solution = prints(exercise.solution.read_bytes(), stub)
        text = (ROOT / "tests" / "alternatives" / f"{exercise.stem}.py").read_text()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                found = prints(ast.unparse(node).encode(), stub)
                assert share(solution, found) < LEAST, (exercise.stem, node.name)


def test_the_stub_s_own_text_does_not_count():
    """Who changed nothing has no fingerprints."""
    assert own(STUB.decode()) == frozenset()
    assert 0 < len(own(SOLUTION)) < len(prints(SOLUTION.encode(), b""))


@pytest.mark.parametrize("text", ["def f(:\n  x = 1", "\0", "(" * 10_000, "'''", "\t\n x\n  y\n z"])
def test_what_is_no_python_is_compared_as_far_as_it_goes(text):
    """And whatever it is, it is no error."""
    assert isinstance(own(text), frozenset)


def pairs(prints: dict[str, frozenset[int]]) -> list[tuple[str, str, int]]:
    """List the pairs that are alike."""
    return [(each.one, each.other, each.percent) for each in similar("x", prints)]


def numbers(*spans: tuple[int, int]) -> frozenset[int]:
    """Make fingerprints up."""
    return frozenset(each for span in spans for each in range(*span))


def test_pairs_are_listed_with_their_likeness():
    """The most alike first; by the shorter of the two: who adds lines hides nothing."""
    found = pairs(
        {
            "ann": numbers((0, 50)),
            "bob": numbers((0, 50)),
            "cem": numbers((0, 40), (100, 300)),
            "dee": numbers((20, 35), (300, 400)),
            "eve": numbers((400, 450)),
        }
    )
    assert found == [("ann", "bob", 100), ("ann", "cem", 80)]


def test_what_many_have_is_no_sign():
    """It was said to all; what is handed in the very same is listed all the same, once each."""
    common = numbers((0, 30))
    those = {f"s{n:02}": common | numbers((100 + n, 101 + n)) for n in range(MOST_HAVE + 2)}
    assert pairs(those) == []
    assert len(pairs(dict.fromkeys(those, common))) == len(those) - 1


def test_short_texts_say_nothing():
    """Two lines are alike by accident."""
    assert pairs({"ann": numbers((0, 5)), "bob": numbers((0, 5))}) == []
    assert pairs({"ann": numbers((0, 50)), "bob": numbers((0, FEWEST - 1))}) == []
    assert pairs({"ann": numbers((0, 50)), "bob": numbers((0, FEWEST))}) != []


BOTH = """    start = is_in_nyc(rides.start_lon, rides.start_lat)
    end = is_in_nyc(rides.end_lon, rides.end_lat)
    return rides.filter(start & end)
"""
COLUMNS = """    return rides.where(
        is_in_nyc(F.col("start_lon"), F.col("start_lat"))
        & is_in_nyc(F.col("end_lon"), F.col("end_lat"))
    )
"""
SHORT = (BOTH, BOTH.replace("&", "and"), COLUMNS, COLUMNS.replace("where", "filter"))
TIPS = """    tips = fares.withWatermark("start_time", "10 minutes").groupBy(
        F.window("start_time", "1 hour"), "driver_id"
    ).agg(F.sum("tip").alias("total_tips"))
    rank = F.struct("total_tips", -F.col("driver_id"))
    best = F.max_by(F.struct("driver_id", "total_tips"), rank)
    return tips.groupBy("window").agg(best.alias("b")).select("window.end", "b.*")
"""
WITH_FUNCTIONS = "from pyspark.sql import functions as F\n"


def in_stub(name: str, *bodies: str) -> dict[str, frozenset[int]]:
    """Give the fingerprints of answers that are written where the stub leaves room."""
    stub = find(name).issued.read_text()
    above = WITH_FUNCTIONS + stub.partition("    # TODO")[0]
    return {body: prints((above + body).encode(), stub.encode()) for body in bodies}


def test_two_lines_are_listed_by_nobody_and_ten_are():
    """There are few ways to write 1a, right or crashed; an answer to 4a has enough of its own."""
    short = in_stub("1a", *SHORT)
    assert share(short[SHORT[0]], short[SHORT[1]]) > 0.9
    assert pairs(short) == []
    copy = TIPS.replace("rank", "mine").replace('"window.end"', 'F.col("window.end")')
    ((*_, percent),) = pairs(in_stub("4a", TIPS, copy))
    assert 90 < percent < 100


def test_a_thousand_take_no_million_comparisons(monkeypatch):
    """Only who shares what few have is looked at."""
    draw, looked, real = random.Random(7), [], book._candidates

    def candidates(texts):
        looked.extend(real(texts))
        return looked

    monkeypatch.setattr(book, "_candidates", candidates)
    those = {
        f"s{n}": numbers((0, 20)) | frozenset(draw.sample(range(1000, 10**6), 60))
        for n in range(1000)
    }
    those["copy"] = those["s1"] | numbers((10**7, 10**7 + 5))
    assert pairs(those) == [("copy", "s1", 100)]
    assert len(looked) < 100


def test_what_was_handed_in_is_compared_by_exercise():
    """In a process of its own; each student is told of; an untouched stub is like nobody's."""
    told = []
    texts = {
        "ann": SOLUTION,
        "bob": ALIKE["names"],
        "cem": STUB.decode(),
        "dee": STUB.decode() + "\n",
    }
    handed_in = [Submission(name, {EXERCISE.stem: text.encode()}) for name, text in texts.items()]
    found = likeness.compared(SimpleNamespace(exercises=[EXERCISE]), handed_in, told.append)
    names = [(each.exercise, each.one, each.other) for each in found]
    assert names == [(EXERCISE.stem, "ann", "bob")]
    assert found[0].percent > 95
    assert told == [*texts]
    assert from_csv(to_csv(found)) == found
    assert from_csv("broken") == from_csv("") == []


def test_the_overview_says_that_it_is_no_verdict():
    """And how alike they are."""
    found = similar(made.STEM, {"ann": numbers((0, 50)), "<bob>": numbers((0, 50))})
    files = {each.student: "x" for each in made.ALL}
    page = overview_page.page(made.ALL, "none", files, None, found)
    assert "this is no verdict" in page and "100 %" in page and "&lt;bob&gt;" in page
