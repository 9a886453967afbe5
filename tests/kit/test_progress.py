"""Progress: a plain file that nothing destroys."""

import json
import multiprocessing

import pytest

from trainer.learner.progress import Progress, Record

STEM = "ch01a_ride_cleansing"


@pytest.fixture
def progress(tmp_path):
    """Progress in a file of the test's own."""
    return Progress(tmp_path / "progress.json")


def test_before_anything_happened_there_is_nothing(progress):
    """No file is needed, and looking makes none."""
    assert progress.of(STEM) == Record()
    assert not progress.file.exists()


def test_attempts_and_hints_are_counted(progress):
    """Each attempt and each hint counts, and another look finds them."""
    progress.attempted(STEM, "wrong")
    progress.took_hint(STEM)
    progress.attempted(STEM, "crashed")
    assert Progress(progress.file).of(STEM) == Record(attempts=2, hints=1, verdict="crashed")


def test_the_first_time_it_was_solved_stays(progress):
    """A later mistake doesn't take it away, a later success doesn't move it."""
    first = progress.attempted(STEM, "correct").solved
    assert first
    assert progress.attempted(STEM, "wrong").solved == first
    assert progress.attempted(STEM, "correct").solved == first


@pytest.mark.parametrize("damage", ["", "{", '{"ch01a": 7}', '{"ch01a": {"new": 1}}', "[1]"])
def test_a_damaged_file_is_set_aside_with_a_message(progress, capsys, damage):
    """It is kept under another name, and a new one begins."""
    progress.file.write_text(damage)
    progress.attempted(STEM, "wrong")
    kept = [path for path in progress.file.parent.iterdir() if "damaged" in path.name]
    assert [path.read_text() for path in kept] == [damage]
    assert capsys.readouterr().out.startswith("progress.json was damaged: it is kept as ")
    assert progress.of(STEM).attempts == 1


def test_what_is_on_disk_is_always_whole(progress, monkeypatch):
    """A crash while writing leaves the file as it was."""
    progress.attempted(STEM, "wrong")
    monkeypatch.setattr("trainer.course.safe_file.os.fsync", lambda file: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        progress.attempted(STEM, "correct")
    assert json.loads(progress.file.read_text())[STEM]["verdict"] == "wrong"


def attempt_often(file) -> None:
    """Count a hundred attempts."""
    for _ in range(100):
        Progress(file).attempted(STEM, "wrong")


def test_a_notebook_and_a_terminal_lose_nothing_to_each_other(progress):
    """Two processes that count at once count everything."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=attempt_often, args=(progress.file,)) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert progress.of(STEM).attempts == 200
