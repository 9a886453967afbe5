"""A whole batch, right answers and wrong ones, broken archives and attacks: exactly the table.

It is killed in the middle, and goes on.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import psutil
import pytest

from tests.kit.course import alternatives, alternatives_file, as_submitted
from trainer.checking.misconceptions import misconceptions
from trainer.checking.recognition import told_by
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, find
from trainer.grading.book.grades import from_json
from trainer.grading.book.out_folder import all_saved
from trainer.grading.sandbox.sandbox import best

pytestmark = pytest.mark.overnight

EXERCISES = (find("ride_cleansing"), find("quarantine"))
FIRST = EXERCISES[0]
ATTACKS = sorted((ROOT / "tests" / "attacks").glob("*.py"))
UNTOUCHED = {"untouched"}


def notebook(stem: str, text: str) -> str:
    """Write a notebook in which an exercise was solved."""
    cell = {"cell_type": "code", "source": f"%%exercise {stem}\n{text}"}
    return json.dumps({"cells": [cell], "nbformat": 4})


class Class:
    """A folder of submissions, and the verdicts that are expected."""

    def __init__(self, folder: Path) -> None:
        """Let all hand in."""
        self.folder, self.expected, self.told = folder, {}, {}
        folder.mkdir()
        for exercise in EXERCISES:
            self.right_and_wrong(exercise)
        self.broken()
        if best().startswith("bubblewrap"):
            self.attacks()

    def expect(self, student: str, stem: str = "", verdicts: set[str] = UNTOUCHED) -> None:
        """Note what is expected; an exercise that was not handed in is untouched."""
        for exercise in EXERCISES:
            own = exercise.stem == stem
            self.expected[student, exercise.stem] = verdicts if own else UNTOUCHED

    def right_and_wrong(self, exercise: Exercise) -> None:
        """Hand in the solution, right answers written otherwise, wrong ones, and the stub."""
        stem, solution = exercise.stem, exercise.solution.read_text()
        (self.folder / f"notebook-{stem}.ipynb").write_text(notebook(stem, solution))
        self.expect(f"notebook-{stem}", stem, {"correct"})
        stub = self.folder / f"stub-{stem}" / "exercises" / f"{stem}.py"
        stub.parent.mkdir(parents=True)
        stub.write_bytes(exercise.issued.read_bytes())
        self.expect(f"stub-{stem}")
        for name in alternatives(exercise):
            text = as_submitted(exercise, alternatives_file(exercise), name)
            with zipfile.ZipFile(self.folder / f"{name}.zip", "w") as archive:
                archive.writestr(f"kit/exercises/{stem}.py", text)
            self.expect(name, stem, {"correct"})
        for wrong in misconceptions(exercise):
            name = wrong.__name__
            text = as_submitted(exercise, exercise.misconceptions, name)
            with tarfile.open(self.folder / f"{name}.tar.gz", "w:gz") as archive:
                info = tarfile.TarInfo(f"{stem}.py")
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
            self.expect(name, stem, {"wrong"})
            self.told[name] = told_by(wrong)

    def broken(self) -> None:
        """Hand in nothing, or nothing that can be read, in several ways."""
        (self.folder / "empty").mkdir()
        for name in ("no-zip.zip", "no-tar.tar.gz", "no-notebook.ipynb"):
            (self.folder / name).write_bytes(b"\0nothing of the kind")
        self.expect("empty")
        for name in ("no-zip", "no-tar", "no-notebook"):
            for exercise in EXERCISES:
                self.expected[name, exercise.stem] = UNTOUCHED
        (self.folder / "no-python.py").write_text(f"def {FIRST.function}(rides)\n    return\n")
        self.expect("no-python", FIRST.stem, {"crashed"})
        beside = self.folder / "no-python-beside" / f"{FIRST.stem}.py"
        beside.parent.mkdir()
        beside.write_text(f"def {FIRST.function}(rides)\n    return\n")
        self.expect("no-python-beside", FIRST.stem, {"crashed"})

    def attacks(self) -> None:
        """Hand in what wants a grade it has not earned."""
        for attack in ATTACKS:
            file = self.folder / f"attack-{attack.stem}" / f"{FIRST.stem}.py"
            file.parent.mkdir()
            file.write_bytes(attack.read_bytes())
            head = re.search(rb"expect: (.+)", attack.read_bytes())[1].decode()
            self.expect(f"attack-{attack.stem}", FIRST.stem, set(re.split(r"[\s|]+", head.strip())))


class Grading:
    """`trainer grade`, as a process of its own."""

    def __init__(self, folder: Path, out: Path, scratch: Path) -> None:
        """Start it."""
        scratch.mkdir(exist_ok=True)
        names = ",".join(exercise.name for exercise in EXERCISES)
        command = [sys.executable, "-m", "trainer.cli", "grade", str(folder), "--out", str(out)]
        command += ["--exercises", names, "--seed", "secret", "--jobs", "2", "--timeout", "60"]
        command += ["--format", "csv,junit,gradescope"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"TMPDIR": str(scratch)}, stdin=subprocess.DEVNULL
        )

    def wait_for(self, done: int, out: Path) -> None:
        """Wait until so many are graded."""
        while len(list((out / "students").glob("*.json"))) < done:
            assert self.process.poll() is None
            time.sleep(0.2)

    def kill(self) -> None:
        """End it as nothing can prepare for; what it started must end by itself."""
        started = psutil.Process(self.process.pid).children(recursive=True)
        assert started
        self.process.kill()
        self.process.wait()
        _, alive = psutil.wait_procs(started, timeout=30)
        assert alive == []


def test_a_batch_gives_the_table_though_it_was_killed_in_the_middle(tmp_path):
    """Each as it deserves, no row lost, who was done not graded again, nothing left behind."""
    everyone, out, scratch = Class(tmp_path / "in"), tmp_path / "out", tmp_path / "tmp"
    cut = Grading(everyone.folder, out, scratch)
    cut.wait_for(len(everyone.expected) // 4, out)
    cut.kill()
    # One may have been saved without its explanation; it is graded again.
    done = [
        file for file in (out / "students").glob("*.json") if from_json(file.read_text()).settled
    ]
    before = {file: file.stat().st_mtime_ns for file in done}
    assert before
    again = Grading(everyone.folder, out, scratch)
    assert again.process.wait() == 0
    with (out / "grades.csv").open() as file:
        came = {(row["student"], row["exercise"]): row["verdict"] for row in csv.DictReader(file)}
    assert list(came) == sorted(everyone.expected)
    expected = everyone.expected.items()
    assert {key: (came[key], right) for key, right in expected if came[key] not in right} == {}
    ideas = {
        student: each.misconception
        for student, grade in all_saved(out).items()
        for each in grade.exercises
        if student in everyone.told and each.verdict == "wrong"
    }
    assert ideas == everyone.told
    assert {file: file.stat().st_mtime_ns for file in before} == before
    assert list(scratch.iterdir()) == []
