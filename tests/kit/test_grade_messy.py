"""A class as messy as real ones: each gets what the code deserves, and nobody gets another's."""

import csv
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from trainer.course.clone import ROOT
from trainer.course.exercise import exercises, find

pytestmark = pytest.mark.overnight

A, B = find("ride_cleansing"), find("hourly_tips")
RIGHT, TIPS = A.solution.read_text(), B.solution.read_text()
WRONG = "def cleanse(rides):\n    return rides\n"
BODY = RIGHT[RIGHT.index("def cleanse") :]
IMPORTS = RIGHT[: RIGHT.index("def cleanse")]
HELPER = (
    "from datagen.geo import is_in_nyc\n\n"
    "def inside():\n"
    '    return is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat")\n'
)
HELPED = "from helpers import inside\n\ndef cleanse(rides):\n    return rides.filter(inside())\n"
MAGIC = f"%%exercise {A.stem}\n"


def notebook(*cells: str) -> bytes:
    """Write a notebook of code cells."""
    made = [{"cell_type": "code", "source": cell} for cell in cells]
    return json.dumps({"cells": made, "nbformat": 4}).encode()


def zipped(members: dict[str, str | bytes]) -> bytes:
    """Write a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def tarred(name: str, text: str) -> bytes:
    """Write a tar archive of one file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(text.encode())
        archive.addfile(info, io.BytesIO(text.encode()))
    return packed.getvalue()


# What lies in the folder, and what its student is to get for the two exercises.
HANDED_IN: dict[str, str | bytes] = {
    "again/ride_cleansing (1).py": RIGHT,
    "without the chapter/ride_cleansing.py": RIGHT,
    "capitals/CH01A_RIDE_CLEANSING.PY": RIGHT,
    "saved as text/ch01a_ride_cleansing.py.txt": RIGHT,
    "final/Ride-Cleansing_final_v2.py": RIGHT,
    "no magic/work.ipynb": notebook("%load_ext x\nimport os", IMPORTS, f"print('hi')\n{BODY}"),
    "comment/work.ipynb": notebook(f"# my answer\n\n{MAGIC}{RIGHT}"),
    "helped/ch01a_ride_cleansing.py": HELPED,
    "helped/helpers.py": HELPER,
    "utf 16/ch01a_ride_cleansing.py": RIGHT.encode("utf-16"),
    "latin/ch01a_ride_cleansing.py": f"# Zürich\n{RIGHT}".encode("cp1252"),
    "by function.py": RIGHT,
    "doe_jane_123_late_456_ride_cleansing.py": RIGHT,
    "doe_jane_123_late_457_hourly_tips-1.py": TIPS,
    "Max Muster_4711_assignsubmission_file_/ch01a.py": RIGHT,
    "submission_99/x.ipynb": notebook(f"%%exercise ride_cleansing\n{RIGHT}"),
    "ann\u200bsmith.py": WRONG,
    "ann_smith.py": RIGHT,
    "a.zip.py": RIGHT,
    "a.py": WRONG,
    "a.zip": zipped({"ch01a_ride_cleansing.py": RIGHT}),
    "BOB.py": RIGHT,
    "bob.py": WRONG,
    "in a notebook/exercises/ch01a_ride_cleansing.py": A.issued.read_text(),
    "in a notebook/n.ipynb": notebook(f"{MAGIC}{RIGHT}"),
    "both.py": f"{RIGHT}\n\n{TIPS}",
    "windows.zip": zipped({"kit\\exercises\\ch04a_hourly_tips.py": TIPS}),
    "packed twice.zip": zipped({"x.tgz": tarred("deep/ch01a_ride_cleansing.py", RIGHT)}),
    "mac.zip": zipped(
        {"__MACOSX/._ch01a_ride_cleansing.py": b"\0", "ch01a_ride_cleansing.py": RIGHT}
    ),
    "syntax.py": "def cleanse(rides)\n    return rides\n",
    "broken.zip": b"PK\3\4 no zip",
    "no match/foo.py": "def clense(rides):\n    return rides\n",
    "nothing/readme.md": "later",
    "=formula.py": RIGHT,
    "whole.zip": zipped(
        {f"kit/exercises/{e.stem}.py": e.issued.read_bytes() for e in exercises()}
        | {f"kit/solutions/{e.stem}.py": e.solution.read_bytes() for e in exercises()}
        | {f"kit/exercises/{A.stem}.py": WRONG}
    ),
}
RIGHT_ALONE, WRONG_ALONE = ("correct", "untouched"), ("wrong", "untouched")
EXPECTED = {
    "BOB~": RIGHT_ALONE,
    "bob~": WRONG_ALONE,
    "ann_smith~": {RIGHT_ALONE, WRONG_ALONE},
    "a.zip~": RIGHT_ALONE,
    "a.py": WRONG_ALONE,
    "both": ("correct", "correct"),
    "doe_jane_123": ("correct", "correct"),
    "windows": ("untouched", "correct"),
    "syntax": ("crashed", "untouched"),
    "broken": ("untouched", "untouched"),
    "no match": ("untouched", "untouched"),
    "nothing": ("untouched", "untouched"),
    "whole": WRONG_ALONE,
}


def test_each_gets_the_grade_that_the_code_deserves(tmp_path):
    """And who could not be matched is listed, not called someone who handed in nothing."""
    folder, out = tmp_path / "in", tmp_path / "out"
    for name, data in HANDED_IN.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data if isinstance(data, bytes) else data.encode())
    command = [sys.executable, "-m", "trainer.cli", "grade", str(folder), "--out", str(out)]
    command += ["--exercises", f"{A.name},{B.name}", "--jobs", "2"]
    assert subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0
    came = verdicts(out / "grades.csv")
    assert len(came) == 32
    for student, given in came.items():
        marked = student.partition("~")[0] + "~" if "~" in student else student
        due = EXPECTED.get(marked, RIGHT_ALONE)
        assert given in (due if isinstance(due, set) else {due}), student
    smiths = {given for student, given in came.items() if student.startswith("ann_smith~")}
    assert smiths == {RIGHT_ALONE, WRONG_ALONE}
    page = (out / "overview.html").read_text()
    missed = page[page.index("Handed in, and not graded") : page.index("Handed in nothing")]
    assert f"foo.py ({A.stem})" in missed
    assert "broken.zip is broken" in missed
    nothing = page[page.index("Handed in nothing") :][:200]
    assert "nothing" in nothing
    assert "no match" not in nothing


def verdicts(table: Path) -> dict[str, tuple[str, str]]:
    """Read the verdicts on both exercises, by student."""
    found: dict[str, dict[str, str]] = {}
    with table.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["student"].removeprefix("'"), {})[row["exercise"]] = row["verdict"]
    return {student: (given[A.stem], given[B.stem]) for student, given in found.items()}
