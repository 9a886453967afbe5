"""The doctor: one line a check, and what to do."""

import re
import socket
import subprocess
from importlib import metadata

import pytest
from typer.testing import CliRunner

from trainer import cli
from trainer.learner import doctor, doctor_line
from trainer.learner.doctor import Finding
from trainer.spark import quick_start


@pytest.fixture
def installed(monkeypatch):
    """Let a package have another version than it has; None where it is to be missing."""
    real = metadata.version

    def pretend(package: str, other: str | None) -> None:
        def version(name: str) -> str:
            if name == package and other is None:
                raise metadata.PackageNotFoundError(name)
            return other if name == package else real(name)

        monkeypatch.setattr(metadata, "version", version)

    return pretend


def test_a_wrong_version_is_named_with_the_remedy(installed):
    """A pandas 3 that crept in is one line: what was found, what was expected, what to do."""
    installed("pandas", "3.1.1")
    assert doctor.packages() == Finding(
        "fail", "pandas 3.1.1 (expected ==2.3.3). Run `uv sync`, which puts that right."
    )


def test_a_missing_package_is_named(installed):
    """So is one that isn't there at all."""
    installed("pyarrow", None)
    assert "pyarrow is missing" in doctor.packages().says


def test_the_packages_here_are_those_that_were_tested():
    """The environment of this run is the pinned one."""
    assert doctor.packages().verdict == "ok"


def test_a_cache_folder_that_cannot_be_written_is_a_note(monkeypatch, tmp_path):
    """A learner can work without the archive, and is told how to get it."""
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("TRAINER_CACHE", str(blocked / "cache"))
    finding = doctor.quick_start_found()
    assert finding.verdict == "note"
    assert "Set TRAINER_CACHE" in finding.says


def test_a_taken_port_is_a_note(monkeypatch):
    """JupyterLab takes the next port, so nobody has to stop."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setattr(doctor, "PORTS", {"JupyterLab": port})
        found = doctor.ports()
    assert found.verdict == "note"
    assert found.says.startswith(f"port {port} taken: JupyterLab and Spark's page take the next")
    assert doctor.ports() == Finding("ok", f"{port} (JupyterLab) free")


def test_a_query_that_fails_shows_its_last_line(monkeypatch):
    """The reason, not the traceback."""
    process = subprocess.CompletedProcess(
        [], 1, "", "Traceback…\n  File …\npyspark.errors.SomeException: it rained\n\n"
    )
    for name in ("rehearse", "make"):
        monkeypatch.setattr(quick_start, name, lambda: process)
    assert doctor.spark() == Finding(
        "fail", "a first streaming query failed: SomeException: it rained"
    )


def test_spark_really_starts_here():
    """The check itself: a session, two stateful queries, a Python processor."""
    assert doctor.spark().verdict == "ok"


def run_doctor(monkeypatch, *findings: Finding):
    """Run the command on findings of our own."""
    checks = {f"check {n}": (lambda found=found: found) for n, found in enumerate(findings)}
    monkeypatch.setattr(doctor, "CHECKS", checks)
    return CliRunner().invoke(cli.app, ["doctor"])


def test_notes_do_not_stop_a_learner(monkeypatch):
    """Exit code 0, and the next command."""
    ran = run_doctor(monkeypatch, Finding("ok", "fine"), Finding("note", "slower"))
    assert ran.exit_code == 0
    assert ran.output.splitlines()[-1] == "Ready. `uv run trainer lab` opens the course."


def test_a_failure_ends_in_one(monkeypatch):
    """Exit code 1 if a learner can't work."""
    assert run_doctor(monkeypatch, Finding("fail", "no"), Finding("ok", "fine")).exit_code == 1


def test_a_check_that_breaks_is_a_line_too(monkeypatch):
    """No traceback reaches the learner."""
    monkeypatch.setattr(doctor, "CHECKS", {"odd": lambda: 1 / 0})
    ran = CliRunner().invoke(cli.app, ["doctor"])
    assert ran.exit_code == 1
    assert "fail  odd          this check broke" in ran.output


def test_one_line_says_all_that_an_instructor_needs():
    """Ready or not and why, system, Java, memory; and not whose machine it is."""
    home = doctor.Path.home()
    found = [
        ("Python", Finding("ok", f"Python 3.11 ({home}/bin/python)", "Linux x86_64, Python 3.11")),
        ("memory", Finding("fail", "1.2 GB of memory free, expected 2 GB: close something large.")),
        ("folders", Finding("fail", f"can't write in {home}/kit: clone the kit elsewhere.")),
        ("ports", Finding("note", "port 8888 taken")),
    ]
    told = doctor_line.line(found)
    assert re.fullmatch(
        r"taxi-streams \S+ \| NOT READY \| memory: 1\.2 GB .* \| folders: can't write in ~/kit: .*"
        r" \| Linux x86_64, Python 3\.11 \| notes on ports",
        told,
    )
    assert " | ready | " in doctor_line.line(found[:1])
