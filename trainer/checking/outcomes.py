"""What each misconception gives in the grader's runs, found out once by the course's authors.

An answer that gives the same is recognised at once, without running anything. Authors run
`python -m trainer.outcomes` after they changed a grader or its misconceptions; a test
reminds them.
"""

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trainer.checking.fingerprint import Fingerprint, of_outcome
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import misconceptions
from trainer.checking.verdict import Verdict
from trainer.course import safe_file
from trainer.course.exercise import Exercise

# What is made from a seed is known for this one only.
SEED = 1
# What marks misconceptions comes from there.
MARKING = "trainer.misconceptions"


@dataclass(frozen=True)
class Known:
    """What came of each misconception, by name and run, and the rows that are right, by run."""

    given: Mapping[str, Mapping[str, Fingerprint]] = field(default_factory=dict)
    right: Mapping[str, str] = field(default_factory=dict)


def known(exercise: Exercise) -> Known:
    """Give what was found out; nothing if the files have changed since."""
    if not exercise.outcomes.exists():
        return Known()
    kept = json.loads(exercise.outcomes.read_text(encoding="utf-8"))
    if kept["made_from"] != made_from(exercise):
        return Known()
    try:
        given = {
            name: {run: Fingerprint(*marks) for run, marks in runs.items()}
            for name, runs in kept["outcomes"].items()
        }
    except TypeError:
        # Kept in another form than today's.
        return Known()
    return Known(given, kept.get("right", {}))


def made_from(exercise: Exercise) -> str:
    """Mark the texts that decide what comes: the grader's and the misconceptions'."""
    texts = "\0".join(map(_that_decides, (exercise.grader, exercise.misconceptions)))
    return hashlib.sha256(texts.encode()).hexdigest()[:12]


def _that_decides(path: Path) -> str:
    """Give a file's lines without docstrings and marks: another wording changes no outcome."""
    text = path.read_text(encoding="utf-8")
    words = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            told = node.body[:1] if ast.get_docstring(node) is not None else []
            for part in (*told, *_marks_on(node)):
                words.update(range(part.lineno, part.end_lineno + 1))
        elif isinstance(node, ast.ImportFrom) and node.module == MARKING:
            words.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(text.splitlines(), 1)
    return "\n".join(line for number, line in lines if line and number not in words)


def _marks_on(node: ast.AST) -> list[ast.expr]:
    decorators = getattr(node, "decorator_list", ())
    return [each for each in decorators if "caught_by" in ast.unparse(each)]


def marks(verdict: Verdict) -> dict[str, Fingerprint]:
    """Mark what came in the runs that led to a verdict."""
    runs = {run.name: run for check in verdict.checks for run in check.runs}
    return {name: of_outcome(run.outcome) for name, run in runs.items()}


def find_out(exercise: Exercise) -> None:
    """Run the grader on the solution and on each misconception, and keep what came."""
    right = marks(verdict_on(exercise, exercise.solution, seed=SEED))
    outcomes = {}
    for wrong in misconceptions(exercise):
        verdict = verdict_on(exercise, exercise.misconceptions, function=wrong.__name__, seed=SEED)
        outcomes[wrong.__name__] = marks(verdict)
        if not outcomes[wrong.__name__]:
            print(f"  {wrong.__name__} gave no rows: {verdict.message}", flush=True)
    kept = {
        "made_from": made_from(exercise),
        "right": {run: each.rows for run, each in right.items()},
        "outcomes": outcomes,
    }
    safe_file.write(exercise.outcomes, json.dumps(kept, indent=1) + "\n")
