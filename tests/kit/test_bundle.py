"""A bundle sets the course up where there is no network."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.kit.test_offline import ISOLATED, can_be_isolated
from trainer.bundle import install, kit
from trainer.bundle.pins import Pin, Requirement, rounds
from trainer.bundle.platforms import PLATFORMS, PYTHONS, chosen, chosen_pythons
from trainer.bundle.store import Store, sum_of
from trainer.course.clone import ROOT
from trainer.course.exercise import exercises
from trainer.course.problem import Problem

NEEDS = "glibc 2.28"


def wheel(folder: Path, tag: str, name: str = "cab-1.0") -> Path:
    """Write a wheel that holds next to nothing."""
    file = folder / f"{name}-{tag}.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("cab.py", tag)
    return file


def pin(text: str, *files: Path) -> Pin:
    """Pin a package to the sums of these files."""
    return Pin(Requirement(text), tuple(f"sha256:{sum_of(file)}" for file in files))


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    """A bundle with one file in it, for this machine, its own installer looking at it."""
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle" / "kit.tar.gz").write_bytes(b"taxis")
    monkeypatch.setattr(install, "HERE", tmp_path / "bundle")
    (tmp_path / "bundle" / "manifest.json").write_text("{}")
    return tmp_path / "bundle"


def test_every_platform_is_chosen_where_none_is_named():
    """And `all` is all of them."""
    assert chosen([]) == chosen(["all"]) == [*PLATFORMS.values()]
    assert chosen_pythons([]) == [*PYTHONS]


@pytest.mark.parametrize("choose", [chosen, chosen_pythons])
def test_what_there_is_no_bundle_for_is_one_line(choose):
    """With what there is."""
    with pytest.raises(Problem, match=r"No (platform|Python) 'windows'.*There are"):
        choose(["windows"])


def test_a_pin_is_taken_where_some_release_of_the_python_wants_it():
    """Two versions of one package, for early and late releases, are both needed."""
    linux = PLATFORMS["linux-x86_64"]
    early = pin("soup==2; python_full_version < '3.11.5'")
    late = pin("soup==4; python_full_version >= '3.11.5'")
    mac = pin("app==1; sys_platform == 'darwin'")
    assert [each.is_for(linux, "3.11") for each in (early, late, mac)] == [True, True, False]
    assert [each.is_for(linux, "3.12") for each in (early, late, mac)] == [False, True, False]
    assert rounds([early, late]) == [[early], [late]]


def test_a_wheel_that_was_downloaded_is_taken_again(tmp_path):
    """If it is for that machine and Python, and has a sum that the lock knows."""
    store = Store(tmp_path)
    here = wheel(tmp_path, "cp312-cp312-manylinux_2_17_x86_64")
    linux, mac = PLATFORMS["linux-x86_64"], PLATFORMS["macos-arm64"]
    wanted = pin("cab==1.0", here)
    assert store.fitting(wanted, linux.wheel_tags("3.12")) == here
    assert store.fitting(wanted, linux.wheel_tags("3.13")) is None
    assert store.fitting(wanted, mac.wheel_tags("3.12")) is None
    here.write_bytes(b"cut short")
    assert store.fitting(wanted, linux.wheel_tags("3.12")) is None


def test_the_kit_goes_out_unsolved(tmp_path):
    """All that was committed, and each exercise as it was issued."""
    kit.write(tmp_path / "kit.tar.gz")
    with tarfile.open(tmp_path / "kit.tar.gz") as packed:
        names = packed.getnames()
        for exercise in exercises():
            stub = packed.extractfile(f"exercises/{exercise.stem}.py").read()
            assert stub == (kit.ISSUED / f"{exercise.stem}.py").read_bytes()
    assert {"pyproject.toml", "trainer/cli.py"} <= {*names}
    assert not {name.split("/")[0] for name in names} & kit.OWN


def test_a_damaged_file_is_named(bundle):
    """In one line, and so is one that is missing."""
    known = {name: {"sha256": hashlib.sha256(b"taxis").hexdigest()} for name in ("kit.tar.gz", "x")}
    install._require_whole(known, ["kit.tar.gz"], bundle)
    with pytest.raises(install.Stop, match=r"x is missing from the bundle"):
        install._require_whole(known, ["x"], bundle)
    (bundle / "kit.tar.gz").write_bytes(b"taxes")
    with pytest.raises(install.Stop, match=r"kit.tar.gz is damaged: its SHA-256 sum is"):
        install._require_whole(known, ["kit.tar.gz"], bundle)


def test_another_platform_is_refused(monkeypatch):
    """With those that the bundle is for."""
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(install.Stop, match=r"is linux-riscv64; the bundle is for macos-arm64"):
        install.fitting({"needs": {"macos-arm64": NEEDS}, "pythons": [*PYTHONS]})


def test_an_old_python_is_refused(monkeypatch):
    """With those that the bundle has wheels for."""
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    with pytest.raises(install.Stop, match=r"Python 3\.9 found .*, expected 3\.11 or 3\.12"):
        install._require_a_python(["3.11", "3.12"])


def test_a_full_disk_is_told_before_anything_is_written(tmp_path):
    """How much is free, and how much it takes."""
    known = {"kit.tar.gz": {"size": 1, "unpacked": 10**15}}
    with pytest.raises(install.Stop, match=r"GB free at .*, expected 1000000\.5 GB"):
        install._require_space(known, ["kit.tar.gz"], tmp_path / "new", False)
    assert not (tmp_path / "new").exists()


def test_what_someone_else_has_there_is_not_written_over(bundle, tmp_path):
    """A folder is taken if it is new, or was set up from this very bundle."""
    target = tmp_path / "course"
    install._require_a_place(target, "this")
    target.mkdir()
    (target / "thesis.txt").touch()
    with pytest.raises(install.Stop, match="holds something else"):
        install._require_a_place(target, "this")
    (target / install.MARK).write_text(json.dumps({"bundle": "this"}))
    install._require_a_place(target, "this")
    with pytest.raises(install.Stop, match="was set up from another bundle"):
        install._require_a_place(target, "that")


def test_a_long_silence_is_announced(monkeypatch, tmp_path, capsys):
    """Before the doctor starts Spark, and where nobody watches, too."""
    steps = [name for name in vars(install) if re.match("_(require|claim|unpack|copy|inst)", name)]
    for name in steps:
        monkeypatch.setattr(install, name, lambda *given: None)
    said = []
    monkeypatch.setattr(install, "_examine", lambda target: said.append(capsys.readouterr().out))
    monkeypatch.setattr(install, "_sum", lambda file: "")
    install.install({"always": [], "sets": {"x": []}, "files": {}}, "x", None, tmp_path)
    assert "before its line on Spark it is silent, for a minute or more" in said[0]


def test_nothing_in_the_installer_names_a_place_to_download_from():
    """It installs from what lies beside it."""
    for name in ("install", "install.py"):
        assert "pypi" not in (ROOT / "trainer" / "bundle" / name).read_text().lower()


@pytest.mark.slow
@pytest.mark.skipif(not can_be_isolated(), reason="bubblewrap is missing, or not allowed, here")
def test_a_machine_without_network_java_or_home_is_set_up(tmp_path):
    """Made for this machine, copied elsewhere and run there; again, it keeps what was written."""
    name = f"linux-{platform.machine()}"
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    asked = [str(tmp_path / "out"), "--platform", name, "--python", python]
    subprocess.run([sys.executable, "-m", "trainer.cli", "bundle", *asked], cwd=ROOT, check=True)
    shutil.move(tmp_path / "out", tmp_path / "stick")
    path = tmp_path / "bin"
    path.mkdir()
    for tool in ("bash", "sh", "dirname", "basename", "chmod", "ps", "rm", "mktemp"):
        (path / tool).symlink_to(shutil.which(tool))
    (path / f"python{python}").symlink_to(Path(sys.executable).resolve())
    home = tmp_path / "home"
    home.mkdir()

    def installed() -> str:
        ran = subprocess.run(
            [shutil.which("bwrap"), *ISOLATED[1:], "sh", str(tmp_path / "stick" / "install")],
            env={"PATH": str(path), "HOME": str(home), "LANG": os.environ.get("LANG", "C.UTF-8")},
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    assert "Java 25" in installed()
    answer = home / "taxi-streams" / "exercises" / "ch01a_ride_cleansing.py"
    answer.write_text("# mine\n")
    assert "Ready." in installed()
    assert answer.read_text() == "# mine\n"
