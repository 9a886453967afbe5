"""What students handed in is found, whatever it is packed in, and nothing of it does harm."""

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading.intake.collect import Submission, collect
from trainer.grading.intake.names import children

A, B = find("ride_cleansing"), find("quarantine")
TEXT = b"def cleanse(rides):\n    return rides\n"
OTHER = b"def cleanse(rides):\n    return None\n"


def read(path: Path) -> Submission:
    """Collect both exercises of chapter 1."""
    return collect("ann", [path], [A, B])


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    """Write a zip archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    """Write a tar archive."""
    with tarfile.open(path, "w:gz") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def notebook(*cells: str) -> bytes:
    """Write a notebook of code cells."""
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": made, "nbformat": 4}).encode()


@pytest.mark.parametrize("place", [f"{A.stem}.py", f"a/b/c/{A.stem}.py", f"x/ann_{A.stem} (1).py"])
def test_a_stub_is_found_at_any_depth(tmp_path, place):
    """In a folder, and in either kind of archive."""
    file = tmp_path / "folder" / place
    file.parent.mkdir(parents=True)
    file.write_bytes(TEXT)
    packed = zipped(tmp_path / "a.zip", {place: TEXT})
    tar = tarred(tmp_path / "a.tar.gz", (tarfile.TarInfo(place), TEXT))
    inside = zipped(tmp_path / "b.zip", {"deep/a.tgz": tar.read_bytes()})
    for path in (tmp_path / "folder", packed, tar, inside):
        assert read(path) == Submission("ann", {A.stem: TEXT})


def test_a_single_file_is_known_by_its_function(tmp_path):
    """Whatever its own name is."""
    file = tmp_path / "ann.py"
    file.write_bytes(TEXT)
    assert read(file).files == {A.stem: TEXT}


def test_a_notebook_s_cells_are_what_the_magic_would_save(tmp_path):
    """The last cell for an exercise counts; others mean nothing."""
    cells = (f"%%exercise {A.stem}\nold", "1 + 1", f"%%exercise {A.name}\n{TEXT.decode()}")
    file = tmp_path / "ann.ipynb"
    file.write_bytes(notebook(*cells))
    came = read(file)
    assert came.files == {A.stem: TEXT}
    assert came.notes == (f"ann.ipynb has several cells for {A.stem}; the last one counts.",)


def test_of_two_files_the_one_in_exercises_counts_and_it_is_noted(tmp_path):
    """The order of files on disk has no say."""
    members = {f"{A.stem}.py": OTHER, f"kit/exercises/{A.stem}.py": TEXT}
    came = read(zipped(tmp_path / "a.zip", members))
    assert came.files == {A.stem: TEXT}
    assert "more than once: kit/exercises/" in came.notes[0]


def test_the_kit_s_own_answers_are_not_theirs(tmp_path):
    """A clone that was handed in as a whole brings the solutions along."""
    places = ("solutions", "tests/misconceptions", "trainer/course/issued")
    members = {f"kit/{place}/{A.stem}.py": OTHER for place in places}
    assert read(zipped(tmp_path / "a.zip", members)).files == {}


@pytest.mark.parametrize("name", [f"../{A.stem}.py", f"/tmp/{A.stem}.py", f"a\\..\\{A.stem}.py"])
def test_a_member_that_leads_out_is_left_out(tmp_path, name):
    """With a note; nothing is written anywhere, since nothing is unpacked."""
    for path in (
        zipped(tmp_path / "a.zip", {name: TEXT}),
        tarred(tmp_path / "a.tgz", (tarfile.TarInfo(name), TEXT)),
    ):
        came = read(path)
        assert came.files == {}
        assert "leads out of the archive" in came.notes[0]


def test_links_and_devices_in_archives_are_left_out(tmp_path):
    """Neither to /etc/passwd nor to a neighbour."""
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        info = tarfile.TarInfo(f"{A.stem}.py")
        info.type, info.linkname = kind, "/etc/passwd"
        came = read(tarred(tmp_path / "a.tgz", (info, b"")))
        assert (came.files, came.notes) == (
            {},
            (f"{A.stem}.py is no plain file; it was left out.",),
        )
    info = zipfile.ZipInfo(f"{A.stem}.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert read(tmp_path / "a.zip").files == {}


def test_links_and_pipes_in_folders_are_left_out(tmp_path):
    """A pipe would wait for ever, a link lead to another student."""
    (tmp_path / "secret.py").write_bytes(TEXT)
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / f"{A.stem}.py").symlink_to(tmp_path / "secret.py")
    os.mkfifo(folder / f"{B.stem}.py")
    (folder / "loop").symlink_to(folder)
    came = read(folder)
    assert came.files == {}
    assert len(came.notes) == 2


def test_a_bomb_is_not_unpacked(tmp_path):
    """A megabyte is the most for a program, 200 for all; what is passed over counts too."""
    big = zipped(tmp_path / "big.zip", {f"{A.stem}.py": bytes(5 * 2**20), f"{B.stem}.py": TEXT})
    assert list(read(big).files) == [B.stem]
    bomb = tmp_path / "bomb.tar.gz"
    with gzip.open(bomb, "wb", 1) as file:
        info = tarfile.TarInfo("zeros")
        info.size = 2**30
        file.write(info.tobuf())
        for _ in range(300):
            file.write(bytes(2**20))
    assert read(bomb).notes == ("bomb.tar.gz: not all of it was read: "
                                "it is too large once unpacked.",)  # fmt: skip
    many = zipped(tmp_path / "many.zip", {f"{number}": b"" for number in range(10_001)})
    assert "too many files" in read(many).notes[0]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz", "a.tar"])
@pytest.mark.parametrize("data", [b"", b"PK\3\4 no zip", b"\x1f\x8b\x08 no gzip", b"\1" * 600])
def test_a_broken_archive_is_a_note(tmp_path, name, data):
    """Never an error that stops the batch."""
    (tmp_path / name).write_bytes(data)
    came = read(tmp_path / name)
    assert came.files == {}
    assert all(note.startswith("a.") for note in came.notes)
    assert came.notes


def test_an_archive_cut_short_is_a_note(tmp_path):
    """What was whole before the cut is kept."""
    path = tarred(tmp_path / "a.tgz", (tarfile.TarInfo("x"), os.urandom(90_000)))
    path.write_bytes(path.read_bytes()[:40_000])
    assert "is broken" in read(path).notes[0]


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"cells": 3}', b'{"cells": [1]}', b"[" * 100_000])
def test_a_broken_notebook_is_a_note(tmp_path, data):
    """Whatever stands in it."""
    (tmp_path / "a.ipynb").write_bytes(data)
    assert read(tmp_path / "a.ipynb").notes == ("a.ipynb is no notebook that can be read.",)


def test_another_encoding_is_a_note(tmp_path):
    """The bytes are graded as they are."""
    data = "# Zürich\n".encode("utf-16")
    came = read(zipped(tmp_path / "a.zip", {f"{A.stem}.py": data}))
    assert came.files == {A.stem: data}
    assert came.notes == (f"{A.stem}.py is not text in UTF-8.",)


def test_each_child_is_a_student(tmp_path):
    """Named without the suffix; with it where two would be called the same."""
    for name in ("bob.zip", "cem.py", "ann.tar.gz", "ann.ipynb", ".hidden.py", "list.csv"):
        (tmp_path / name).touch()
    (tmp_path / "dee").mkdir()
    (tmp_path / "cem-beside").mkdir()
    expected = ["ann.ipynb", "ann.tar.gz", "bob", "cem", "cem-beside", "dee"]
    assert list(children(tmp_path)) == expected


def test_what_is_not_read_is_still_a_student(tmp_path):
    """Nobody who handed in something is without a row."""
    (tmp_path / "bob.rar").write_bytes(b"Rar!")
    (tmp_path / "ann").symlink_to("/etc")
    found = children(tmp_path)
    assert list(found) == ["ann", "bob"]
    assert read(found["ann"]).notes == ("ann is a link; it was left out.",)
    assert read(found["bob"]).notes[0].startswith("bob.rar is not read; expected .zip, ")


def test_an_empty_folder_of_submissions_is_told(tmp_path):
    """With what was expected."""
    with pytest.raises(Problem, match="Nobody is in"):
        children(tmp_path)
