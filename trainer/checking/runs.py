"""The runs of a grader: declared by name, as data, all known before the first of them starts.

A grader's module says what is run; a test names the runs that it looks at as its parameters, and
gets what came of them:

    result = scripted(rides=SCRIPT)
    restarted = scripted(rides=SCRIPT, restart_after=2)

    @seeded
    def generated(seed):
        return {"rides": stream(seed)}

    def test_a_rule(result): ...

What `scripted` is given, and what a `seeded` function gives, are the streams and options of
`trainer.scenario.run`. What is made from the seed is secret: no report shows its rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import pytest

from trainer.running.answer import AnswerError
from trainer.running.result import Outcome
from trainer.running.scenario import Scenario


@dataclass(frozen=True, eq=False)
class Declared:
    """A run as a grader declares it: what makes its inputs and options, and whether of the seed."""

    make: Callable[[int], Mapping[str, object]]
    seeded: bool

    def scenario(self, seed: int) -> Scenario:
        """Give what is run."""
        return Scenario.of(**self.make(seed))


@dataclass(frozen=True)
class Run:
    """A run and what came of it; `seed` is what it was made from, if it depends on one."""

    name: str
    scenario: Scenario
    outcome: Outcome
    seed: int | None = None


class Started(Protocol):
    """Runs that are on their way, wherever that is."""

    def outcome(self, name: str) -> Outcome:
        """Wait for what came of one of them; what is wrong with the answer is raised."""

    def stop(self) -> None:
        """End those that still run: nobody waits for them any more."""


Start = Callable[[Mapping[str, Scenario]], Started]


def scripted(**given: object) -> Callable:
    """Declare a run that is the same for everyone."""
    return _fixture(Declared(lambda seed: given, seeded=False))


def seeded(make: Callable[[int], Mapping[str, object]]) -> Callable:
    """Declare a run that is made from the seed."""
    return _fixture(Declared(make, seeded=True))


def _fixture(declared: Declared) -> Callable:
    @pytest.fixture(scope="module")
    def outcome(runs: Runs) -> Outcome:
        return runs.of(declared)

    outcome.declared = declared
    return outcome


def named_by(item: pytest.Function) -> dict[str, Declared]:
    """Give the runs that a test names, or a fixture that it takes."""
    there = vars(item.module)
    found = {name: getattr(there.get(name), "declared", None) for name in item.fixturenames}
    return {name: declared for name, declared in found.items() if declared}


def depends_on_seed(item: pytest.Function) -> bool:
    """Tell whether what a test looks at is made from the seed."""
    return "seed" in item.fixturenames or any(run.seeded for run in named_by(item).values())


class Runs:
    """The runs of one module that are looked at, started together when the first is asked for."""

    def __init__(
        self, declared: Mapping[str, Declared], seed: int, start: Start, folder: str = ""
    ) -> None:
        """Start them all; those of an instructor's grader are named by its folder, too."""
        self.folder = folder
        self.names = {run: name for name, run in declared.items()}
        self.seeds = {name: seed if run.seeded else None for name, run in declared.items()}
        self.scenarios = {name: run.scenario(seed) for name, run in declared.items()}
        self.started = start(self.scenarios)
        self.made: dict[str, Run] = {}

    def of(self, declared: Declared) -> Outcome:
        """Give what came of a run."""
        name = self.names[declared]
        if name not in self.made:
            outcome = self._outcome(name)
            known_as = f"{self.folder}/{name}" if self.folder else name
            self.made[name] = Run(known_as, self.scenarios[name], outcome, self.seeds[name])
        return self.made[name].outcome

    def _outcome(self, name: str) -> Outcome:
        try:
            return self.started.outcome(name)
        except AnswerError as error:
            # What is made of the seed stays secret.
            if self.seeds[name] is None:
                error.scenario = self.scenarios[name]
            raise

    def looked_at(self, item: pytest.Function) -> tuple[Run, ...]:
        """Give the runs that a test looked at, as far as something came of them."""
        return tuple(self.made[name] for name in named_by(item) if name in self.made)

    def stop(self) -> None:
        """End what still runs."""
        self.started.stop()
