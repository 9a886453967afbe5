"""What each misconception gives in the grader's runs, found out once by the course's authors.

An answer that gives the same is recognised at once, without running anything. Authors run
`python -m trainer.outcomes` after they changed a grader or its misconceptions; a test
reminds them.
"""

import hashlib
import json

from trainer.checking.fingerprint import Fingerprint, of_outcome
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import misconceptions
from trainer.checking.verdict import Verdict
from trainer.course import safe_file
from trainer.course.exercise import Exercise

# By misconception and run. What is made from a seed is known for this one only.
Outcomes = dict[str, dict[str, Fingerprint]]
SEED = 1


def known(exercise: Exercise) -> Outcomes:
    """Give what came, by misconception and run; nothing if the files have changed since."""
    if not exercise.outcomes.exists():
        return {}
    kept = json.loads(exercise.outcomes.read_text(encoding="utf-8"))
    if kept["made_from"] != made_from(exercise):
        return {}
    try:
        return {
            name: {run: Fingerprint(*marks) for run, marks in runs.items()}
            for name, runs in kept["outcomes"].items()
        }
    except TypeError:
        # Kept in another form than today's.
        return {}


def made_from(exercise: Exercise) -> str:
    """Mark the texts that decide what comes: the grader's and the misconceptions'."""
    texts = (exercise.grader.read_bytes(), exercise.misconceptions.read_bytes())
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:12]


def marks(verdict: Verdict) -> dict[str, Fingerprint]:
    """Mark what came in the runs that led to a verdict."""
    runs = {run.name: run for check in verdict.checks for run in check.runs}
    return {name: of_outcome(run.outcome) for name, run in runs.items()}


def find_out(exercise: Exercise) -> None:
    """Run the grader on each misconception, and keep what came."""
    outcomes = {}
    for wrong in misconceptions(exercise):
        verdict = verdict_on(exercise, exercise.misconceptions, function=wrong.__name__, seed=SEED)
        outcomes[wrong.__name__] = marks(verdict)
    kept = {"made_from": made_from(exercise), "outcomes": outcomes}
    safe_file.write(exercise.outcomes, json.dumps(kept, indent=1) + "\n")
