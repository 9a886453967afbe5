"""Records the scenarios that a grader ran, so that feedback can go back to the one that failed."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from trainer.result import Result, Scenario

Outcome = Result | dict[str, Result]


def outputs(outcome: Outcome) -> dict[str, Result]:
    """Give the outputs of a run by name; a single one is called ''."""
    return outcome if isinstance(outcome, dict) else {"": outcome}


@dataclass(frozen=True)
class Run:
    """One run of a scenario: what came out, and the functions on whose behalf it was made."""

    scenario: Scenario
    outcome: Outcome
    callers: frozenset[str]


class Recorder:
    """Runs scenarios, and remembers each with what came of it."""

    def __init__(self, runner: Callable[..., Outcome]) -> None:
        """Run by this runner, which knows the answer."""
        self.runner, self.runs = runner, []

    def __call__(self, **given: object) -> Outcome:
        """Run a scenario."""
        outcome = self.runner(**given)
        callers = frozenset(frame.function for frame in inspect.stack(context=0)[1:])
        scenario = next(iter(outputs(outcome).values())).scenario
        self.runs.append(Run(scenario, outcome, callers))
        return outcome

    def made_for(self, names: set[str]) -> tuple[Run, ...]:
        """Give the runs that a test, or one of its fixtures, asked for."""
        return tuple(run for run in self.runs if run.callers & names)
