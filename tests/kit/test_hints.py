"""Hints come one by one, and the solution after them."""

import ast
import re

import pytest

from trainer.course.exercise import exercises, find
from trainer.course.problem import Problem
from trainer.learner.hints import hints, next_hint, solution
from trainer.learner.progress import Progress


@pytest.fixture
def progress(tmp_path):
    """Progress in a file of the test's own."""
    return Progress(tmp_path / "progress.json")


@pytest.fixture
def exercise():
    """Any exercise."""
    return find("ride_cleansing")


def test_each_call_goes_one_step_further(exercise, progress):
    """First one hint, then two, then three; then it stays."""
    first, second, third = hints(exercise)
    assert next_hint(exercise, progress) == ([first], 2)
    assert next_hint(exercise, progress) == ([first, second], 1)
    assert next_hint(exercise, progress) == ([first, second, third], 0)
    assert next_hint(exercise, progress) == ([first, second, third], 0)
    assert progress.of(exercise.stem).hints == 3


def test_the_solution_stays_shut_at_first(exercise, progress):
    """One line says how many hints are left to read, and how to see it anyway."""
    next_hint(exercise, progress)
    with pytest.raises(Problem, match=r"read all 3 hints; you have read 1\. .*--spoil"):
        solution(exercise, progress)


def test_the_solution_opens_after_a_correct_answer(exercise, progress):
    """Who solved it may compare."""
    progress.attempted(exercise.stem, "correct")
    assert "def cleanse" in solution(exercise, progress)


def test_the_solution_opens_after_all_hints(exercise, progress):
    """Who has read all there is to read may see the end."""
    for _ in range(3):
        next_hint(exercise, progress)
    assert "def cleanse" in solution(exercise, progress)


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.stem)
def test_a_solution_is_shown_without_its_hints(exercise, progress):
    """What is shown is the code as it runs, less the hints."""
    shown = solution(exercise, progress, spoil=True)
    assert "HINTS" not in shown
    assert exercise.function in [getattr(node, "name", "") for node in ast.parse(shown).body]


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.stem)
def test_code_in_hints_stands_on_its_own_lines(exercise):
    """Prose holds names and no more, each in backticks; a call with arguments stands in a fence."""
    for hint in hints(exercise):
        prose = re.sub(r"^```\n.*?\n```$", "", hint, flags=re.MULTILINE | re.DOTALL)
        assert "```" not in prose
        spans = re.findall(r"`([^`]+)`", prose)
        assert [span for span in spans if len(span) > 30 or "(…" in span or " = " in span] == []
        bare = re.sub(r"`[^`]+`", "", prose)
        assert re.findall(r"\w+[._]\w+|\w\(|==|<=|\w+\[", bare) == []
        for code in re.findall(r"^```\n(.*?)\n```$", hint, flags=re.MULTILINE | re.DOTALL):
            assert max(map(len, code.splitlines())) <= 75
