"""What students handed in is found, whatever it is packed in, and nothing of it does harm."""

import gzip
import io
import json
import os
import shutil
import stat
import tarfile
import zipfile
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from trainer.course.clone import ROOT
from trainer.course.exercise import exercises, find
from trainer.course.problem import Problem
from trainer.grading import handed_in
from trainer.grading.book.beside import Beside
from trainer.grading.book.out_folder import file_name
from trainer.grading.book.terms import Settings, terms
from trainer.grading.intake import members, unpack
from trainer.grading.intake.collect import Submission, collect
from trainer.grading.intake.matching import defined
from trainer.grading.intake.names import children, left_out
from trainer.grading.intake.reading import LONGEST_NOTE
from trainer.grading.judging.worker import absent
from trainer.grading.pages import overview_page, telling
from trainer.grading.sandbox.apart import Apart, Failed

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
    members["kit/exercises/README.py"] = b""
    came = read(zipped(tmp_path / "a.zip", members))
    assert (came.files, came.unmatched) == ({}, {})


def test_a_clone_of_the_kit_is_its_stubs_and_nothing_else(tmp_path):
    """Whatever else lies in it is not theirs, and no cause for a note."""
    folders = ("solutions", "exercises", "tests", "trainer", "datagen", "tools", "notebooks")
    for name in folders:
        shutil.copytree(ROOT / name, tmp_path / "clone" / name)
    for each in exercises():
        (tmp_path / "clone" / "exercises" / f"{each.stem}.py").write_bytes(each.issued.read_bytes())
    came = collect("ann", [tmp_path / "clone"], exercises())
    assert came.files == {each.stem: each.issued.read_bytes() for each in exercises()}
    assert (came.notes, came.unmatched, came.unread) == ((), {}, ())


def test_what_is_assigned_counts_where_it_may_be_a_function():
    """`totals = by_hour.agg(…)` stands in many a notebook, and is no answer to `totals`."""
    name = A.function
    for value in ("lambda rides: rides", "other", "made(10)", "functools.partial(made, 10)"):
        assert defined(f"{name} = {value}".encode()) == [A.stem]
    assert defined(f"{name} = rides.filter('is_start')".encode()) == []


def test_a_folder_of_their_own_called_solutions_is_theirs(tmp_path):
    """Only beside the kit's stubs is it the kit's."""
    assert read(zipped(tmp_path / "a.zip", {f"solutions/{A.stem}.py": TEXT})).files == {
        A.stem: TEXT
    }


SPELLED = [
    f"{A.name} (1).py",
    f"{A.name}.py",
    f"{A.stem}.PY",
    f"{A.stem.upper()}.PY",
    f"{A.stem}.py.txt",
    f"{A.stem}.py (2)",
    f"{A.stem}.txt",
    "Ride-Cleansing_final_v2.py",
    "ridecleansing.py",
    "ch01a.py",
    "Ch1a final.py",
    "my answer.py",
]


@pytest.mark.parametrize("name", SPELLED)
def test_a_file_is_found_however_it_is_called(tmp_path, name):
    """With a note that says how; in a folder and in an archive."""
    for path in (tmp_path / "folder", zipped(tmp_path / "a.zip", {name: TEXT})):
        if path.suffix != ".zip":
            path.mkdir()
            (path / name).write_bytes(TEXT)
        came = collect("ann", [path], exercises())
        assert came.files == {A.stem: TEXT}
        if name != f"{A.stem}.py":
            assert came.notes[0].startswith(f"{name} is taken for {A.stem}: found by ")


def test_the_function_tells_where_a_name_misleads(tmp_path):
    """Whose name is a part of another's, and whose name is of another exercise."""
    text = b"def driver_tips(fares):\n    return fares\n"
    for name in ("hourly_tips_by_hand.py", "hourly_tips.py"):
        came = collect("ann", [zipped(tmp_path / "a.zip", {name: text})], exercises())
        assert list(came.files) == ["ch06b_hourly_tips_by_hand"]


def test_a_text_outranks_the_stub_that_lies_in_exercises(tmp_path):
    """Who worked in a notebook handed in the stub, too."""
    cell = f"%%exercise {A.stem}\n{TEXT.decode()}"
    members = {f"exercises/{A.stem}.py": A.issued.read_bytes(), "x.ipynb": notebook(cell)}
    assert read(zipped(tmp_path / "a.zip", members)).files == {A.stem: TEXT}


def test_what_python_cannot_read_is_found_by_its_function_all_the_same(tmp_path):
    """It crashes, and is not called nothing; in a notebook, too."""
    text = "def cleanse(rides)\n    return rides\n"
    (tmp_path / "ann.py").write_text(text)
    assert collect("ann", [tmp_path / "ann.py"], exercises()).files == {A.stem: text.encode()}
    (tmp_path / "ann.ipynb").write_bytes(notebook("import os", text))
    came = collect("ann", [tmp_path / "ann.ipynb"], exercises())
    assert came.files == {A.stem: text.encode()}


