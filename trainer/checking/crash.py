"""What an answer crashes on: a script, cut down to the rows that it takes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from trainer.checking.cuts import chosen
from trainer.checking.reference import LIMIT
from trainer.checking.smallest import Work, first, row_by_row
from trainer.checking.verdict import Verdict
from trainer.running.answer import AnswerError
from trainer.running.drive import run
from trainer.running.scenario import Scenario


@dataclass(frozen=True)
class Crash:
    """A script, and how an answer crashed on it."""

    scenario: Scenario
    error: AnswerError
    # Whether nothing can be left out of it without losing the crash.
    smallest: bool = False

    @property
    def micro_batch(self) -> int:
        """In which micro-batch it crashed, counted from one."""
        return self.error.micro_batch

    def is_like(self, other: "Crash") -> bool:
        """Whether it is the same error on the same line; what it says of its values may differ."""
        return self._kind == other._kind

    @property
    def _kind(self) -> tuple:
        return type(self.error), self.error.line, str(self.error).partition(":")[0]


def met(verdict: Verdict) -> Crash | None:
    """Give the crash that decided a verdict, if a micro-batch was being worked on."""
    error = next((check.error for check in verdict.checks if not check.passed), None)
    scenario = getattr(error, "scenario", None)
    return Crash(scenario, error) if scenario and error.micro_batch else None


def cut(crash: Crash, answer: Callable, seconds: float) -> Crash:
    """Cut a crash down as far as so many seconds allow."""

    def shown(scenario: Scenario) -> Crash | None:
        try:
            scenario.run(partial(run, answer, timeout=LIMIT))
        except AnswerError as error:
            found = Crash(scenario, error)
            return found if error.micro_batch and found.is_like(crash) else None
        return None

    work = Work(seconds=seconds)
    again = first(_until(crash), shown, work)
    return row_by_row(again, shown, work) if again else crash


def _until(crash: Crash) -> Iterator[Scenario]:
    """Leave out all micro-batches but the one, or those after it; a restart needs them all."""
    if crash.scenario.counted:
        yield crash.scenario
    else:
        until = range(crash.micro_batch)
        yield chosen(crash.scenario, until[-1:])
        yield chosen(crash.scenario, until)
