"""What a batch says while it runs and at its end: how far it is, how long it takes yet, who."""

import io
import re
from dataclasses import astuple, replace

import pytest
from rich.console import Console

from tests.kit import grades as made
from trainer.course.exercise import find
from trainer.grading.book.compare import Change
from trainer.grading.book.texts import fingerprint
from trainer.grading.pages import telling
from trainer.grading.pages.bars import Collecting, Grading
from trainer.grading.pages.pace import Pace, in_words

FIRST, SECOND = "ch01a_ride_cleansing", "ch01b_quarantine"


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock():
    """Give a clock that stands still until it is told otherwise."""
    return Clock()


def test_nothing_is_said_of_the_time_before_anything_was_measured(clock):
    """A number would be made up; who handed in nothing says nothing about the others."""
    pace = Pace({"ann": [FIRST], "bob": [], "cem": []}, 1, clock)
    assert in_words(pace.left) == "time left not known yet"
    pace.judged("bob", {FIRST: 0.0})
    assert pace.left is None
    pace.judged("ann", {FIRST: 40.0})
    assert pace.left == 0


def test_the_time_left_is_that_of_the_exercises_to_be_run(clock):
    """Each takes what it took others, side by side; whoever has nothing takes no time."""
    waiting = {f"s{number}": [FIRST] for number in range(4)} | {"e1": [], "e2": []}
    pace = Pace({"ann": [FIRST, SECOND], **waiting}, 2, clock)
    pace.judged("ann", {FIRST: 100.0, SECOND: 20.0})
    assert pace.left == 4 * 100 / 2
    assert in_words(pace.left) == "about 4 min left"


def test_an_exercise_that_nobody_has_run_yet_takes_what_others_take(clock):
    """Something has to be said, and the first of two is the best there is."""
    pace = Pace({"ann": [FIRST], "bob": [SECOND]}, 1, clock)
    pace.judged("ann", {FIRST: 30.0})
    assert pace.left == 30


def test_what_has_been_done_of_somebody_s_is_not_left(clock):
    """The clock goes on between two students."""
    pace = Pace({"ann": [FIRST], "bob": [FIRST], "cem": [FIRST]}, 1, clock)
    pace.judged("ann", {FIRST: 30.0})
    pace.started("bob")
    clock.now = 20
    assert pace.left == 10 + 30
    clock.now = 500
    assert pace.left == 30


def test_one_student_s_exercises_are_not_run_side_by_side(clock):
    """More jobs than students help nobody."""
    pace = Pace({"ann": [FIRST], "bob": [FIRST] * 5, "cem": [FIRST]}, 4, clock)
    pace.judged("ann", {FIRST: 10.0})
    assert pace.left == 50


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (0, "less than a minute left"),
        (61, "about 2 min left"),
        (7100, "about 119 min left"),
        (9000, "about 2.5 h left"),
    ],
)
def test_time_is_told_as_exactly_as_it_is_known(left, words):
    """Seconds would be a lie."""
    assert in_words(left) == words


def screen(width: int = 80) -> Console:
    """Give a terminal that keeps what it showed."""
    return Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)


def drawn(bar) -> str:
    """Draw a bar as it is now."""
    console = screen()
    console.print(bar.bar.get_renderable())
    return console.file.getvalue().rstrip()


def test_the_bar_says_how_far_it_is_how_long_it_takes_and_who_is_graded(clock):
    """On one line, whatever names are like."""
    work = {"[red]ann": [FIRST], "bob" * 30: [FIRST], "cem": [FIRST]}
    bar = Grading(["[red]ann", "bob" * 30, "cem", "dee"], work, 2, screen(), clock)
    bar.started("[red]ann")
    bar.started("bob" * 30)
    assert "Grading: 1 of 4" in drawn(bar)
    assert "time left not known yet [red]ann, bobb" in drawn(bar)
    bar.judged("[red]ann", {FIRST: 90.0})
    assert "about 2 min left bobbob" in drawn(bar)
    bar.tell(replace(made.CORRECT, student="[red]ann"))
    bar.started("cem")
    assert "Grading: 2 of 4" in drawn(bar)
    assert "about 2 min left bobbob" in drawn(bar)
    assert len(drawn(bar).splitlines()) == 1