@pytest.mark.parametrize("above", ["# mine\n", "\n\n", "# a\n\n# b\n"])
def test_the_magic_is_found_below_comments(tmp_path, above):
    """Though IPython would not have found it there."""
    file = tmp_path / "ann.ipynb"
    file.write_bytes(notebook(f"{above}%%exercise {A.name}\n{TEXT.decode()}"))
    assert read(file).files == {A.stem: TEXT}


def test_a_cell_without_the_magic_is_found_by_its_function(tmp_path):
    """With what it needs of the cells above; what else they do is not done."""
    own = "def cleanse(rides):\n    return rides.limit(helper())\n"
    cells = (
        "%matplotlib inline\nfrom math import pi\nLIMIT = 3\nspark = start()",
        "def helper():\n    return pi * LIMIT",
        "print(helper())",
        f"print('mine')\n{own}\nkept = cleanse(spark)",
    )
    file = tmp_path / "ann.ipynb"
    file.write_bytes(notebook(*cells))
    came = read(file)
    expected = "from math import pi\n\nLIMIT = 3\n\ndef helper():\n    return pi * LIMIT\n\n"
    assert came.files[A.stem].decode() == expected + own
    assert came.notes == (f"ann.ipynb is taken for {A.stem}: found in a cell without %%exercise.",)


def test_what_lies_beside_an_answer_and_is_imported_comes_along(tmp_path):
    """And what that imports; nothing else does."""
    members = {
        f"x/{A.stem}.py": b"import one\n" + TEXT,
        "x/one.py": b"def f():\n    from two import g\n",
        "x/two.py": b"import json, one\n",
        "x/three.py": b"pass\n",
        "y/json.py": b"",
    }
    came = read(zipped(tmp_path / "a.zip", members))
    assert came.modules == {A.stem: {name: members[f"x/{name}"] for name in ("one.py", "two.py")}}
    assert "Graded with what lay beside it: one.py, two.py." in came.notes
    assert came.unmatched == {"x/three.py": ""}


def test_what_is_for_no_exercise_is_listed_with_the_likeliest(tmp_path):
    """It is not called nothing."""
    members = {"foo.py": b"def clense(rides):\n    return rides\n", "bar.py": b"x = 1\n"}
    came = read(zipped(tmp_path / "a.zip", members))
    assert (came.files, came.unmatched) == ({}, {"bar.py": "", "foo.py": A.stem})
    what = f"is for no exercise that is graded (likeliest for {A.stem}); it was left out."
    assert f"foo.py {what}" in came.notes
    assert "foo.py may be meant" in absent(came, A.stem).message
    assert absent(came, B.stem).message == "Nothing was handed in for it."


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
    assert len(came.notes) == len(came.unread) == 3


def test_a_bomb_is_not_unpacked(tmp_path):
    """A megabyte is the most for a program, 200 for all; what is passed over counts too."""
    own = f"def {B.function}(lines):\n    return lines\n".encode()
    big = zipped(tmp_path / "big.zip", {f"{A.stem}.py": bytes(5 * 2**20), f"{B.stem}.py": own})
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


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("# Zürich\n".encode("utf-16"), "UTF-16"),
        ("# Zürich\n".encode("utf-16-le"), "UTF-16-LE"),
        ("# Zürich\n".encode("utf-16-be"), "UTF-16-BE"),
        ("# Zürich\n".encode("utf-32"), "UTF-32"),
        ("# Zürich\n".encode("latin-1"), "Windows-1252"),
    ],
)
def test_another_encoding_is_read_as_what_it_is(tmp_path, data, encoding):
    """Python would not run it; a note says so."""
    came = read(zipped(tmp_path / "a.zip", {f"{A.stem}.py": data}))
    assert came.files == {A.stem: "# Zürich\n".encode()}
    assert came.notes == (f"{A.stem}.py is in {encoding}; it was read as that.",)


@pytest.mark.parametrize(
    "data", [b"# -*- coding: latin-1 -*-\n# Z\xfcrich\n", b"\xef\xbb\xbfx = 1\n"]
)
def test_what_python_can_read_is_left_as_it_is(tmp_path, data):
    """A line that names the encoding, and UTF-8's own mark."""
    assert read(zipped(tmp_path / "a.zip", {f"{A.stem}.py": data})).files == {A.stem: data}


def test_a_tar_that_ends_in_a_sparse_record_is_a_note(tmp_path):
    """The library raises what it has no name for."""
    info = tarfile.TarInfo(f"{A.stem}.py")
    info.size = len(TEXT)
    sparse = tarfile.TarInfo("x")
    sparse.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
    block[482] = 1
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 8 * 32 + sum(block[156:]))
    (tmp_path / "a.tar").write_bytes(info.tobuf() + TEXT.ljust(512, b"\0") + block)
    came = read(tmp_path / "a.tar")
    assert came.files == {A.stem: TEXT}
    assert "a.tar is broken" in came.notes[0]


