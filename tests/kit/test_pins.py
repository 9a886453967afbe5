"""The lists of packages agree with each other."""

import re
import tomllib

import yaml
from packaging.requirements import Requirement

from trainer.course.clone import ROOT
from trainer.spark import java

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONSTRAINTS = (ROOT / "constraints.txt").read_text().splitlines()


def test_pip_gets_what_uv_gets():
    """tools/pin.py wrote both lists, and nobody edited one."""
    assert PROJECT["tool"]["uv"]["constraint-dependencies"] == CONSTRAINTS


def test_direct_dependencies_are_pinned_as_the_constraints_say():
    """Each has one exact version, the same in both places."""
    pinned = {Requirement(line).name: str(Requirement(line).specifier) for line in CONSTRAINTS}
    direct = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    assert {each.name: str(each.specifier) for each in direct} == {
        each.name: pinned[each.name] for each in direct
    }


def test_no_list_names_a_place_to_download_from():
    """Pins are versions; where they come from is the user's own setting."""
    for file in ("pyproject.toml", "constraints.txt", "environment.yml"):
        assert not re.search(r"index-url|find-links|https?://|@ ", (ROOT / file).read_text())


def test_conda_installs_this_package_and_a_java_that_works():
    """The conda route has no list of its own: Python, Java, pip, and this package by pip."""
    *conda, pip = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    versions = dict(line.split("=") for line in conda if "=" in line)
    assert set(conda) == {f"python={versions['python']}", f"openjdk={versions['openjdk']}", "pip"}
    assert (
        versions["python"]
        in Requirement(f"python{PROJECT['project']['requires-python']}").specifier
    )
    assert int(versions["openjdk"]) in java.WORKS
    assert pip == {"pip": ["--constraint constraints.txt", "--editable ."]}
