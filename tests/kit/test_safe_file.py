"""Files that survive a power cut, two writers at once, and curious neighbours."""

import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from trainer.checking import outcomes
from trainer.course import safe_file, stub
from trainer.grading.book.grades import StudentGrade
from trainer.grading.book.out_folder import claimed, save
from trainer.grading.book.terms import Settings
from trainer.learner import magics
from trainer.learner.progress import Progress


@pytest.fixture
def lasting(monkeypatch):
    """Give the inodes that would outlast a power cut: those that were synced, by now."""
    inodes = set()
    sync = os.fsync

    def noted(number: int) -> None:
        sync(number)
        inodes.add(os.fstat(number).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    return inodes


def learners_exercise(folder: Path) -> SimpleNamespace:
    """Make an exercise, as issued, in a folder of the test's own."""
    made = SimpleNamespace(stem="ch01a_f", name="f", stub=folder / "f.py", issued=folder / "issued")
    made.outcomes, made.grader, made.misconceptions = (folder / n for n in ("o", "g", "m"))
    made.solution = made.stub
    for file in (made.stub, made.issued, made.grader, made.misconceptions):
        file.write_text("as_issued = 1\n")
    return made


def count_an_attempt(folder: Path, monkeypatch) -> Path:
    """Count an attempt."""
    Progress(folder / "progress.json").attempted("ch01a", "wrong")
    return folder / "progress.json"


def save_a_grade(folder: Path, monkeypatch) -> Path:
    """Save a grade, the first in its folder."""
    save(folder, StudentGrade("ann", ()))
    return folder / "students" / "ann.json"


def save_settings(folder: Path, monkeypatch) -> Path:
    """Save a batch's settings."""
    Settings("in").save(folder)
    return folder / "batch.json"


def save_a_cell(folder: Path, monkeypatch) -> Path:
    """Save what a notebook's cell says into the stub."""
    monkeypatch.setattr(magics, "Progress", lambda: Progress(folder / "progress.json"))
    exercise = learners_exercise(folder)
    assert magics.save(exercise, "an evening's work\n")
    return exercise.stub


def put_a_stub_back(folder: Path, monkeypatch) -> Path:
    """Put a stub back as it was issued."""
    exercise = learners_exercise(folder)
    exercise.stub.write_text("an evening's work\n")
    stub.reset(exercise)
    return exercise.stub


def keep_outcomes(folder: Path, monkeypatch) -> Path:
    """Keep what misconceptions give."""
    monkeypatch.setattr(outcomes, "misconceptions", lambda exercise: [])
    exercise = learners_exercise(folder)
    outcomes.find_out(exercise)
    return exercise.outcomes


WRITERS = [
    count_an_attempt,
    save_a_grade,
    save_settings,
    save_a_cell,
    put_a_stub_back,
    keep_outcomes,
]


@pytest.mark.parametrize("written", WRITERS)
def test_what_was_written_outlasts_a_power_cut(tmp_path, monkeypatch, lasting, written):
    """The file, its entry in its folder, and a folder's that was made for it, are on the disk."""
    file = written(tmp_path, monkeypatch)
    folders = [folder for folder in file.parents if folder.is_relative_to(tmp_path)]
    assert [path for path in (file, *folders) if path.stat().st_ino not in lasting] == []


@pytest.mark.parametrize("written", WRITERS)
def test_nothing_lies_beside_what_was_written(tmp_path, monkeypatch, written):
    """No draft is left."""
    file = written(tmp_path, monkeypatch)
    assert list(file.parent.glob(safe_file.DRAFTS)) == []


@pytest.mark.parametrize("cut", ["fsync", "replace"])
def test_who_is_interrupted_leaves_the_file_as_it_was(tmp_path, monkeypatch, cut):
    """Whole, and without a draft beside it."""
    file = tmp_path / "a"
    safe_file.write(file, "one")
    monkeypatch.setattr(*((os, "fsync") if cut == "fsync" else (Path, "replace")), lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        safe_file.write(file, "two")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["one"]


def test_a_secret_file_is_its_owner_s_alone_from_its_first_byte(tmp_path, monkeypatch):
    """The draft too, and though one that everyone could read was there."""
    (tmp_path / "batch.json").write_text("{}")
    (tmp_path / "batch.json").chmod(0o644)
    seen = []
    monkeypatch.setattr(os, "fsync", lambda number: seen.append(os.fstat(number).st_mode & 0o077))
    before = os.umask(0)
    try:
        Settings("in", seed="secret").save(tmp_path)
    finally:
        os.umask(before)
    assert set(seen[:1]) == {0}
    assert (tmp_path / "batch.json").stat().st_mode & 0o777 == 0o600


def test_a_file_keeps_the_rights_it_had(tmp_path):
    """A new one has those that every new file has here."""
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.touch()
    old.chmod(0o750)
    for file in (old, new):
        safe_file.write(file, "text")
    usual.touch()
    assert old.stat().st_mode & 0o777 == 0o750
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_copy_has_the_rights_of_what_was_copied(tmp_path, lasting):
    """Grades that take the place of old ones are as safe as when they were first written."""
    source, target = tmp_path / "batch.json", tmp_path / "copy"
    safe_file.write(source, "text", mode=0o600)
    target.write_text("older")
    safe_file.copy(source, target)
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("text", 0o600)
    assert target.stat().st_ino in lasting


def test_what_is_as_it_should_be_is_left_alone(tmp_path):
    """Editors and `trainer watch` see no change where there is none."""
    file = tmp_path / "a"
    safe_file.write(file, "text")
    before = file.stat().st_ino
    safe_file.write(file, "text")
    assert file.stat().st_ino == before


def test_a_link_stays_a_link(tmp_path):
    """A learner may keep a stub elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "a.py"
    link.symlink_to(tmp_path / "elsewhere" / "a.py")
    safe_file.write(link, "text")
    assert link.is_symlink()
    assert (tmp_path / "elsewhere" / "a.py").read_text() == "text"


def test_two_who_write_at_once_do_not_collide(tmp_path):
    """One of the two texts is there in the end, whole; neither writer fails."""
    texts, failed = [sign * 100_000 for sign in "ab"], []

    def write_often(text: str) -> None:
        try:
            for number in range(30):
                safe_file.write(tmp_path / "a", text + str(number))
        except OSError as error:
            failed.append(error)

    writers = [threading.Thread(target=write_often, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert (tmp_path / "a").read_text() in [text + "29" for text in texts]
    assert len(list(tmp_path.iterdir())) == 1


def test_the_next_batch_takes_away_what_a_power_cut_left_half_written(tmp_path):
    """A draft counts for nothing."""
    (tmp_path / "students").mkdir()
    draft = tmp_path / "students" / safe_file.DRAFTS.replace("*", "12ab")
    draft.touch()
    with claimed(tmp_path):
        assert not draft.exists()