def test_an_entry_without_a_name_is_passed_over(tmp_path):
    """The others are read."""
    packed = zipped(tmp_path / "b.zip", {"x": b"", f"{A.stem}.py": TEXT}).read_bytes()
    at = packed.index(b"PK\1\2")
    changed = bytearray(packed[:at] + packed[at : at + 46] + packed[at + 47 :])
    changed[at + 28] = 0
    end = changed.index(b"PK\5\6")
    changed[end + 12 : end + 16] = (
        int.from_bytes(changed[end + 12 : end + 16], "little") - 1
    ).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(changed)
    assert read(tmp_path / "a.zip").files == {A.stem: TEXT}


def test_entries_are_counted_before_they_are_made(tmp_path, monkeypatch):
    """A small archive may hold an archive with millions."""
    made = []
    monkeypatch.setattr(members.zipfile, "ZipFile", lambda file: made.append(1))
    (tmp_path / "b.zip").write_bytes(b"PK\1\2" * 20_000)
    assert "too many files" in read(tmp_path / "b.zip").unread[0]
    assert made == []


def test_records_of_a_tar_are_counted_whatever_they_are(tmp_path):
    """Those that only say something of the next as well, and a name of megabytes is none."""
    record = tarfile.TarInfo("x")
    record.type = tarfile.XHDTYPE
    (tmp_path / "a.tar").write_bytes(record.tobuf() * 20_000)
    assert read(tmp_path / "a.tar").files == {}
    long = tarfile.TarInfo("y" * 2**20)
    (tmp_path / "b.tar").write_bytes(long.tobuf(tarfile.GNU_FORMAT))
    assert "longer than any" in read(tmp_path / "b.tar").unread[0]


def test_notes_are_short_and_printable(tmp_path):
    """Whatever names are in them."""
    info = tarfile.TarInfo("\x1b[31m" + "z" * 3000 + f"{A.stem}.py")
    info.type, info.linkname = tarfile.SYMTYPE, "y" * 5000
    for note in read(tarred(tmp_path / "a.tgz", (info, b""))).notes:
        assert len(note) <= LONGEST_NOTE and note.isprintable()


def test_a_folder_that_becomes_a_link_leads_nowhere(tmp_path, monkeypatch):
    """It is opened by what it was when it was looked at, and at each step."""
    outside, inside = tmp_path / "outside", tmp_path / "ann" / "x"
    for folder in (outside, inside):
        folder.mkdir(parents=True)
        (folder / f"{A.stem}.py").write_bytes(OTHER if folder is outside else TEXT)
    begin = os.open

    def swapped(path, *given, **named):
        if path == "x":
            shutil.rmtree(inside, ignore_errors=True)
            inside.unlink(missing_ok=True)
            inside.symlink_to(outside)
        return begin(path, *given, **named)

    monkeypatch.setattr(unpack.os, "open", swapped)
    assert read(tmp_path / "ann").files == {}


def names(folder: Path) -> dict[str, list[str]]:
    """Give for each student the names of what was handed in."""
    return {who: [path.name for path in child.paths] for who, child in children(folder).items()}


def test_each_child_is_a_student(tmp_path):
    """Named without the suffix; with it where two would be called the same."""
    for name in ("bob.zip", "cem.py", "ann.tar.gz", "ann.ipynb", ".hidden.py", "list.csv"):
        (tmp_path / name).touch()
    (tmp_path / "dee").mkdir()
    (tmp_path / "cem-beside").mkdir()
    expected = ["ann.ipynb", "ann.tar.gz", "bob", "cem", "cem-beside", "dee"]
    assert list(children(tmp_path)) == expected
    assert children(tmp_path)["ann.ipynb"].notes[0].startswith("Others are called ann too")


LOOK_ALIKE = [
    ("ann\u200bsmith.py", "ann_smith.py"),
    ("ann\u200bsmith.py", "annsmith.py"),
    ("Ann.py", "ann.py"),
    ("pаul.py", "paul.py"),
    ("ﬁn.py", "fin.py"),
    ("a.zip", "a.zip.py", "a.py"),
    ("Zoë.py", "Zoe\u0308.py"),
    ("ann.py", "ann .py"),
    ("ann b.py", "ann  b.py"),
    ("ann.py", "ann\ufe0f.py"),
    ("ann.py", "an\u034fn.py"),
]


@pytest.mark.parametrize("there", LOOK_ALIKE, ids=ascii)
def test_who_looks_like_another_is_another(tmp_path, there):
    """Each has a name of its own, on every system, and is told why."""
    for name in there:
        (tmp_path / name).write_text(name)
    found = children(tmp_path)
    assert sorted(path.read_text() for each in found.values() for path in each.paths) == sorted(
        there
    )
    assert len({name.casefold() for name in found}) == len(there)
    assert sum("look alike" in " ".join(each.notes) for each in found.values()) >= 2


def test_nobody_can_take_the_name_that_another_is_given(tmp_path):
    """A name of that kind gets an addition of its own."""
    for name in ("Ann.py", "ann.py"):
        (tmp_path / name).touch()
    given = next(iter(children(tmp_path)))
    (tmp_path / f"{given}.py").touch()
    assert len(children(tmp_path)) == 3


