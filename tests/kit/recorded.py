"""What each misconception gave beside the reference, recorded: cases for tests without Spark.

`python -m tests.kit.recorded [EXERCISE…]` records them anew.
"""

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path

from trainer.checking.case import Case
from trainer.checking.counterexample import failing
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import misconceptions
from trainer.checking.reference import expected
from trainer.course.exercise import Exercise, exercises, find
from trainer.running.loading import load_module
from trainer.running.result import Outcome, Result, outputs
from trainer.running.scenario import Scenario

FOLDER = Path(__file__).parent / "data" / "cases"
SEED = 1


def exercises_recorded() -> list[Exercise]:
    """Give the exercises of which cases were recorded."""
    return [exercise for exercise in exercises() if _file(exercise).exists()]


@cache
def recorded(exercise: Exercise) -> dict[str, Case]:
    """Give the recorded cases of an exercise, by misconception; those of runs that are gone not."""
    kept = json.loads(_file(exercise).read_text(encoding="utf-8"), object_hook=_time)
    module = load_module(exercise.grader)
    cases = {}
    for name, (run, came, wanted) in kept["cases"].items():
        if declared := getattr(getattr(module, run, None), "declared", None):
            scenario = declared.scenario(SEED)
            both = (_outcome(each, scenario) for each in (came, kept["reference"][wanted]))
            cases[name] = Case(scenario, *both, getattr(module, "ORDERED_BY", None))
    return cases


def _outcome(kept: dict, scenario: Scenario) -> Outcome:
    results = {name: Result(**each, scenario=scenario) for name, each in kept.items()}
    return results.get("", results)


def record(exercise: Exercise) -> None:
    """Run each misconception on the runs of the tests that must catch it, and keep what came."""
    cases, reference = dict(_cases(exercise)), {}
    for name, (run, _, wanted) in cases.items():
        reference[run] = wanted
        cases[name] = (run, cases[name][1], run)
    text = json.dumps({"cases": cases, "reference": reference}, default=_as_json)
    FOLDER.mkdir(parents=True, exist_ok=True)
    _file(exercise).write_text(text + "\n", encoding="utf-8")


def _cases(exercise: Exercise) -> Iterator[tuple[str, tuple]]:
    for wrong in misconceptions(exercise):
        settings = {"function": wrong.__name__, "tests": wrong.caught_by, "seed": SEED}
        check = failing(verdict_on(exercise, exercise.misconceptions, **settings))
        for made in check.runs if check else ():
            case = Case(made.scenario, made.outcome, expected(exercise, made))
            if case.differences:
                yield wrong.__name__, (made.name, _kept(case.came), _kept(case.expected))
                break


def _kept(outcome: Outcome) -> dict:
    names = ("batches", "state_rows", "dropped_late", "watermarks", "schema")
    results = outputs(outcome).items()
    return {key: {name: getattr(result, name) for name in names} for key, result in results}


def _as_json(value: datetime) -> dict[str, str]:
    return {"time": value.isoformat()}


def _time(found: dict) -> object:
    return datetime.fromisoformat(found["time"]) if list(found) == ["time"] else found


def _file(exercise: Exercise) -> Path:
    return FOLDER / f"{exercise.stem}.json"


if __name__ == "__main__":
    for each in list(map(find, sys.argv[1:])) or exercises():
        print(each.stem, flush=True)
        record(each)
