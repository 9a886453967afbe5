"""The reference answer beside a learner's: what both give on the same scenario."""

from collections.abc import Callable, Collection
from functools import partial

from pyspark.sql import DataFrame

from trainer.checking.runs import Run
from trainer.course.exercise import Exercise
from trainer.running.drive import run
from trainer.running.loading import load
from trainer.running.result import Outcome
from trainer.running.scenario import Scenario

Both = Callable[[Scenario], tuple[Outcome, Outcome]]
# A case that was cut down from one that came to its end comes to an end as well, or is no case.
LIMIT = 20
_known: dict[tuple[Exercise, str], tuple[Scenario, Outcome]] = {}


def expected(exercise: Exercise, made: Run) -> Outcome:
    """Give what the reference gives in a run, from memory if it was asked before."""
    key = exercise, made.name
    # Another seed gives the run another scenario, and so does an author's edit.
    if key not in _known or _known[key][0] != made.scenario:
        _known[key] = made.scenario, given_by_the_reference(exercise, made.scenario)
    return _known[key][1]


def given_by_the_reference(exercise: Exercise, scenario: Scenario) -> Outcome:
    """Run the reference."""
    reference = load(exercise.solution, exercise.function)
    return scenario.run(partial(run, reference, contents=_is_about_state(scenario)))


def beside(answer: Callable, reference: Callable, names: Collection[str] = ()) -> Both:
    """Run an answer and the reference side by side, in one run: that takes little more than one.

    `names` are the tables that a contract asks a sink for: what else it keeps is its own affair.
    """

    def both(**inputs: DataFrame) -> dict[str, DataFrame]:
        ours, theirs = answer(**inputs), reference(**inputs)
        return _named("came", ours) | _named("expected", theirs)

    def side_by_side(scenario: Scenario) -> tuple[Outcome, Outcome]:
        if scenario.apart:
            # They have nothing in common but the rows.
            ours = scenario.run(partial(run, answer, timeout=LIMIT))
            looks = _is_about_state(scenario)
            theirs = scenario.run(partial(run, reference, timeout=LIMIT, contents=looks))
            return _asked_for(ours, names), _asked_for(theirs, names)
        results = scenario.run(partial(run, both, timeout=LIMIT))
        return _chosen("came", results), _chosen("expected", results)

    return side_by_side


def _is_about_state(scenario: Scenario) -> bool:
    """Whether what state held has to be known, to tell what is wrong."""
    return scenario.options.get("role") == "reader"


def _asked_for(outcome: Outcome, names: Collection[str]) -> Outcome:
    if not isinstance(outcome, dict):
        return outcome
    return {name: outcome[name] for name in names if name in outcome}


def _named(who: str, frames: object) -> dict[str, object]:
    frames = frames if isinstance(frames, dict) else {"": frames}
    return {f"{who} {name}": frame for name, frame in frames.items()}


def _chosen(who: str, results: Outcome) -> Outcome:
    chosen = {
        name.removeprefix(f"{who} "): result
        for name, result in results.items()
        if name.startswith(f"{who} ")
    }
    return chosen.get("", chosen)