def test_what_a_learning_platform_gives_out_is_one_student_s(tmp_path):
    """Canvas, a file each; Moodle, a folder or a file; Gradescope, a folder."""
    for name in (
        "doe_jane_123_late_456_hourly_tips-1.py",
        "doe_jane_123_457_ride_cleansing.py",
        "roejohn_LATE_912_777_answers.zip",
        "roejohn_LATE_912_778_more.py",
        "lee_512_late_a.py",
        "lee_512_late_b.py",
        "Max Muster_4711_assignsubmission_file_a.py",
        "Max Muster_4711_assignsubmission_onlinetext_b.py",
    ):
        (tmp_path / name).touch()
    for name in ("Eva Muster_4712_assignsubmission_file_", "submission_99", "submission_100"):
        (tmp_path / name).mkdir()
    (tmp_path / "submission_metadata.yml").touch()
    found = names(tmp_path)
    assert {who: len(paths) for who, paths in found.items()} == {
        "Eva Muster_4712": 1,
        "Max Muster_4711": 2,
        "doe_jane_123": 2,
        "lee_512": 2,
        "roejohn_912": 2,
        "submission_100": 1,
        "submission_99": 1,
    }


def test_numbers_that_are_no_platform_s_merge_nobody(tmp_path):
    """An instructor's own way to name files."""
    there = ("hw_1_2024_ann.py", "hw_1_2024_bob.py", "hw_2_ann.py", "hw_2_bob.py")
    there += ("lab_1_1_ann.py", "lab_1_2_bob.py", "c_100_200_ann.py", "c_100_200_bob.py")
    for name in there:
        (tmp_path / name).touch()
    assert sorted(names(tmp_path).values()) == sorted([name] for name in there)


def test_what_is_not_read_is_still_a_student(tmp_path):
    """Nobody who handed in something is without a row, and a link leads nowhere."""
    (tmp_path / "bob.rar").write_bytes(b"Rar!")
    (tmp_path / "ann").symlink_to("/etc")
    found = children(tmp_path)
    assert list(found) == ["ann", "bob"]
    assert read(tmp_path / "ann").notes == ("ann is a link; it was left out.",)
    came = read(tmp_path / "bob.rar")
    assert came.notes[0].startswith("bob.rar is not read; expected .zip, ")
    assert "could not be read: bob.rar" in absent(came, A.stem).message


VERSIONS = [
    ("coxtim_48_991210_ride_cleansing.py", "coxtim_48_991299_ride_cleansing-1.py"),
    ("v1/ride_cleansing.py", "v2/ride_cleansing.py"),
    ("v2/ride_cleansing.py", "v10/ride_cleansing.py"),
    ("v1/ride_cleansing.py", "final/ride_cleansing.py"),
    ("ride_cleansing.py", "ride_cleansing (1).py"),
    ("ride_cleansing.py", "ride_cleansing-1.py"),
    (f"old/exercises/{A.stem}.py", f"{A.stem}.py"),
    ("a.zip/ride_cleansing.py", "b-2.zip/ride_cleansing.py"),
]


