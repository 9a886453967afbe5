"""A case: a scenario on which an answer gives something else than was expected."""

from dataclasses import dataclass
from functools import cached_property
from operator import gt

from trainer.checking.difference import Difference, compare
from trainer.checking.fault import Fault
from trainer.running.result import Outcome
from trainer.running.scenario import Scenario


@dataclass(frozen=True)
class Case:
    """A scenario that shows the fault, what came of it, and what was expected."""

    scenario: Scenario
    came: Outcome
    expected: Outcome
    ordered_by: str | None = None
    # Whether nothing can be left out of it without losing what it shows.
    smallest: bool = False
    # The rule that it breaks, and by what of all that differs; None where no rule is known.
    rule: str | None = None
    about: Fault | None = None

    @cached_property
    def differences(self) -> list[Difference]:
        """What differs, output by output."""
        return compare(self.came, self.expected, self.ordered_by)

    @property
    def kind(self) -> str:
        """What kind of fault it shows; '' if none."""
        return self.differences[0].kind if self.differences else ""

    @property
    def ends_fuller(self) -> bool:
        """Whether more is left in state in the end than need be: what really lies there, if known,
        for Spark counts a list as one."""
        held = [each.held for each in self.differences if each.held]
        states = [each.states for each in self.differences if each.states and not each.held]
        fuller = any(any(map(gt, *both)) for both in held)
        return fuller or any(ours[-1:] > theirs[-1:] for ours, theirs in states)
