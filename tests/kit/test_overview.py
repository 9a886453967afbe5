"""How far one has come, and what comes next."""

import io

import pytest
from rich.console import Console

from trainer.course.exercise import Exercise, exercises
from trainer.learner import overview
from trainer.learner.progress import Progress

FIRST, SECOND, THIRD, *_, LAST = exercises()


@pytest.fixture
def progress(tmp_path, monkeypatch):
    """Progress in a file of the test's own, where all stubs have been edited."""
    monkeypatch.setattr(overview, "is_untouched", lambda exercise: False)
    return Progress(tmp_path / "progress.json")


def shown(told, width):
    """Print as a terminal of this width does; give its lines."""
    console = Console(file=io.StringIO(), width=width)
    console.print(told)
    return console.file.getvalue().splitlines()


def test_the_first_of_all_is_the_first(progress):
    """Nothing was tried."""
    assert overview.next_exercise(progress) == FIRST
    assert overview.at_hand(progress) == FIRST


def test_what_is_skipped_is_left_behind(progress):
    """Whoever has gone on to the second is sent to the third, and told of the first."""
    progress.attempted(SECOND.stem, "correct")
    assert overview.next_exercise(progress) == THIRD
    assert overview.skipped(THIRD, progress) == [FIRST]


def test_what_was_solved_and_is_wrong_now_is_told_in_the_words_of_the_list(progress):
    """It isn't called unsolved."""
    progress.attempted(FIRST.stem, "correct")
    progress.attempted(FIRST.stem, "wrong")
    console = Console(file=io.StringIO(), width=200)
    overview.tell_next(THIRD, progress, console)
    assert console.file.getvalue().splitlines()[-2:] == [
        f"Before it, not solved yet: {SECOND.stem}.",
        f"Before it, solved before, wrong now: {FIRST.stem}.",
    ]
    listed = shown(overview.table(progress), 200)
    assert any("Solved before, wrong now: " in each for each in listed)


def test_what_was_skipped_comes_after_the_last(progress):
    """Nothing is forgotten."""
    progress.attempted(LAST.stem, "correct")
    assert overview.next_exercise(progress) == FIRST


def test_an_exercise_in_the_works_is_at_hand(progress):
    """A hint is work, too; whoever asks for what is next has had enough of it."""
    progress.attempted(FIRST.stem, "correct")
    progress.took_hint(THIRD.stem)
    assert overview.at_hand(progress) == THIRD
    assert overview.next_exercise(progress) > THIRD


def test_nothing_is_next_when_all_are_solved(progress):
    """And what was solved and broken again is."""
    for each in exercises():
        progress.attempted(each.stem, "correct")
    assert overview.next_exercise(progress) is None
    progress.attempted(SECOND.stem, "wrong")
    assert overview.next_exercise(progress) == SECOND


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_title_is_cut(progress, width):
    """It goes on in the next line, between its words, in any terminal."""
    lines = shown(overview.table(progress, width), width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for each in exercises():
        about = overview.story(each).partition(": ")[2].split()
        assert {each.stem, *about[1:]} <= set(words)
    assert not any("…" in line and "edited" not in line for line in lines)


def test_what_was_solved_and_is_wrong_says_both(progress):
    """It counts as solved, without a tick, and says why."""
    progress.attempted(FIRST.stem, "correct")
    progress.attempted(FIRST.stem, "wrong")
    progress.attempted(SECOND.stem, "correct")
    lines = shown(overview.table(progress, 200), 200)
    first = next(line for line in lines if FIRST.stem in line)
    assert first.split()[:3] == ["✗", FIRST.stem, "wrong"]
    assert "Solved before, wrong now" in first
    assert lines[-1].strip() == f"2 of {len(exercises())} solved, 1 of them wrong now"


def test_progress_of_an_exercise_that_is_gone_is_no_place_to_go_on_from(progress):
    """The course may drop one."""
    progress.attempted("ch99z_gone", "correct")
    assert overview.next_exercise(progress) == FIRST
    assert overview.last_exercise(progress) is None
    assert Exercise("ch99z_gone") not in exercises()