@pytest.mark.parametrize(("older", "newer"), VERSIONS)
def test_of_several_versions_the_last_counts_and_it_is_noted(tmp_path, older, newer):
    """By the numbers and words that people put into names."""
    folder = tmp_path / "ann"
    for name, text in ((older, OTHER), (newer, TEXT)):
        packed, _, inside = name.partition(".zip/")
        file = folder / (f"{packed}.zip" if inside else name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
        if inside:
            zipped(file, {inside: text})
    came = read(folder)
    assert came.files == {A.stem: TEXT}
    assert f"{newer} counts, not {older}." in came.notes[0]


def test_what_is_no_program_is_told_wherever_it_lies(tmp_path):
    """It is somebody's, and it is not nothing."""
    (tmp_path / "ann").mkdir()
    for name in ("ann/Homework.docx", "bob.pdf", "cem.txt", "ride_cleansing", "list.csv"):
        (tmp_path / name).write_bytes(TEXT)
    found = children(tmp_path)
    assert list(found) == ["ann", "bob", "cem", "ride_cleansing"]
    assert left_out(tmp_path, found.values()) == ["list.csv"]
    came = {who: collect(who, child.paths, [A, B]) for who, child in found.items()}
    assert came["cem"].files == came["ride_cleansing"].files == {A.stem: TEXT}
    assert came["ann"].unread[0].startswith("Homework.docx is not read; expected ")
    assert came["bob"].unread[0].startswith("bob.pdf is not read; expected ")


def test_notes_that_lie_among_submissions_are_nobody_s(tmp_path):
    """They are listed; a text in which somebody answers is theirs, in whatever letters."""
    there = {
        **{"notes.txt": b"Ann has more time.", "empty.txt": b"", "ann.txt": TEXT},
        **{"bob.txt": TEXT.decode().encode("utf-16"), "cem.txt": b"rides.filter(here)"},
        **{"hourly_tips.txt": b"I could not do it.", "dee.py.txt": b"?", "eve.pdf": b"%"},
        "submission_metadata.yml": b"---",
    }
    for name, data in there.items():
        (tmp_path / name).write_bytes(data)
    found = children(tmp_path)
    assert [*found] == ["ann", "bob", "cem", "dee", "eve", "hourly_tips"]
    left = left_out(tmp_path, found.values())
    assert left == ["empty.txt", "notes.txt"]
    page = overview_page.page([], "none", {}, Beside(left=left))
    assert "<li>notes.txt: nobody&#39;s</li>" in page


def test_an_answer_to_an_exercise_that_is_not_graded_is_not_nothing(tmp_path):
    """Where it is all that was handed in."""
    (tmp_path / "hourly_tips.py").write_bytes(b"def hourly_tips(fares):\n    return fares\n")
    assert read(tmp_path / "hourly_tips.py").unmatched == {"hourly_tips.py": "ch04a_hourly_tips"}


def test_a_cell_with_the_magic_has_what_it_needs_of_the_cells_above(tmp_path):
    """Only then: else it is what the magic would have saved, to the letter."""
    cells = (
        "from math import pi, e\nx = 1",
        f"%%exercise {A.name}\nKEPT = 1 > 0\n\ndef cleanse(rides):\n    return pi # all\n",
    )
    (tmp_path / "a.ipynb").write_bytes(notebook(*cells))
    came = read(tmp_path / "a.ipynb")
    own = "KEPT = 1 > 0\n\ndef cleanse(rides):\n    return pi # all\n"
    expected = f"from math import pi, e\n\n{own}"
    assert came.files == {A.stem: expected.encode()}
    assert came.notes == (
        f"a.ipynb is taken for {A.stem}: found with what the cells above it define.",
    )


def test_an_answer_in_a_cell_of_text_is_found(tmp_path):
    """Somebody clicked on Markdown; and somebody saved a notebook as .py."""
    cell = {"cell_type": "markdown", "source": f"%%exercise {A.stem}\n{TEXT.decode()}"}
    for name in ("a.ipynb", "b.py"):
        (tmp_path / name).write_text(json.dumps({"cells": [cell]}))
        assert read(tmp_path / name).files == {A.stem: TEXT}


def test_a_package_beside_an_answer_comes_along(tmp_path):
    """With all that is in it."""
    members = {f"{A.stem}.py": b"from mine.one import f\n" + TEXT}
    members |= {"mine/__init__.py": b"", "mine/one.py": b"f = 1\n", "yours/x.py": b"x = 1\n"}
    came = read(zipped(tmp_path / "a.zip", members))
    assert came.modules == {A.stem: {"mine/__init__.py": b"", "mine/one.py": b"f = 1\n"}}
    assert came.unmatched == {"yours/x.py": ""}


def test_a_link_that_leads_nowhere_is_somebody_with_a_note(tmp_path):
    """It is not followed, not even to see what is there; the others are found."""
    for name, target in (("eve", "x" * 300), ("dan", "nowhere"), ("fay.py", "/root/x")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "ann.py").write_bytes(TEXT)
    found = children(tmp_path)
    assert list(found) == ["ann", "dan", "eve", "fay"]
    assert collect("eve", found["eve"].paths, [A]).unread == ("eve is a link; it was left out.",)


def test_the_file_of_a_long_name_is_nobody_else_s(tmp_path):
    """A folder that is called as the file would be gets a name of its own."""
    long = "Ж" * 80
    (tmp_path / long).mkdir()
    (tmp_path / file_name(long)).mkdir()
    names = [file_name(student) for student in children(tmp_path)]
    assert len(set(names)) == 2


def test_what_no_program_could_import_stays_where_it_is(tmp_path):
    """A name that is longer than a file's may be."""
    name = "m" * 240
    members = {f"{A.stem}.py": f"import {name}\n".encode(), f"{name}.py": b"x = 1\n"}
    assert read(zipped(tmp_path / "a.zip", members)).modules == {}


def test_a_broken_member_is_left_out_and_the_rest_is_read(tmp_path):
    """Before it and behind it; a notebook that takes too much memory is one of those."""
    members = {"a.ipynb": notebook("a = 1"), f"{A.stem}.py": TEXT, "z.py": b"x = 1\n"}
    data = bytearray(zipped(tmp_path / "a.zip", members).read_bytes())
    at = data.index(b"a.ipynb") + len("a.ipynb")
    data[at + 2] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(data)
    came = read(tmp_path / "a.zip")
    assert came.files == {A.stem: TEXT}
    assert "a.ipynb is broken" in came.unread[0]


def test_what_python_says_of_a_text_is_not_said_here(tmp_path, recwarn):
    """An instructor's terminal is no place for a student's letters."""
    text = b"def cleanse(rides):\n    return '\\d' is rides\n"
    assert read(zipped(tmp_path / "a.zip", {"x.py": text})).files == {A.stem: text}
    assert not [each for each in recwarn if issubclass(each.category, SyntaxWarning)]


def test_an_empty_folder_of_submissions_is_told(tmp_path):
    """With what was expected."""
    with pytest.raises(Problem, match="Nobody is in"):
        children(tmp_path)


READS = {
    "it ends": "os._exit(3)",
    "it raises": "raise IndexError('no reason')",
    "it takes too much": "return bytearray(2**30)",
    "it hangs": "time.sleep(600)",
}


@pytest.mark.parametrize("does", READS)
def test_who_cannot_be_read_is_told_and_nobody_else(tmp_path, monkeypatch, does):
    """Whatever it is, the others are graded, and it has a verdict with a reason."""
    for name in ("ann.py", "bob.py", "cem.py"):
        (tmp_path / name).write_bytes(TEXT)
    monkeypatch.setattr(handed_in, "SECONDS", 15)
    monkeypatch.setattr(handed_in, "MEMORY", 2**28)
    monkeypatch.setattr(handed_in, "_collected", partial(_collected_badly, does))
    settings = Settings(str(tmp_path), exercises=(A.stem,))
    came = {each.student: each for each in handed_in.submissions(terms(settings))}
    assert came["ann"].files == came["cem"].files == {A.stem: TEXT}
    assert came["bob"].files == {}
    assert absent(came["bob"], A.stem).message.startswith("What was handed in could not be read: ")


def _collected_badly(does: str, asked: tuple) -> Submission:
    """Collect as usual, but for one, over whom something happens."""
    child, chosen = asked
    if child.student == "bob":
        body = f"import os, time\ndef happen():\n    {READS[does]}\n"
        there = {}
        exec(body, there)
        there["happen"]()
    return collect(child.student, child.paths, chosen)


NEEDED = [
    # A constant that is reckoned, an object, another name for something, a name bound by several.
    ("HOUR = 60 * 60", "HOUR"),
    ("class Box:\n    edge = 1\n\nBOX = Box()", "BOX.edge"),
    ("from datagen.geo import is_in_nyc\nnyc = is_in_nyc", "nyc.__name__"),
    ("try:\n    import numpy as np\nexcept ImportError:\n    np = None", "np"),
    ("x: int = 3", "x"),
    ("a, *b = 1, 2, 3", "b"),
    ("LIMIT = 1", "LIMIT\n\nLIMIT = 2"),
]


@pytest.mark.parametrize("magic", ["", f"%%exercise {A.name}\n"])
@pytest.mark.parametrize(("above", "used"), NEEDED)
def test_what_an_answer_needs_of_cells_above_comes_along_whatever_it_is(
    tmp_path, above, used, magic
):
    """And nothing that it does not need: not the stub, nor what only this notebook can do."""
    own = f"def cleanse(rides):\n    return rides, {used}\n"
    stub = "def cleanse(rides):\n    raise NotImplementedError\n"
    cells = ("from google.colab import drive", above, stub, f"{magic}{own}")
    (tmp_path / "a.ipynb").write_bytes(notebook(*cells))
    (text,) = read(tmp_path / "a.ipynb").files.values()
    assert "NotImplementedError" not in text.decode()
    assert "colab" not in text.decode()
    names = {}
    exec(text, names)
    assert names["cleanse"](1)[0] == 1


LINES = [
    ("kept = 7\nx = (9\n    % 7)", "x", 2),
    ("!pip install x\n%matplotlib inline\nx = 2", "x", 2),
    ("%%time\nx = 2", "x", 2),
    ("x = 2\nx?", "x", 2),
]


@pytest.mark.parametrize(("above", "name", "value"), LINES)
def test_lines_for_ipython_are_told_from_lines_that_look_like_them(tmp_path, above, name, value):
    """A remainder at the start of a line is part of a sum."""
    (tmp_path / "a.ipynb").write_bytes(
        notebook(above, f"!ls\ndef cleanse(rides):\n    return {name}\n")
    )
    names = {}
    exec(read(tmp_path / "a.ipynb").files[A.stem], names)
    assert names["cleanse"](1) == value


STRAY = [
    ("half an emoji", "x = '\ud83d'"),
    ("a number too long to write", f"BIG = 0x{'f' * 5000}"),
    ("a very long name", f"%%exercise {'x' * 2**20}\ndef f(): pass"),
]


@pytest.mark.parametrize(("what", "cell"), STRAY)
def test_a_stray_thing_in_a_notebook_costs_nothing_that_lies_beside_it(tmp_path, what, cell):
    """Nor what is in its other cells."""
    folder = tmp_path / "ann"
    folder.mkdir()
    own = f"def {B.function}(lines):\n    return lines\n"
    (folder / "scratch.ipynb").write_bytes(notebook(cell, own))
    (folder / f"{A.stem}.py").write_bytes(TEXT)
    assert set(read(folder).files) == {A.stem, B.stem}


def test_two_answers_have_each_its_own_of_a_name(tmp_path):
    """A helper module of the same name may lie beside both."""
    other = f"from helpers import g\ndef {B.function}(lines):\n    return lines\n".encode()
    members = {
        f"a/{A.stem}.py": b"from helpers import f\n" + TEXT,
        "a/helpers.py": b"def f(): pass\n",
        f"b/{B.stem}.py": other,
        "b/helpers.py": b"def g(): pass\n",
    }
    came = read(zipped(tmp_path / "a.zip", members))
    assert came.modules == {
        A.stem: {"helpers.py": b"def f(): pass\n"},
        B.stem: {"helpers.py": b"def g(): pass\n"},
    }
    assert came.unmatched == {}


def test_a_package_above_an_answer_comes_along_and_a_relative_import_is_plain(tmp_path):
    """As it would be where the package is at home; an answer is run by itself."""
    members = {
        f"src/hw/{A.stem}.py": b"from hw.geo import f\nfrom .tools import g\n" + TEXT,
        "src/hw/geo.py": b"f = 1\n",
        "src/hw/tools.py": b"g = 1\n",
    }
    came = read(zipped(tmp_path / "a.zip", members))
    assert came.files[A.stem].startswith(b"from hw.geo import f\nfrom tools import g\n")
    assert set(came.modules[A.stem]) == {"hw/geo.py", "hw/tools.py", "tools.py"}


def test_modules_are_bounded_in_number_depth_and_name(tmp_path):
    """A small archive could make folders for hours."""
    deep = "/".join(["m", *"abcdefgh", "x.py"])
    members = {f"{A.stem}.py": b"import m\n" + TEXT, deep: b"", f"m/{'x' * 60}.py": b""}
    members |= {f"m/a{number}.py": b"" for number in range(60)}
    (found,) = read(zipped(tmp_path / "a.zip", members)).modules.values()
    assert len(found) == 50
    assert all(len(name) < 300 and name.count("/") < 5 for name in found)


OTHERWISE = ["solution.txt", "ride.md", "answer.py.bak", "a.py3", "x.py ", "issued/solution.py"]


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_text_with_the_function_is_an_answer_whatever_it_is_called(tmp_path, name):
    """Wherever it lies."""
    assert read(zipped(tmp_path / "a.zip", {f"work/{name}": TEXT})).files == {A.stem: TEXT}


@pytest.mark.parametrize("name", ["a.scala", "photo.heic", "essay.tex", "notes.txt", "x.pyc"])
def test_who_handed_in_anything_at_all_handed_in_something(tmp_path, name):
    """What nobody can read, too: it is listed."""
    came = read(zipped(tmp_path / "a.zip", {f"work/{name}": b"I could not do it.", "b.csv": b"1"}))
    assert came.files == {}
    assert f"work/{name}" in " ".join((*came.unread, *came.unmatched))


def test_a_right_answer_under_another_s_name_is_graded_for_what_it_is(tmp_path):
    """And the exercise of that name has what it says."""
    came = read(zipped(tmp_path / "a.zip", {f"{B.stem}.py": TEXT}))
    assert came.files == {A.stem: TEXT, B.stem: TEXT}
    assert f"{B.stem}.py is taken for {A.stem}: found by the function in it" in came.notes[0]


def test_a_function_may_be_bound_by_a_name(tmp_path):
    """It is no `def`, and it is a function."""
    text = b"cleanse = lambda rides: rides\n"
    assert read(zipped(tmp_path / "a.zip", {"x.py": text})).files == {A.stem: text}


def test_an_empty_file_is_nothing_and_that_is_said(tmp_path):
    """It is no wrong answer."""
    came = read(zipped(tmp_path / "a.zip", {f"{A.stem}.py": b" \n"}))
    assert came.files == {}
    assert absent(came, A.stem).message.endswith(f"{A.stem}.py is empty.")


@pytest.mark.parametrize("kind", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_is_packed_in_another_way_is_told(tmp_path, kind):
    """It could not be read: that is not nothing."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", kind) as archive:
        archive.writestr(f"{A.stem}.py", TEXT)
    assert "packed in a way" in read(tmp_path / "a.zip").unread[0]


def test_what_needs_a_password_is_told(tmp_path):
    """In words."""
    data = bytearray(zipped(tmp_path / "a.zip", {f"{A.stem}.py": TEXT}).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    assert read(tmp_path / "a.zip").unread[0] == (f"{A.stem}.py needs a password; it was left out.")


def test_archives_in_archives_are_read_to_a_depth_and_then_told(tmp_path):
    """Of a folder, too."""
    data = TEXT
    name = f"{A.stem}.py"
    for depth in range(5):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            archive.writestr(name, data)
        data, name = inner.getvalue(), f"{depth}.zip"
        (tmp_path / name).write_bytes(data)
        came = read(tmp_path / name)
        assert bool(came.files) == (depth < 3) == (not came.unread)


CLASSES = [
    ("cs_101_20001_ann.py", "cs_101_20002_bob.py", "cs_101_20003_cem.py"),
    ("ss_2026_101_ann.zip", "ss_2026_102_bob.zip"),
    ("hw_late_2024_ann.py", "hw_late_2024_bob.py"),
    ("exam_2024_11111_ride_cleansing.py", "exam_2024_22222_ride_cleansing.py"),
]


@pytest.mark.parametrize("there", CLASSES)
def test_a_class_that_an_instructor_named_like_a_platform_is_no_single_student(tmp_path, there):
    """Two answers to one exercise are two people's."""
    for name in there:
        (tmp_path / name).write_bytes(TEXT)
    assert sorted(names(tmp_path).values()) == [[name] for name in there]


def test_other_platforms_give_out_a_file_each_too(tmp_path):
    """Brightspace and Blackboard, which keeps all attempts."""
    for name in (
        "12345-67890 - Kim Lee - Oct 3, 2026 1103 PM - ride_cleansing.py",
        "12345-67890 - Kim Lee - Oct 3, 2026 1104 PM - quarantine.py",
        "HW1_jdoe_attempt_2026-10-03-22-11-05_ride_cleansing.py",
        "HW1_jdoe_attempt_2026-10-04-09-00-00_ride_cleansing.py",
        "HW1_jdoe_attempt_2026-10-03-22-11-05.txt",
    ):
        (tmp_path / name).write_bytes(TEXT)
    found = {who: len(paths) for who, paths in names(tmp_path).items()}
    assert found == {"12345-67890 - Kim Lee": 2, "HW1_jdoe": 3}


def test_what_is_said_of_others_is_for_instructors_alone(tmp_path):
    """That somebody's name looks like another's is no business of theirs."""
    for name in ("Ann.py", "ann.py"):
        (tmp_path / name).write_bytes(TEXT)
    for child in children(tmp_path).values():
        came = collect(child.student, child.paths, [A], child.notes)
        assert "look alike" in came.who[0]
        assert "look alike" not in " ".join(came.notes)


@pytest.mark.parametrize(
    ("file", "name", "at", "doubt"),
    [
        ("ann2.taxi.zip", "Ann", "", "it is Ann's, and its file is named 'ann2'."),
        ("Ann (1).taxi.zip", "Ann", "", "it is Ann's, and its file is named 'Ann (1)'."),
        ("Ann - Lee.3.taxi.zip", "Ann / Lee", "2026-01-01T12:00:00+00:00", ""),
        ("Cem.2.taxi.zip", "Cem.2", "yesterday", ""),
        ("learner.1.taxi.zip", "\N{TAXI}", "", ""),
        ("leeann_1001_555001_ann.taxi.zip", "Ann", "", ""),
        ("bob", "Ann", "", ""),
        ("Ann.taxi.zip", "Ann", "2999-01-01T12:00:00", "at 2999-01-01T12:00:00, which is yet to c"),
        ("Ann.taxi.zip", "Ann", "9999-12-31T23:59:59-23:00", "yet to come"),
    ],
)
def test_what_an_archive_says_of_itself_is_doubted(tmp_path, file, name, at, doubt):
    """Where it says that it is another's than its name, or of a day that is not there yet."""
    about = json.dumps({"name": name, "at": at}).encode()
    members = {"submission.json": about, f"exercises/{A.stem}.py": TEXT}
    path = tmp_path / file
    if not file.endswith(".zip"):
        path.mkdir()
    zipped(path if file.endswith(".zip") else path / "Ann.taxi.zip", members)
    ((student, child),) = children(tmp_path).items()
    came = collect(student, child.paths, [A], child.notes)
    assert len(came.who) == bool(doubt) and doubt in " ".join(came.who)
    assert came.files == {A.stem: TEXT} and came.notes == () and came.packed_at == at
    console = Console(file=io.StringIO(), width=200)
    telling.collected([child], [], [came], console)
    assert ("Packed as another's, or at" in console.file.getvalue()) == bool(doubt)


@pytest.mark.parametrize("about", [b"", b"[]", b"3", b'{"at": 3, "name": []}', b"[" * 4000])
def test_what_an_archive_says_may_be_anything(tmp_path, about):
    """And then it says nothing."""
    came = read(zipped(tmp_path / "a.taxi.zip", {"submission.json": about, f"{A.stem}.py": TEXT}))
    assert (came.who, came.packed_at) == ((), "")


def test_what_one_student_uses_up_is_there_for_the_next(tmp_path):
    """A reader that failed may have been used up by others: another one is asked."""
    limit = 512 * 2**20
    reader = Apart(_takes, memory=limit)
    try:
        assert reader.ask_anew(300 * 2**20, 60)
        # Nothing but what the first has left keeps this from being done.
        assert reader.ask_anew(300 * 2**20, 60)
        with pytest.raises(Failed, match="MemoryError"):
            reader.ask_anew(600 * 2**20, 60)
        assert reader.ask_anew(1, 60)
    finally:
        reader.dismiss()


kept = []


def _takes(size: int) -> bool:
    kept.append(bytearray(size))
    return True
