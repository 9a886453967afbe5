"""A run, one micro-batch at a time."""

import re

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.kit.results import result
from trainer.course.problem import Problem
from trainer.lessons.misused import STREAM
from trainer.lessons.stepper import DRAIN, Steps, step
from trainer.rows import at, fare

FARES = [[fare(1, tip=2.0), fare(2, tip=3.0)], [fare(3, at="13:30")]]
HOUR = {"window_end": at("13:00"), "tips": 5.0}


def steps():
    """Walk through a run of two micro-batches, and one more in which the query drains."""
    times = (None, "11:50", "13:20")
    return Steps(result([], [], [HOUR], state=[1, 2, 1], watermarks=times, given={"fares": FARES}))


def test_a_step_shows_all_four():
    """What comes in, watermark, state, what comes out."""
    first, second, last = steps()
    assert [len(grid.lines) for grid in first.inputs] == [2]
    assert (first.watermark, first.state, first.outputs) == ("none yet", 1, [])
    assert (second.watermark, second.note) == ("11:50:00", "")
    assert (last.inputs, last.note) == ([], DRAIN)
    assert [line.cells for grid in last.outputs for line in grid.lines] == [("13:00:00", "5")]


def test_a_page_holds_every_step():
    """Forward and back by labels, without a script."""
    page = steps()._repr_html_()
    assert [f"micro-batch {number} of 3" in page for number in (1, 2, 3)] == [True] * 3
    assert "<script" not in page


def test_both_buttons_stand_in_every_step():
    """Where there is no way to go, the button is still there, so that the other keeps its place."""
    headers = re.findall("<header.*?</header>", steps()._repr_html_(), re.DOTALL)
    there = [re.findall(r"<(label|i) .*?>(← back|forward →)", header) for header in headers]
    back, forward = "← back", "forward →"
    assert there == [
        [("i", back), ("label", forward)],
        [("label", back), ("label", forward)],
        [("label", back), ("i", forward)],
    ]


def test_where_styles_are_taken_out_one_step_is_open():
    """And all of them can be unfolded, as text."""
    page = re.sub("<style>.*?</style>", "", steps()._repr_html_(), flags=re.DOTALL)
    assert re.findall("<section(.*?)>", page) == ["", *2 * [' style="display:none"']]
    assert "<details><summary>all 3 micro-batches" in page
    assert "micro-batch 3: watermark 13:20:00" in page


def test_a_step_says_what_changed_in_state():
    """How many rows more than before, or fewer."""
    held = [step.held for step in steps()]
    assert held == ["1 row", "2 rows, 1 more", "1 row, 1 fewer"]


def test_the_same_walk_gives_the_same_page():
    """What a notebook shows can be compared; another walk has other names for its buttons."""
    other = Steps(result([], [HOUR], state=[2, 1], watermarks=(None, "11:50"), given={"fares": []}))
    names = [re.search(r"steps-\w+", page._repr_html_())[0] for page in (steps(), steps(), other)]
    assert names[0] == names[1] != names[2]


def test_plain_text_shows_all_steps():
    """One below the other."""
    lines = repr(steps()).splitlines()
    assert lines[0] == "micro-batch 1: watermark none yet, 1 rows of state"
    assert "tips 5" in lines[-1]


def tips_by_hour(fares, hours=1):
    """Stand for a learner's function, which isn't called here."""
    raise AssertionError


TAKES = "tips_by_hour takes fares and hours"
EXAMPLE = "step(tips_by_hour, fares=[[…], […]])."


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, f"step() was given no stream; {TAKES}. {STREAM}: {EXAMPLE}"),
        (
            {"fares": FARES[0]},
            f"step() was given fares, but no stream; {TAKES}. {STREAM}: {EXAMPLE}",
        ),
        ({"fares": FARES, "bananas": True}, f"step() was given bananas; {TAKES}."),
        (
            {"hours": FARES, "state_held": True},
            f"step() was not given fares; {TAKES}: {EXAMPLE}",
        ),
    ],
    ids=["nothing", "a table", "a keyword mistyped", "not all"],
)
def test_a_step_that_is_not_given_what_it_takes_says_so(given, told):
    """What was given and what was expected; the function isn't to blame."""
    with pytest.raises(Problem) as problem:
        step(tips_by_hour, **given)
    assert str(problem.value) == told


@pytest.mark.parametrize("first", [42, "ch99_nothing"])
def test_a_step_of_no_function_says_so(first):
    """Nor of an exercise that there is not."""
    with pytest.raises(Problem):
        step(first, fares=FARES)


def test_in_a_notebook_a_problem_is_one_line(capsys):
    """No traceback through files that are none of the learner's."""
    shell = InteractiveShell()
    shell.push({"step": step, "tips_by_hour": tips_by_hour})
    shell.run_cell("step(tips_by_hour)")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("step() was given no stream; ")