def test_the_bar_for_reading_names_whose_it_is():
    """A large archive takes its time."""
    bar = Collecting(3, screen())
    bar.tell("ann")
    assert "Reading what was handed in: 1 of 3" in drawn(bar)
    assert drawn(bar).endswith("ann")


def test_what_nobody_touched_is_counted():
    """Who hands in one exercise has one line, not one that names all there are."""
    console = Console(file=io.StringIO(), width=80)
    student = replace(made.CORRECT, student="ann")
    untouched = [replace(student.exercises[0], verdict="untouched") for _ in range(24)]
    with Grading(["ann"], {"ann": [FIRST]}, 1, console) as bar:
        bar.tell(replace(student, exercises=[*untouched[:20], *student.exercises, *untouched[20:]]))
    line = console.file.getvalue()
    assert line.count("ch01a") == 1 and line.rstrip().endswith("24 untouched")


def test_where_no_bar_can_be_drawn_lines_say_how_far_it_is(clock):
    """One for each student, and once in a while how long it will take."""
    console = Console(file=io.StringIO(), width=80)
    students = ["ann", "bob", "cem", "dee"]
    with Grading(students, {key: [FIRST] for key in students}, 1, console, clock) as bar:
        for student in students:
            clock.now += 50
            bar.judged(student, {FIRST: 50.0})
            bar.tell(replace(made.CORRECT, student=student))
    lines = [line.split("  ")[0] for line in console.file.getvalue().splitlines()]
    assert lines == ["ann", "bob", "2 of 4, about 2 min left, 72 students an hour", "cem", "dee"]


LONG = Change(
    *("name-of-many-letters" * 4, FIRST, "wrong, 0 of 1", "correct, 1 of 1"),
    "the kit changed; " + "; ".join(f"test_number_{n}: failed, now passed" for n in range(9)),
)
SHORT = Change("ann", FIRST, "wrong, 0 of 1", "correct, 1 of 1", "the seed changed")


def test_changes_fit_a_terminal():
    """Names and words stay whole, however long all of it is."""
    console = screen()
    telling.comparison([SHORT, LONG], console)
    lines = console.file.getvalue().splitlines()
    assert [line.rstrip() for line in lines[:3]] == [
        f"ann  {FIRST}",
        "    wrong, 0 of 1 → correct, 1 of 1",
        "    the seed changed",
    ]
    assert max(map(len, lines)) <= 80
    words = " ".join(lines).split()
    assert [each for each in LONG.why.split() if each not in words] == []
    assert lines[-1] == "2 grades changed."


def test_changes_are_whole_where_no_terminal_is():
    """One line for each, in columns, however wide."""
    console = Console(file=io.StringIO(), width=80)
    telling.comparison([SHORT, LONG], console)
    head, *lines, count = console.file.getvalue().splitlines()
    assert head.split() == ["student", "exercise", "before", "after", "why"]
    for change, line in zip((SHORT, LONG), lines, strict=True):
        assert re.split(r"  +", line) == [*astuple(change)]
        assert line.index(FIRST) == head.index("exercise")
    assert count == "2 grades changed."


def test_the_summary_points_out_what_was_handed_in_alike(tmp_path):
    """In one line, not one for each."""
    console = Console(file=io.StringIO(), width=80)
    exercises = [replace(made.CORRECT.exercises[0], exercise=f"x{n}", text="1") for n in range(5)]
    grades = [replace(made.CORRECT, student=s, exercises=tuple(exercises)) for s in ("ann", "bob")]
    telling.summary(grades, tmp_path, console)
    assert console.file.getvalue().splitlines()[1:] == [
        "Handed in alike: x0 by ann, bob; x1 by ann, bob; x2 by ann, bob; 2 more."
    ]


def test_a_text_is_named_whatever_ends_its_lines():
    """A stub, and a file without text, are nobody's own."""
    exercise = find("ride_cleansing")
    issued = exercise.issued.read_bytes()
    assert fingerprint(exercise, b"a = 1\nb = 2\n") == fingerprint(exercise, b"a = 1 \r\nb = 2")
    assert fingerprint(exercise, b"a = 1") != fingerprint(exercise, b" a = 1")
    for text in (None, b"", b" \n", issued, issued.replace(b"\n", b"\r\n")):
        assert fingerprint(exercise, text) == ""
