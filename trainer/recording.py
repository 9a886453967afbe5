"""Records the scripts that a grader ran, so that feedback can go back to the one that failed."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trainer.result import Result

Outcome = Result | dict[str, Result]


@dataclass(frozen=True)
class Script:
    """What one run was given: its streams and tables, and its options."""

    inputs: Mapping[str, list]
    options: Mapping[str, object]

    def run(self, runner: Callable[..., Outcome]) -> Outcome:
        """Run it again, with the same or with another answer."""
        return runner(**self.inputs, **self.options)


@dataclass(frozen=True)
class Run:
    """One run of a script: what came out, and the functions on whose behalf it was made."""

    script: Script
    outcome: Outcome
    callers: frozenset[str]


class Recorder:
    """Runs scripts, and remembers each with what came of it."""

    OPTIONS = ("restart_after", "output_mode", "timeout", "schemas")

    def __init__(self, runner: Callable[..., Outcome]) -> None:
        """Run by this runner, which knows the answer."""
        self.runner, self.runs = runner, []

    def __call__(self, **given: object) -> Outcome:
        """Run a script."""
        options = {name: given.pop(name) for name in self.OPTIONS if name in given}
        script = Script(given, options)
        outcome = script.run(self.runner)
        callers = frozenset(frame.function for frame in inspect.stack(context=0)[1:])
        self.runs.append(Run(script, outcome, callers))
        return outcome

    def made_for(self, names: set[str]) -> tuple[Run, ...]:
        """Give the runs that a test, or one of its fixtures, asked for."""
        return tuple(run for run in self.runs if run.callers & names)
