"""A case: a scenario on which an answer gives something else than was expected."""

from dataclasses import dataclass
from functools import cached_property

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
    def excess(self) -> float:
        """How much more is left in state in the end than need be, as a part of that; 0 for nothing.

        What really lies there counts, if known, for Spark counts a list as one.
        """
        ends = []
        for each in self.differences:
            if each.held:
                ends += zip(*each.held, strict=True)
            elif each.states and all(each.states):
                ends.append((each.states[0][-1], each.states[1][-1]))
        return max((max(0, ours - theirs) / (theirs + 1) for ours, theirs in ends), default=0)
