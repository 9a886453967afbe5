"""Grades the attacks in tests/attacks; on its own, writes the table of them.

uv run python -m tools.attacks
"""

import ast
import multiprocessing
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from trainer.checking.verdict import Verdict
from trainer.course.clone import ROOT
from trainer.course.exercise import find

FOLDER = ROOT / "tests" / "attacks"
README = FOLDER / "README.md"
EXERCISE = find("ride_cleansing")
SETTING = re.compile(r"(expect|seconds|not defended): (.+)")
HEAD = """# Attacks on the grader

Each file here is a submission for ride cleansing that wants a grade it has not earned, or wants to
do harm. `uv run pytest -m overnight tests/kit/test_attacks.py` grades them all in the best sandbox
the machine has, correct answers among them, and looks for what they left behind.
`uv run python -m tools.attacks` writes this table from the files.

"""


@dataclass(frozen=True)
class Attack:
    """A submission and the verdicts it may get."""

    path: Path
    expected: tuple[str, ...]
    trick: str
    seconds: float = 60
    not_defended: str = ""

    @property
    def name(self) -> str:
        """Its idea in a few words."""
        return self.path.stem.replace("_", " ")


def read(path: Path) -> Attack:
    """Read from an attack's docstring what is expected of it."""
    head, _, trick = ast.get_docstring(ast.parse(path.read_bytes())).partition("\n\n")
    settings = dict(SETTING.fullmatch(line).groups() for line in head.splitlines())
    return Attack(
        path,
        tuple(settings["expect"].split()),
        " ".join(trick.split()),
        float(settings.get("seconds", 60)),
        settings.get("not defended", ""),
    )


def attacks() -> list[Attack]:
    """Read all attacks."""
    return [read(path) for path in sorted(FOLDER.glob("*.py"))]


def right_answer() -> Attack:
    """Give the reference answer as one more submission, to be graded among the attacks."""
    return Attack(EXERCISE.solution, ("correct",), "Is right.")


def grade(attack: Attack, level: str) -> Verdict:
    """Judge one attack as a submission."""
    from trainer.grading.judging.judge import judge

    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        shutil.copyfile(attack.path, Path(folder, f"{EXERCISE.stem}.py"))
        found = judge(Path(folder), [EXERCISE], level=level, seed=77, seconds=attack.seconds)
    verdict = found[EXERCISE.stem]
    return Verdict(verdict.kind, verdict.message)


def grade_all(
    chosen: Sequence[Attack], level: str, jobs: int = 2
) -> Iterator[tuple[Attack, Verdict]]:
    """Judge attacks, some at a time, each in a sandbox of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool:
        yield from zip(chosen, pool.map(grade, chosen, [level] * len(chosen)), strict=True)


def table() -> str:
    """Write the table of all attacks."""
    lines = ["| attack | what it tries | verdict |", "|---|---|---|"]
    for attack in attacks():
        verdict = " or ".join(attack.expected)
        if attack.not_defended:
            verdict = f"**{verdict}**: not defended, {attack.not_defended}"
        lines.append(f"| [{attack.name}]({attack.path.name}) | {attack.trick} | {verdict} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    README.write_text(table(), encoding="utf-8")
